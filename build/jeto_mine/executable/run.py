"""Many records, on CPU sets that share no CPU; what is done already is not done again."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Protocol

from jeto_bench.errors import Interrupted
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.instance import log_of
from jeto_evaluate.run.slots import work_on_slots
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
        executors: Each does one record at a time.
        folder: Where results are kept.
        options: What a result depends on besides its record.
        logs: Folder for the logs of builds.
        machine: What is measured on, in words.
        harness: Version that measures, with its commit.
        say: Called with what happens.
        kill: Ends all containers of the run, so that whoever waits for one is freed.
        before: Called before a record is worked on; raises where there is no room for another.
    """

    executors: Sequence[Executor]
    folder: Folder
    options: tuple[str, ...] = ()
    logs: Path = Path("logs/images")
    machine: str = ""
    harness: str = ""
    say: Callable[[str], None] = lambda _: None
    kill: Callable[[], None] = lambda: None
    before: Callable[[], None] = lambda: None

    def run(self, records: Sequence[EtipRecord]) -> tuple[EtipResult, ...]:
        """Go through all records.

        A record whose result is there from the same input is left alone. Trouble with the engine
        ends the run and leaves no result: it says nothing of a record.

        Raises:
            InfrastructureError: The engine failed.
            Interrupted: Ctrl-C or SIGTERM; results are kept.
        """
        stop = threading.Event()
        futures = work_on_slots(
            records, self.executors, partial(self._work, stop=stop), stop=stop, kill=self.kill
        )
        self.folder.gather()
        # What was interrupted fails in some way of its own, which is not to be told.
        errors = [error for future in futures if (error := future.exception()) is not None]
        for error in errors:
            if not isinstance(error, Interrupted):
                raise error
        found = [future.result() for future in futures if future.exception() is None]
        if len(found) < len(records):
            raise Interrupted(
                f"interrupted; {len(found)} of {len(records)} records are done and kept",
                advice="The same command with --resume goes on from here.",
            )
        return tuple(found)

    def _work(self, executor: Executor, record: EtipRecord, *, stop: threading.Event) -> EtipResult:
        try:
            return self._result(executor, record, stop)
        except BaseException as error:
            interrupted = stop.is_set()
            stop.set()
            if interrupted and not isinstance(error, Interrupted):
                raise Interrupted(f"{record.instance_id}: interrupted") from error
            raise

    def _result(self, executor: Executor, record: EtipRecord, stop: threading.Event) -> EtipResult:
        if stop.is_set():
            raise Interrupted("not begun")
        digest = input_hash(record, self.options)
        known = self.folder.result(record.instance_id)
        if known is None or known.input_sha256 != digest:
            self.before()
            known = self._one(executor, record, digest, stop)
        self.say(f"{record.instance_id}: {known.outcome} {known.detail}".rstrip())
        return known

    def _one(
        self, executor: Executor, record: EtipRecord, digest: str, stop: threading.Event
    ) -> EtipResult:
        started = time.monotonic()
        load, *_ = os.getloadavg()  # of the minute before: what else the machine was doing
        recipe: Mapping[str, bytes]
        try:
            done = executor.run(record)
        except Dropped as dropped:
            if stop.is_set():
                raise  # its containers may have been ended under it
            result = EtipResult(
                instance_id=record.instance_id,
                input_sha256=digest,
                outcome=dropped.reason.value,
                detail=dropped.detail,
            )
            made, recipe = None, {}
        else:
            result = _made(done, digest)
            made, recipe = done.record, done.recipe
        result = replace(
            result,
            measured_at=datetime.now(UTC).isoformat(timespec="seconds"),
            machine=f"{self.machine}, load {load:.1f} at the start",
            harness=self.harness,
            seconds=round(time.monotonic() - started, 1),
            log=str(log_of(record.instance_id, self.logs)),
        )
        self.folder.keep(result, made, recipe)
        return result


def _made(done: Executed, digest: str) -> EtipResult:
    report = done.measured.report
    samples = done.measured.samples
    rounds = [item.wall_ms / 1000 for item in samples.rounds if item.round] if samples else []
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
        quarantined=done.record.quarantined_tests,
        strict=not done.record.quarantined_tests,
        outcome_of_reference=report.outcome.value,
        improved=report.improved_names,
        regressed=report.regressed_names,
        paper_improved=tuple(
            item.test_class for item in report.classes if item.improved.significant
        ),
        paper_regressed=tuple(
            item.test_class for item in report.classes if item.regressed.significant
        ),
        overall_speedup=(report.overall.median_speedup or 0.0) if report.overall else 0.0,
        rounds=report.rounds_done,
        round_seconds=round(median(rounds), 3) if rounds else 0.0,
        image_bytes=done.facts.size_bytes,
        added_bytes=done.facts.added_bytes,
        image_digest=done.record.image_digest,
        mirrors=tuple(f"{name}: {url}" for name, url in sorted(done.plan.mirrors.items())),
    )
