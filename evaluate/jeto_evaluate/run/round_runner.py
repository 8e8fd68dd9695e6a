"""One round of one arm, run and held against what base has shown."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from jeto_bench.errors import ContentError
from jeto_evaluate.agent_lines import Jvm
from jeto_evaluate.agent_times import read_agent, with_agent
from jeto_evaluate.reasons import Reason
from jeto_evaluate.run.agent_watch import AgentWatch
from jeto_evaluate.run.arm import ArmSession, RoundOutput
from jeto_evaluate.run.chance import Chance
from jeto_evaluate.run.ending import InstanceEnded, TestFailed, blame, ours
from jeto_evaluate.run.expectation import Expectation
from jeto_evaluate.run.round_evidence import end_of, log_end, read_reports, why_no_report
from jeto_evaluate.run.schedule import class_seed
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.run.stopwatch import Stopwatch
from jeto_evaluate.samples import Arm, RoundResult
from jeto_evaluate.surefire import RoundProblem, RoundProblemKind, RoundReport, class_times

__all__ = ["RoundRunner"]

_LOG = logging.getLogger(__name__)
_WARM_UP = (Arm.BASE, Arm.CANDIDATE, Arm.REFERENCE)
_FAILED = frozenset({RoundProblemKind.CLASS_FAILED, RoundProblemKind.CASE_FAILED})
_NO_REPORT = frozenset({RoundProblemKind.NO_TESTS, RoundProblemKind.MISSING_CLASS})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Turn:
    """One round to run: its arm, its number (0 for warm-up), its place in the pair."""

    arm: Arm
    number: int
    position: int
    class_seed: int

    @property
    def where(self) -> str:
        """The round's name for logs and messages."""
        return f"round {self.number} of {self.arm}" if self.number else f"warm-up of {self.arm}"


