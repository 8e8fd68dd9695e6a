"""Many records, one after the other; what is done already is not done again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Protocol

from jeto_bench.records import EtipRecord
from jeto_mine.executable.execute import Executed
from jeto_mine.executable.reasons import Dropped
from jeto_mine.executable.results import EXECUTABLE, EtipResult, Folder, input_hash

__all__ = ["Batch", "Executor"]


class Executor(Protocol):
    """Makes one record executable."""

    def run(self, record: EtipRecord) -> Executed:
        """Return it, or raise ``Dropped``."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """Records to make executable.

    Attributes:
        executor: Does the work.
        folder: Where results are kept.
        options: What a result depends on besides its record.
        logs: Folder for the logs of builds.
        say: Called with what happens.
    """

    executor: Executor
    folder: Folder
    options: tuple[str, ...] = ()
    logs: Path = Path("logs/images")
    say: Callable[[str], None] = lambda _: None

    def run(self, records: Iterable[EtipRecord]) -> tuple[EtipResult, ...]:
        """Go through all records.

        A record whose result is there from the same input is left alone. Trouble with the engine
        ends the run and leaves no result: it says nothing of a record.

        Raises:
            InfrastructureError: The engine failed.
        """
        found: list[EtipResult] = []
        for record in records:
            digest = input_hash(record, self.options)
            known = self.folder.result(record.instance_id)
            if known is None or known.input_sha256 != digest:
                known = self._one(record, digest)
            self.say(f"{record.instance_id}: {known.outcome} {known.detail}".rstrip())
            found.append(known)
        self.folder.gather()
        return tuple(found)

    def _one(self, record: EtipRecord, digest: str) -> EtipResult:
        started = time.monotonic()
        log = str(self.logs / f"{record.instance_id}.build.log")
        try:
            done = self.executor.run(record)
        except Dropped as dropped:
            result = EtipResult(
                instance_id=record.instance_id,
                input_sha256=digest,
                outcome=dropped.reason.value,
                detail=dropped.detail,
                seconds=round(time.monotonic() - started, 1),
                log=log,
            )
            self.folder.keep(result, None)
            return result
        result = _result(done, digest, seconds=time.monotonic() - started, log=log)
        self.folder.keep(result, done.record)
        return result


def _result(done: Executed, digest: str, *, seconds: float, log: str) -> EtipResult:
    report = done.measured.report
    samples = done.measured.samples
    rounds = [item.wall_ms / 1000 for item in samples.rounds if item.round] if samples else []
    robust = report.robust
    wrapper = done.plan.wrapper
    return EtipResult(
        instance_id=done.record.instance_id,
        input_sha256=digest,
        outcome=EXECUTABLE,
        modules=done.record.modules,
        java_version=done.record.java_version,
        evidence=tuple(f"{item.path}: {item.what}" for item in done.plan.jdks.evidence),
        failed_jdks=tuple(f"JDK {jdk}: {reason}" for jdk, reason in done.failed_jdks),
        maven_version=done.record.maven_version,
        wrapper=wrapper.kind.value if wrapper else "",
        test_classes=len(done.record.test_classes),
        quarantined=tuple(
            f"{item.test_class} ({item.reason})" for item in done.record.quarantined_tests
        ),
        strict=not done.record.quarantined_tests,
        outcome_of_reference=report.outcome.value,
        improved=robust.improved if robust else (),
        regressed=robust.regressed if robust else (),
        paper_improved=tuple(
            item.test_class for item in report.classes if item.improved.significant
        ),
        paper_regressed=tuple(
            item.test_class for item in report.classes if item.regressed.significant
        ),
        seconds=round(seconds, 1),
        round_seconds=round(median(rounds), 3) if rounds else 0.0,
        image_bytes=done.facts.size_bytes,
        log=log,
    )
