"""The offline proof: an image counts only after both versions passed their tests without network.

It runs in a new container of the image under an evaluation's own limits, so that what only worked
because of the network, of root, or of a file left over from the build shows here and not in a
submitter's run (field.md rows 33, 43, 85, 95).
"""

from __future__ import annotations

import io
import tarfile
from pathlib import Path, PurePosixPath

import docker

from jeto_bench.errors import ImageError
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.launcher_files import script
from jeto_evaluate.images.rooms import Limits, open_workshop
from jeto_evaluate.images.steps import module_arguments
from jeto_evaluate.images.workshop import STAGE, Workshop
from jeto_evaluate.surefire import ClassReport, RoundReport, read_round

__all__ = ["Limits", "check_reports", "prove"]

_TEST_SECONDS = 1800
_COLLECT = (
    "cd /jeto/repo && find . -path '*/target/surefire-reports/TEST-*.xml' -type f | tar -cf - -T -"
)


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
        for name in ("prove.sh", "test.sh"):
            workshop.put({name: script(name)})
        workshop.put({"reference.patch": record.patch.encode("utf-8", "surrogateescape")})
        facts = [maven_command, record.maven_version, *record.fix_commits]
        workshop.must("the offline proof", ["sh", f"{STAGE}/prove.sh", *facts], seconds=120)
        base = _round(workshop, record, maven_command, "base", log_path)
        apply = f"cd /jeto/repo && git apply --whitespace=nowarn {STAGE}/reference.patch"
        workshop.must("applying the reference", ["sh", "-c", apply])
        reference = _round(workshop, record, maven_command, "reference", log_path)
    return base, reference


def _round(
    workshop: Workshop, record: EtipRecord, command: str, version: str, log_path: Path
) -> RoundReport:
    argv = ["sh", f"{STAGE}/test.sh", command, "-B", "-o", *module_arguments(record)]
    workshop.must(f"{version}: the offline run", argv, seconds=_TEST_SECONDS)
    report = read_round(_reports(workshop))
    problem = check_reports(report, record)
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
