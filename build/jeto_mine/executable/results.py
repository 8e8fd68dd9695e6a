"""What became of every record, on disk: one file each, so that an interrupted run goes on."""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench.decode import decode_jsonl
from jeto_bench.encode import records_to_jsonl
from jeto_bench.files import write_atomically
from jeto_bench.records import EtipRecord, QuarantinedTest
from jeto_evaluate.reports.decode import versioned
from jeto_evaluate.reports.encode import to_json
from jeto_mine.executable.kept_images import UNMEASURED

__all__ = ["EXECUTABLE", "EtipResult", "Folder", "input_hash", "yields"]

RESULT_VERSION: Final = 3
EXECUTABLE: Final = "executable"


@dataclass(frozen=True, kw_only=True, slots=True)
class EtipResult:
    """What became of one record.

    Attributes:
        instance_id: The record.
        input_sha256: Hash of the record as it was given, and of the options.
        outcome: ``executable``, or the reason why it is not.
        detail: What happened in this case.
        modules: Modules whose tests were run.
        java_version: JDK that was chosen; 0 if none was.
        evidence: What the tree says of its JDK, one phrase each.
        failed_jdks: JDKs tried before, with their reasons.
        maven_version: Version of Maven; empty if none was chosen.
        wrapper: Kind of the wrapper; empty if there is none.
        test_classes: Number that count.
        quarantined: Those that do not, and why.
        strict: Every test class passes, as the paper's rule demands.
        outcome_of_reference: How the reference was judged against base.
        improved: Classes that the robust rule calls faster, and tests that came with the fix which
            are.
        regressed: Classes that are slower, likewise.
        paper_improved: Classes that the paper's rule calls faster.
        paper_regressed: Classes that it calls slower.
        overall_speedup: Median over pairs of base's sum over classes / the reference's; 0 if
            nothing was measured.
        rounds: Pairs that were measured.
        measured_at: ISO 8601, UTC.
        machine: CPU, number of CPUs, memory, kernel, engine; load before anything was begun.
        harness: Version that measured, with its commit.
        seconds: All steps together.
        round_seconds: Median of a measured round; 0 if none was.
        image_bytes: Size of the image, base included; 0 if none was made.
        added_bytes: What it adds to its base; ``None`` if it is not known.
        image_digest: In the registry it was pushed to; empty if to none.
        mirrors: Plain HTTP repositories that were asked by HTTPS, as ``id: URL``.
        log: Log of the build.
        schema_version: Version of this format.
    """

    instance_id: str
    input_sha256: str
    outcome: str
    detail: str = ""
    modules: tuple[str, ...] = ()
    java_version: int = 0
    evidence: tuple[str, ...] = ()
    failed_jdks: tuple[str, ...] = ()
    maven_version: str = ""
    wrapper: str = ""
    test_classes: int = 0
    quarantined: tuple[QuarantinedTest, ...] = ()
    strict: bool = False
    outcome_of_reference: str = ""
    improved: tuple[str, ...] = ()
    regressed: tuple[str, ...] = ()
    paper_improved: tuple[str, ...] = ()
    paper_regressed: tuple[str, ...] = ()
    overall_speedup: float = 0.0
    rounds: int = 0
    measured_at: str = ""
    machine: str = ""
    harness: str = ""
    seconds: float = 0.0
    round_seconds: float = 0.0
    image_bytes: int = 0
    added_bytes: int | None = None
    image_digest: str = ""
    mirrors: tuple[str, ...] = ()
    log: str = ""
    schema_version: int = RESULT_VERSION


def input_hash(record: EtipRecord, options: Sequence[str]) -> str:
    """Return what a result depends on, 64 hex digits."""
    data = records_to_jsonl([record]) + "\0".join(options).encode()
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Folder:
    """The output of ``jeto-mine execute``.

    Attributes:
        path: The folder: ``results/ID.json`` of every record, ``results/ID.jsonl`` and
            ``recipes/ID/Dockerfile`` of those that are executable, ``executable.jsonl`` with all
            of them; ``unmeasured/`` while a record's image is made and not measured.
    """

    path: Path

    def result(self, instance_id: str) -> EtipResult | None:
        """Return a record's result if there is one.

        Raises:
            DecodeError: The file is not a result.
        """
        file = self._file(instance_id, "json")
        return read_result(file) if file.exists() else None

    def results(self) -> tuple[EtipResult, ...]:
        """Return all results, by id."""
        return tuple(read_result(file) for file in sorted(self.path.glob("results/*.json")))

    def keep(
        self,
        result: EtipResult,
        record: EtipRecord | None,
        recipe: Mapping[str, bytes] | None = None,
    ) -> None:
        """Write a result; that of an executable record last, after record and recipe."""
        for name, data in (recipe or {}).items():
            write_atomically(self.path / "recipes" / result.instance_id / name, data)
        if record is not None:
            write_atomically(self._file(result.instance_id, "jsonl"), records_to_jsonl([record]))
        write_atomically(self._file(result.instance_id, "json"), to_json(result).encode())
        shutil.rmtree(self.path / UNMEASURED / result.instance_id, ignore_errors=True)

    def gather(self) -> tuple[EtipRecord, ...]:
        """Write ``executable.jsonl`` from what is there; return its records."""
        records = tuple(
            record
            for result in self.results()
            if result.outcome == EXECUTABLE
            for record in decode_jsonl(self._file(result.instance_id, "jsonl").read_bytes())
        )
        write_atomically(self.path / "executable.jsonl", records_to_jsonl(records))
        return records

    def _file(self, instance_id: str, ending: str) -> Path:
        return self.path / "results" / f"{instance_id}.{ending}"


def read_result(file: Path) -> EtipResult:
    """Read one result.

    Raises:
        DecodeError: Not a result, or of another version.
    """
    return versioned(EtipResult, file.read_bytes(), source=str(file), version=RESULT_VERSION)


def yields(results: Iterable[EtipResult]) -> tuple[tuple[str, int], ...]:
    """Return how many records ended in which outcome: the executable first, then by number."""
    counts = Counter(result.outcome for result in results)
    executable = counts.pop(EXECUTABLE, 0)
    return ((EXECUTABLE, executable), *sorted(counts.items(), key=lambda item: (-item[1], item[0])))
