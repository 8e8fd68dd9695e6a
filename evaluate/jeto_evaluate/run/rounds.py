"""Warm-up and measured pairs: base first, every round checked, nothing paired with what is left."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from jeto_bench.errors import ContentError
from jeto_bench.records import EtipRecord
from jeto_evaluate.reasons import Reason
from jeto_evaluate.run.arm import ArmSession, RoundOutput
from jeto_evaluate.run.ending import InstanceEnded, blame
from jeto_evaluate.run.expectation import Expectation
from jeto_evaluate.run.schedule import pair_order
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.run.stopwatch import Stopwatch
from jeto_evaluate.samples import Arm, RoundResult
from jeto_evaluate.surefire import (
    RoundProblem,
    RoundProblemKind,
    RoundReport,
    class_times,
    read_round,
)

__all__ = ["Measured", "measure"]

_LOG = logging.getLogger(__name__)
_TAIL = 2000
_DUMP_TAIL = 500
_NO_REPORT = frozenset({RoundProblemKind.NO_TESTS, RoundProblemKind.MISSING_CLASS})


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """What measuring two arms gave.

    Attributes:
        rounds: All rounds in the order they ran, warm-up included.
        surefire: Version of Surefire, if the reports state it.
    """

    rounds: tuple[RoundResult, ...]
    surefire: str


class _Rounds:
    def __init__(
        self,
        arms: Mapping[Arm, ArmSession],
        record: EtipRecord,
        settings: RunSettings,
        watch: Stopwatch,
        checkpoint: Callable[[str], None],
    ) -> None:
        self._arms = arms
        self._classes = record.test_classes
        self._settings = settings
        self._watch = watch
        self._checkpoint = checkpoint
        self._expected = Expectation(record.test_classes)
        self.done: list[RoundResult] = []
        self.surefire: str | None = None

    def run(self, arm: Arm, number: int, position: int) -> None:
        """Run one round and keep it if it counts."""
        where = f"round {number} of {arm}" if number else f"warm-up of {arm}"
        output, report = self._play(arm, where)
        if self._expected.empty:
            self._learn(where, output, report)
        self._refuse_difference(arm, where, output, report)
        self.done.append(
            RoundResult(
                arm=arm,
                round=number,
                position=position,
                started_at=output.started_at,
                wall_ms=output.wall_ms,
                classes=class_times(report),
            )
        )

    def _play(self, arm: Arm, where: str) -> tuple[RoundOutput, RoundReport]:
        self._checkpoint(where)
        deadline = self._watch.within(self._settings.deadlines.round)
        try:
            output = self._arms[arm].round(self._classes, deadline=deadline)
        except ContentError as error:
            reason = Reason.BASE_FAILED if arm is Arm.BASE else Reason.ROUND_FAILED
            raise InstanceEnded(reason, f"{where}: {error}") from error
        self._watch.charge(arm, output.wall_ms / 1000)
        self._refuse_trouble(arm, where, output)
        return output, _read(output)

    def _refuse_trouble(self, arm: Arm, where: str, output: RoundOutput) -> None:
        if output.leftovers:
            _LOG.warning("%s left processes: %s", where, "; ".join(output.leftovers))
        if output.oom_killed:
            reason = Reason.BASE_OOM if arm is Arm.BASE else Reason.OOM
            limit = self._settings.memory_bytes // 1024**2
            raise InstanceEnded(reason, f"{where}: a process was killed at {limit} MiB")
        if output.timed_out:
            self._watch.within(1)
            reason = Reason.BASE_TIMED_OUT if arm is Arm.BASE else Reason.DEADLINE_ROUND
            raise InstanceEnded(reason, f"{where}: not done after {output.wall_ms / 1000:.0f} s")

    def _refuse_difference(
        self, arm: Arm, where: str, output: RoundOutput, report: RoundReport
    ) -> None:
        problem = self._problem(arm, where, output, report)
        if problem is not None:
            _log_end(where, output)
            what = f"{where}: {problem.kind} {problem.test_class} {problem.detail}".strip()
            if problem.kind in _NO_REPORT:
                what = f"{what}; {_why_no_report(output)}"
            raise InstanceEnded(blame(arm, problem.kind), what)
        if output.exit_code != 0:
            reason = Reason.BASE_FAILED if arm is Arm.BASE else Reason.ROUND_FAILED
            raise InstanceEnded(reason, f"{where}: {_text(output.output[-_TAIL:])}")
        if self.surefire is None:
            self.surefire = report.surefire_version or ""
        elif self.surefire != (report.surefire_version or ""):
            # The build files are the same in both arms: after base, only the candidate's own code
            # can make the reports say something else.
            reason = Reason.SUREFIRE_MISMATCH if arm is Arm.BASE else Reason.UNSCHEDULED_REPORT
            raise InstanceEnded(reason, f"Surefire {self.surefire}, then {report.surefire_version}")

    def _problem(
        self, arm: Arm, where: str, output: RoundOutput, report: RoundReport
    ) -> RoundProblem | None:
        """Hold a round against base's; names of cases may differ from round to round in base too.

        What one round of base cannot show, another one does: the candidate is blamed for other
        names only after base has run twice.
        """
        problem = self._expected.problem(report)
        if not self._expected.may_be_names(problem):
            return problem
        if arm is Arm.BASE:
            self._learn(where, output, report)
        elif not self._expected.sure:
            where = f"another warm-up of {Arm.BASE}"
            output, again = self._play(Arm.BASE, where)
            self._learn(where, output, again)
            self._refuse_difference(Arm.BASE, where, output, again)
        return self._expected.problem(report)

    def _learn(self, where: str, output: RoundOutput, report: RoundReport) -> None:
        try:
            self._expected.learn(report, where)
        except InstanceEnded:
            _log_end(where, output)
            raise


def measure(
    arms: Mapping[Arm, ArmSession],
    record: EtipRecord,
    *,
    settings: RunSettings,
    seed: int,
    watch: Stopwatch,
    checkpoint: Callable[[str], None],
) -> Measured:
    """Run the warm-up and all pairs.

    Args:
        arms: Base and candidate, both built.
        record: Names the test classes; with none named, all that base runs.
        settings: Rounds and deadlines.
        seed: Seed of the order inside the pairs.
        watch: Bounds the whole.
        checkpoint: Called before every round with its name; may raise to stop.

    Raises:
        InstanceEnded: A round does not count; base's trouble is never the candidate's fault.
        SandboxError: The engine failed.
    """
    rounds = _Rounds(arms, record, settings, watch, checkpoint)
    with watch.phase("warm-up"):
        # Base shows first that the environment works: otherwise nothing said of the candidate
        # would be believed.
        for _ in range(max(1, settings.criteria.warmup_rounds)):
            for position, arm in enumerate((Arm.BASE, Arm.CANDIDATE)):
                rounds.run(arm, 0, position)
    with watch.phase("rounds"):
        for number, order in enumerate(pair_order(settings.criteria.rounds, seed), start=1):
            for position, arm in enumerate(order):
                rounds.run(arm, number, position)
    return Measured(rounds=_one_warm_up(rounds.done), surefire=rounds.surefire or "")


def _one_warm_up(done: Sequence[RoundResult]) -> tuple[RoundResult, ...]:
    """Keep the last warm-up round of each arm: a round's number names it once per arm."""
    warm = {item.arm: item for item in done if item.round == 0}
    return (*warm.values(), *(item for item in done if item.round > 0))


def _read(output: RoundOutput) -> RoundReport:
    names = {path: PurePosixPath(path).name for path in output.files}
    return read_round(
        {
            path: data
            for path, data in output.files.items()
            if names[path].startswith("TEST-") and names[path].endswith(".xml")
        }
    )


def _why_no_report(output: RoundOutput) -> str:
    """Maven's status and the end of what Surefire dumped: why a fork died stands only there."""
    return "; ".join([f"status {output.exit_code}", *_dumps(output, _DUMP_TAIL)[:1]])


def _dumps(output: RoundOutput, length: int) -> list[str]:
    return [
        f"{PurePosixPath(path).name}: {_text(data[-length:])}"
        for path, data in sorted(output.files.items())
        if path.endswith((".dump", ".dumpstream"))
    ]


def _log_end(where: str, output: RoundOutput) -> None:
    for dump in _dumps(output, _TAIL):
        _LOG.info("%s left a dump, %s", where, dump)
    _LOG.info("%s failed; the end of its log:\n%s", where, _text(output.output[-_TAIL:]))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip()
