"""The tests that came with a fix: alone in their JVM, against a hard limit that no loop ignores.

On base they may take hours, or fail at a time limit of their own: that is a time too, of which only
the beginning is seen. The harness's own clock measures the whole launch, which code under test
cannot forge; what the launch itself takes is the same in all arms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from jeto_evaluate.agent_times import read_agent, with_agent
from jeto_evaluate.own_tests import is_time_out
from jeto_evaluate.reasons import Reason
from jeto_evaluate.run.arm import ArmSession, RoundOutput
from jeto_evaluate.run.ending import InstanceEnded, ours
from jeto_evaluate.run.round_evidence import read_reports, why_no_report
from jeto_evaluate.run.schedule import pair_order
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.run.stopwatch import Stopwatch
from jeto_evaluate.samples import Arm
from jeto_evaluate.statistics.censored import (
    CensoredPair,
    CensoredTest,
    CensoredTime,
    censored_tests,
    is_decided,
    pairs_needed,
)
from jeto_evaluate.surefire import CaseStatus, class_times

__all__ = ["OwnStage"]


@dataclass(kw_only=True, slots=True)
class OwnStage:
    """Measures a fix's own test classes.

    Attributes:
        arms: Base and candidate, built; one whose launch was cut off is gone.
        open_arm: Makes an arm anew, built.
        settings: Limits and criteria.
        watch: Bounds the whole.
        checkpoint: Called before every launch with its name; may raise to stop.
    """

    arms: dict[Arm, ArmSession]
    open_arm: Callable[[Arm], ArmSession]
    settings: RunSettings
    watch: Stopwatch
    checkpoint: Callable[[str], None]
    _cut: set[Arm] = field(default_factory=set)

    def measure(self, classes: Sequence[str], *, seed: int) -> tuple[CensoredTest, ...]:
        """Run pairs of every class until it is decided.

        The candidate runs each once before, so that one that fails costs no time of base's.

        Raises:
            InstanceEnded: A class fails for another reason than time.
            SandboxError: The engine failed.
        """
        alpha = self.settings.robust.alpha
        share = self.settings.robust.min_improvement
        planned = pairs_needed(len(classes), alpha)
        found: dict[str, list[CensoredPair]] = {name: [] for name in classes}
        with self.watch.phase("own tests"):
            for name, pairs in found.items():
                self._launch(Arm.CANDIDATE, name, "warm-up")
                for number, order in enumerate(pair_order(planned, seed), start=1):
                    times = {arm: self._launch(arm, name, f"pair {number}") for arm in order}
                    pairs.append(CensoredPair(base=times[Arm.BASE], other=times[Arm.CANDIDATE]))
                    if is_decided(
                        pairs, planned=planned, classes=len(classes), share=share, alpha=alpha
                    ):
                        break
        return censored_tests(found, planned=planned, share=share, alpha=alpha)

    def _launch(self, arm: Arm, name: str, which: str) -> CensoredTime:
        where = f"own tests, {which} of {arm} ({name.rpartition('.')[2]})"
        self.checkpoint(where)
        if arm in self._cut:
            self.arms[arm] = self.open_arm(arm)
            self._cut.discard(arm)
        limit = self.watch.within(self.settings.deadlines.own_test)
        output = self.arms[arm].round([name], deadline=limit)
        self.watch.charge(arm, output.wall_ms / 1000)
        if output.timed_out:
            # Its container has ended with it.
            self._cut.add(arm)
            self.arms[arm].close()
            return CensoredTime(milliseconds=output.wall_ms, censored=True)
        return CensoredTime(
            milliseconds=output.wall_ms, censored=self._ran_out(arm, where, name, output)
        )

    def _ran_out(self, arm: Arm, where: str, name: str, output: RoundOutput) -> bool:
        """Whether a launch that ended by itself failed at its own time limit.

        Raises:
            InstanceEnded: It failed otherwise, or left no report.
        """
        if output.oom_killed:
            raise InstanceEnded(ours(arm, Reason.BASE_OOM) or Reason.OOM, where)
        report = read_reports(output)
        cases = [case for item in report.classes if item.test_class == name for case in item.cases]
        held = with_agent(class_times(report), read_agent(output.files))
        skipped = [case.name for case in cases if case.status is CaseStatus.SKIPPED]
        broken = [case for case in cases if case.broken]
        reason, detail = None, ""
        if not cases:
            reason, detail = Reason.MISSING_CLASS, f"no report; {why_no_report(output)}"
        elif held.contradicted and arm is Arm.CANDIDATE:
            reason, detail = Reason.AGENT_CONTRADICTED, held.problem
        elif skipped:
            # Code under test can abort a test, which then looks skipped.
            reason, detail = Reason.SKIPPED_CASE, f"{skipped[0]} is skipped"
        elif broken and not is_time_out(broken):
            reason, detail = Reason.TEST_FAILURE, f"{broken[0].name}: {broken[0].message}"
        elif not broken and output.exit_code != 0:
            reason, detail = Reason.ROUND_FAILED, f"status {output.exit_code}"
        if reason is not None:
            raise InstanceEnded(ours(arm, Reason.BASE_FAILED) or reason, f"{where}: {detail}")
        return bool(broken)