class RoundRunner:
    """Runs rounds of the same test classes in turn, and keeps those that count.

    Args:
        arms: Both built.
        classes: The test classes; with none named, all that base runs.
        settings: Deadlines and limits.
        watch: Bounds the whole.
        checkpoint: Called before every round with its name; may raise to stop.
        chance: Says which pairs are run again; by default as many as the settings allow.

    Attributes:
        done: The rounds in the order they ran.
        surefire: Version of Surefire; empty if the reports do not state it, ``None`` before.
    """

    def __init__(
        self,
        arms: Mapping[Arm, ArmSession],
        classes: Sequence[str],
        settings: RunSettings,
        watch: Stopwatch,
        checkpoint: Callable[[str], None],
        *,
        chance: Chance | None = None,
    ) -> None:
        self._chance = chance or Chance(settings.repeats)
        self._arms = arms
        self._classes = tuple(classes)
        self._settings = settings
        self._watch = watch
        self._checkpoint = checkpoint
        self._expected = Expectation(classes)
        self._agent = AgentWatch()
        self.done: list[RoundResult] = []
        self.surefire: str | None = None

    @property
    def jvms(self) -> tuple[Jvm, ...]:
        """The kinds of test JVMs that base's first round ran in; empty if no agent says so."""
        return self._agent.jvms

    def warm_up(self, rounds: int, seed: int) -> None:
        """Run rounds of all arms that are not measured, at least one.

        Base shows first that the environment works: otherwise nothing said of the candidate would
        be believed.

        Raises:
            InstanceEnded: A round does not count; base's trouble is never the candidate's fault.
            SandboxError: The engine failed.
        """
        for _ in range(max(1, rounds)):
            self.pair(0, [arm for arm in _WARM_UP if arm in self._arms], seed)

    def pair(self, number: int, order: Sequence[Arm], seed: int) -> None:
        """Run a round of each arm back to back; errors as for ``warm_up``.

        A pair in which a test fails by chance is run again and leaves nothing behind.
        """
        kept = len(self.done)
        while True:
            try:
                self._each(number, order, seed)
            except TestFailed as failed:
                if not self._chance.explains(failed):
                    raise
                del self.done[kept:]
                _LOG.warning("the pair is run again: %s", failed.detail)
            else:
                return

    def _each(self, number: int, order: Sequence[Arm], seed: int) -> None:
        for position, arm in enumerate(order):
            self._run(
                _Turn(
                    arm=arm, number=number, position=position, class_seed=class_seed(seed, number)
                )
            )

    def last(self, arm: Arm) -> RoundResult:
        """Return the latest round of an arm."""
        return next(item for item in reversed(self.done) if item.arm is arm)

    def _run(self, turn: _Turn) -> None:
        where = turn.where
        output, report = self._play(turn, where)
        if self._expected.empty:
            self._learn(where, output, report)
        self._refuse_difference(turn, where, output, report)
        said = read_agent(output.files)
        held = with_agent(class_times(report), said)
        self._agent.check(turn.arm, where, held, said)
        self.done.append(
            RoundResult(
                arm=turn.arm,
                round=turn.number,
                position=turn.position,
                started_at=output.started_at,
                wall_ms=output.wall_ms,
                classes=held.classes,
                cpu_ms=output.cpu_ms,
            )
        )

    def _play(self, turn: _Turn, where: str) -> tuple[RoundOutput, RoundReport]:
        arm = turn.arm
        self._checkpoint(where)
        deadline = self._watch.within(self._settings.deadlines.round)
        try:
            output = self._arms[arm].round(self._classes, seed=turn.class_seed, deadline=deadline)
        except ContentError as error:
            reason = ours(arm, Reason.BASE_FAILED) or Reason.ROUND_FAILED
            raise InstanceEnded(reason, f"{where}: {error}") from error
        self._watch.charge(arm, output.wall_ms / 1000)
        self._refuse_trouble(arm, where, output)
        return output, read_reports(output)

    def _refuse_trouble(self, arm: Arm, where: str, output: RoundOutput) -> None:
        if output.leftovers:
            _LOG.warning("%s left processes: %s", where, "; ".join(output.leftovers))
        if output.oom_killed:
            reason = ours(arm, Reason.BASE_OOM) or Reason.OOM
            limit = self._settings.memory_bytes // 1024**2
            raise InstanceEnded(reason, f"{where}: a process was killed at {limit} MiB")
        if output.timed_out:
            self._watch.within(1)
            reason = ours(arm, Reason.BASE_TIMED_OUT) or Reason.DEADLINE_ROUND
            raise InstanceEnded(reason, f"{where}: not done after {output.wall_ms / 1000:.0f} s")

    def _refuse_difference(
        self, turn: _Turn, where: str, output: RoundOutput, report: RoundReport
    ) -> None:
        arm = turn.arm
        problem = self._problem(turn, where, output, report)
        if problem is not None:
            log_end(where, output)
            what = f"{where}: {problem.kind} {problem.test_class} {problem.detail}".strip()
            if problem.kind in _NO_REPORT:
                what = f"{what}; {why_no_report(output)}"
            reason, name = blame(arm, problem.kind), problem.test_class or ""
            if turn.number and name and problem.kind in _FAILED:
                raise TestFailed(arm, reason, what, test_class=name)
            raise InstanceEnded(reason, what, test_class=name)
        if output.exit_code != 0:
            reason = ours(arm, Reason.BASE_FAILED) or Reason.ROUND_FAILED
            raise InstanceEnded(reason, f"{where}: {end_of(output)}")
        if self.surefire is None:
            self.surefire = report.surefire_version or ""
        elif self.surefire != (report.surefire_version or ""):
            # The build files are the same in both arms: after base, only the candidate's own code
            # can make the reports say something else.
            reason = ours(arm, Reason.SUREFIRE_MISMATCH) or Reason.UNSCHEDULED_REPORT
            raise InstanceEnded(reason, f"Surefire {self.surefire}, then {report.surefire_version}")

    def _problem(
        self, turn: _Turn, where: str, output: RoundOutput, report: RoundReport
    ) -> RoundProblem | None:
        """Hold a round against base's; names of cases may differ from round to round in base too.

        What one round of base cannot show, another one does: the candidate is blamed for other
        names only after base has run twice.
        """
        problem = self._expected.problem(report)
        if not self._expected.may_be_names(problem):
            return problem
        if turn.arm is Arm.BASE:
            self._learn(where, output, report)
        elif not self._expected.sure:
            where = f"another warm-up of {Arm.BASE}"
            base = replace(turn, arm=Arm.BASE)
            output, again = self._play(base, where)
            self._learn(where, output, again)
            self._refuse_difference(base, where, output, again)
        return self._expected.problem(report)

    def _learn(self, where: str, output: RoundOutput, report: RoundReport) -> None:
        try:
            self._expected.learn(report, where)
        except InstanceEnded as ended:
            log_end(where, output)
            what = f"{ended.detail}; {why_no_report(output)}"
            raise InstanceEnded(ended.reason, what, test_class=ended.test_class) from ended
