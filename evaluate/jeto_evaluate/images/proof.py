"""The offline proof: an image counts only after both versions passed their tests without network.

It runs in a new container of the image under an evaluation's own limits, so that what only worked
because of the network, of root, or of a file left over from the build shows here and not in a
submitter's run (field.md rows 33, 43, 85, 95).
"""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

import docker

from jeto_bench.errors import ImageError
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.launcher_files import script
from jeto_evaluate.images.rooms import Limits, open_workshop
from jeto_evaluate.images.steps import RUNNING, add_own_tests, apply_reference, module_arguments
from jeto_evaluate.images.workshop import STAGE, Workshop
from jeto_evaluate.own_tests import other_classes
from jeto_evaluate.surefire import ClassReport, RoundReport, read_round

__all__ = ["PROVING", "Limits", "Survey", "check_reports", "prove", "survey"]

PROVING: Final = "the offline proof"
"""Name of the step that looks at the image, before any test is run in it."""
_TEST_SECONDS = 1800
_COLLECT = (
    "cd /jeto/repo && find . -path '*/target/surefire-reports/TEST-*.xml' -type f | tar -cf - -T -"
)


class Survey(NamedTuple):
    """Rounds of both versions, offline, whatever they show; ``own``: with the fix's own tests."""

    base: tuple[RoundReport, ...]
    reference: tuple[RoundReport, ...]
    own: tuple[RoundReport, ...] = ()


def survey(
    client: docker.DockerClient,
    record: EtipRecord,
    image: str,
    *,
    maven_command: str,
    limits: Limits,
    log_path: Path,
    rounds: int,
) -> Survey:
    """Run base and reference offline, as a proof does, and report what the modules' tests do.

    Args:
        client: The engine.
        record: Gives modules and reference.
        image: The image.
        maven_command: What starts Maven in it.
        limits: Those of an evaluation.
        log_path: Where output is appended.
        rounds: How often each version runs.

    Raises:
        ImageError: A version does not build, or its tests run into the deadline.
    """
    with open_workshop(
        client, image, log_path=log_path, subject=record.instance_id, isolated=limits
    ) as workshop:
        _stage(workshop, record)
        base = [_chosen_modules(workshop, record, maven_command, "base") for _ in range(rounds)]
        apply_reference(workshop)
        changed = [
            _chosen_modules(workshop, record, maven_command, "reference") for _ in range(rounds)
        ]
        own: list[RoundReport] = []
        if record.test_patch:
            add_own_tests(workshop)
            own = [
                _chosen_modules(workshop, record, maven_command, "reference") for _ in range(rounds)
            ]
    return Survey(base=tuple(base), reference=tuple(changed), own=tuple(own))


def prove(
    client: docker.DockerClient,
    record: EtipRecord,
    image: str,
    *,
    maven_command: str,
    limits: Limits,
    log_path: Path,
) -> tuple[RoundReport, RoundReport]:
    """Run base and reference offline in a new container of ``image``.

    Returns:
        The reports of base and of reference.

    Raises:
        ImageError: Something does not hold; the message says what, and names the log.
    """
    with open_workshop(
        client, image, log_path=log_path, subject=record.instance_id, isolated=limits
    ) as workshop:
        _stage(workshop, record)
        facts = [maven_command, record.maven_version, *record.fix_commits]
        workshop.must(PROVING, ["sh", f"{STAGE}/prove.sh", *facts], seconds=120)
        base = _round(workshop, record, maven_command, "base", log_path)
        apply_reference(workshop)
        reference = _round(workshop, record, maven_command, "reference", log_path)
    return base, reference


def _stage(workshop: Workshop, record: EtipRecord) -> None:
    workshop.put({name: script(name) for name in ("prove.sh", "test.sh")})
    patches = {"reference.patch": record.patch, "tests.patch": record.test_patch}
    workshop.put({name: text.encode("utf-8", "surrogateescape") for name, text in patches.items()})


def _play(workshop: Workshop, record: EtipRecord, command: str, version: str) -> dict[str, bytes]:
    argv = ["sh", f"{STAGE}/test.sh", command, "-B", "-o", *module_arguments(record)]
    workshop.must(f"{RUNNING} {version}'s tests offline", argv, seconds=_TEST_SECONDS)
    return _reports(workshop)


def _chosen_modules(
    workshop: Workshop, record: EtipRecord, command: str, version: str
) -> RoundReport:
    """Tests of modules that are only built along are run and do not count."""
    folders = {"target" if module == "." else f"{module}/target" for module in record.modules}
    return read_round(
        {
            path: data
            for path, data in _play(workshop, record, command, version).items()
            if path.partition("/surefire-reports/")[0] in folders
        }
    )


def _round(
    workshop: Workshop, record: EtipRecord, command: str, version: str, log_path: Path
) -> RoundReport:
    report = read_round(_play(workshop, record, command, version))
    problem = check_reports(report, replace(record, test_classes=other_classes(record)))
    if problem:
        raise ImageError(
            f"{record.instance_id}: {version} does not pass its tests offline: {problem}",
            advice=f"The whole output is in {log_path}.",
        )
    return report


def _reports(workshop: Workshop) -> dict[str, bytes]:
    buffer = io.BytesIO()
    workshop.stream(["sh", "-c", _COLLECT], buffer, user="jeto")
    buffer.seek(0)
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=buffer) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                found[str(PurePosixPath(member.name))] = content.read()
    return found


def check_reports(report: RoundReport, record: EtipRecord) -> str:
    """What keeps a round from passing; empty if nothing does.

    A record without ``test_classes`` (one that is being made) must pass every class that is not
    quarantined, and must have one; else exactly the listed ones must be there and pass.
    """
    quarantined = {test.test_class for test in record.quarantined_tests}
    found = {one.test_class: one for one in report.classes}
    wanted = record.test_classes or tuple(sorted(set(found) - quarantined))
    if not wanted:
        return "no test ran"
    missing = [name for name in wanted if name not in found]
    if missing:
        return f"no report for {', '.join(missing[:5])}"
    for name in wanted:
        broken = _broken(found[name])
        if broken:
            return broken
    if report.degraded and not record.test_classes:
        path, why = report.degraded[0]
        return f"{path}: {why}"
    return ""


def _broken(report: ClassReport) -> str:
    for case in report.cases:
        if case.broken:
            return f"{report.test_class}.{case.name}: {case.message or case.status}"
    return "" if report.cases else f"{report.test_class} has no case"
