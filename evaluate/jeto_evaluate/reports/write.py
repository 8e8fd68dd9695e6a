"""Where reports lie on disk, written whole or not at all. The only part of reports with I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from jeto_bench.errors import DecodeError, InputError, UsageError
from jeto_bench.files import write_atomically
from jeto_evaluate.calibration import HostCertificate
from jeto_evaluate.reports import decode
from jeto_evaluate.reports.encode import to_json
from jeto_evaluate.reports.instance import InstanceReport
from jeto_evaluate.reports.run import RunReport

__all__ = [
    "InstancePaths",
    "certificate_path",
    "check_run_id",
    "instance_paths",
    "models_of_run",
    "read_certificate",
    "read_instance_report",
    "read_instance_reports",
    "read_run_report",
    "run_report_path",
    "runs_of",
    "write_instance_report",
    "write_run_report",
]

_NAME = re.compile(r"[^/\x00-\x1f]+")
_LONGEST_NAME = 200  # bytes; file systems allow 255, and suffixes follow


@dataclass(frozen=True, kw_only=True, slots=True)
class InstancePaths:
    """The files of one instance.

    Attributes:
        directory: Holds them all.
        report: The instance's report.
        patch: The patch as applied, byte for byte.
        log: What happened, for people.
        samples: The raw times.
        confirmation: Those of the second stage.
    """

    directory: Path
    report: Path
    patch: Path
    log: Path
    samples: Path
    confirmation: Path


def instance_paths(logs: Path, *, run_id: str, model: str, instance_id: str) -> InstancePaths:
    """Return where SWE-bench users look: ``LOGS/run_evaluation/RUN/MODEL/INSTANCE/``.

    Raises:
        InputError: A name cannot be a directory.
    """
    directory = _model_directory(logs, run_id=run_id, model=model) / _component(instance_id)
    return InstancePaths(
        directory=directory,
        report=directory / "report.json",
        patch=directory / "patch.diff",
        log=directory / "run_instance.log",
        samples=directory / "samples.parquet",
        confirmation=directory / "confirmation.parquet",
    )


def check_run_id(run_id: str) -> str:
    """Return ``run_id`` if it can name a directory.

    Raises:
        UsageError: It cannot.
    """
    if "/" in run_id or run_id != run_id.strip():
        raise UsageError(f"run id {run_id!r} must not hold a slash or start or end with a blank")
    return _component(run_id)


def run_report_path(report_dir: Path, *, run_id: str, model: str, criteria_name: str = "") -> Path:
    """Return ``MODEL.RUN.json``, or ``MODEL.RUN.CRITERIA.json`` for a run judged again."""
    parts = [_component(model), check_run_id(run_id)]
    if criteria_name:
        parts.append(_component(criteria_name))
    return report_dir / f"{'.'.join(parts)}.json"


def write_instance_report(logs: Path, report: InstanceReport, *, run_id: str) -> Path:
    """Write an instance's ``report.json`` and return its path.

    Raises:
        InputError: A name cannot be a directory.
        OSError: The file cannot be written; an older one is unchanged.
    """
    paths = instance_paths(logs, run_id=run_id, model=report.model, instance_id=report.instance_id)
    write_atomically(paths.report, to_json(report).encode())
    return paths.report


def write_run_report(logs: Path, report_dir: Path, report: RunReport) -> Path:
    """Write ``MODEL.RUN.json`` in ``report_dir`` and a copy beside the run's logs.

    The copy, ``LOGS/run_evaluation/RUN/MODEL/run.json``, is what judging again starts from.

    Returns:
        The path in ``report_dir``.

    Raises:
        InputError: A name cannot be a file.
        OSError: A file cannot be written; an older one is unchanged.
    """
    data = to_json(report).encode()
    write_atomically(_copy_path(logs, run_id=report.run_id, model=report.model), data)
    path = run_report_path(report_dir, run_id=report.run_id, model=report.model)
    write_atomically(path, data)
    return path


def certificate_path(logs: Path) -> Path:
    """Return where ``calibrate`` writes what later reports of the same logs cite."""
    return logs / "host-certificate.json"


def read_certificate(logs: Path) -> HostCertificate | None:
    """Read the host's certificate; ``None`` if there is none.

    Raises:
        DecodeError: It is not of this version.
    """
    path = certificate_path(logs)
    return decode.certificate(_read(path), source=str(path)) if path.exists() else None


def read_instance_report(path: Path) -> InstanceReport:
    """Read one ``report.json``.

    Raises:
        DecodeError: No such file, or not a report of this version.
    """
    return decode.instance_report(_read(path), source=str(path))


def read_run_report(logs: Path, *, run_id: str, model: str) -> RunReport | None:
    """Return the run's report as it was written first; ``None`` if the run did not get so far.

    Raises:
        DecodeError: Not a report of this version.
    """
    path = _copy_path(logs, run_id=run_id, model=model)
    return decode.run_report(_read(path), source=str(path)) if path.exists() else None


def read_instance_reports(
    logs: Path, *, run_id: str, model: str
) -> tuple[tuple[InstancePaths, InstanceReport], ...]:
    """Return every finished instance of a model in a run, sorted by id, with its files.

    Raises:
        DecodeError: A report is not of this version, or lies in another instance's directory.
    """
    found = []
    for path in sorted(_model_directory(logs, run_id=run_id, model=model).glob("*/report.json")):
        report = read_instance_report(path)
        paths = instance_paths(logs, run_id=run_id, model=model, instance_id=report.instance_id)
        if paths.report != path:
            raise DecodeError(
                f"is the report of {report.instance_id}", source=str(path), field="instance_id"
            )
        found.append((paths, report))
    return tuple(found)


def models_of_run(logs: Path, run_id: str) -> tuple[str, ...]:
    """Return the directory names of the models of a run, sorted; empty if there is no such run."""
    return _folders(logs / "run_evaluation" / check_run_id(run_id))


def runs_of(logs: Path) -> tuple[str, ...]:
    """Return the names of the runs in a logs directory, sorted."""
    return _folders(logs / "run_evaluation")


def _folders(directory: Path) -> tuple[str, ...]:
    if not directory.is_dir():
        return ()
    return tuple(sorted(item.name for item in directory.iterdir() if item.is_dir()))


def _copy_path(logs: Path, *, run_id: str, model: str) -> Path:
    return _model_directory(logs, run_id=run_id, model=model) / "run.json"


def _model_directory(logs: Path, *, run_id: str, model: str) -> Path:
    return logs / "run_evaluation" / check_run_id(run_id) / _component(model)


def _component(name: str) -> str:
    """Return ``name`` as one path component, slashes written as two underscores."""
    component = name.replace("/", "__")
    try:
        length = len(component.encode())
    except UnicodeEncodeError:
        raise InputError(f"{name!r} cannot be part of a file name") from None
    if component in {".", ".."} or length > _LONGEST_NAME or not _NAME.fullmatch(component):
        raise InputError(f"{name!r} cannot be part of a file name")
    return component


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise DecodeError("no such file", source=str(path)) from None
