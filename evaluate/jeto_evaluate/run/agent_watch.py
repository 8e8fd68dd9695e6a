"""What the agent says of a round, held against what it has said of base's."""

from __future__ import annotations

import logging

from jeto_evaluate.agent_lines import Jvm
from jeto_evaluate.agent_times import AgentRound, Held
from jeto_evaluate.reasons import Reason
from jeto_evaluate.run.ending import InstanceEnded, ours
from jeto_evaluate.samples import Arm

__all__ = ["AgentWatch"]

_LOG = logging.getLogger(__name__)


class AgentWatch:
    """Holds the rounds of all arms to the same tests, seen by the agent, in JVMs of one kind.

    Attributes:
        jvms: The kinds of test JVMs that base's first round ran in; empty if no agent says so.
    """

    def __init__(self) -> None:
        self.jvms: tuple[Jvm, ...] = ()
        self._first = True
        self._problem = ""
        self._seen_in_base = True

    def check(self, arm: Arm, where: str, held: Held, said: AgentRound) -> None:
        """Check the next round, base's first.

        Args:
            arm: Its arm.
            where: Its name for logs and messages.
            held: The agent's figures, held against Surefire's report.
            said: What the agent says.

        Raises:
            InstanceEnded: It contradicts the report or base's rounds.
        """
        self._refuse_contradiction(arm, where, held)
        self._refuse_other_jvms(arm, where, said)

    def _refuse_contradiction(self, arm: Arm, where: str, held: Held) -> None:
        """The same tests, seen by the agent in all of base's rounds, are seen in a candidate's."""
        if arm is not Arm.CANDIDATE:
            self._seen_in_base &= not held.problem
        elif held.contradicted and self._seen_in_base:
            raise InstanceEnded(Reason.AGENT_CONTRADICTED, f"{where}: {held.problem}")
        if held.problem != self._problem:
            used = f"are not used: {held.problem}" if held.problem else "are used again"
            _LOG.warning("%s: the agent's figures %s", where, used)
            self._problem = held.problem

    def _refuse_other_jvms(self, arm: Arm, where: str, said: AgentRound) -> None:
        """Both arms have the same CPUs, limits and build files, so their JVMs are sized alike."""
        if self._first:
            self._first = False
            self.jvms = said.jvms
        elif said.runs and self.jvms and said.jvms != self.jvms:
            reason = ours(arm, Reason.BASE_FAILED) or Reason.AGENT_CONTRADICTED
            raise InstanceEnded(
                reason, f"{where} ran in {said.jvms}, base's first round in {self.jvms}"
            )
