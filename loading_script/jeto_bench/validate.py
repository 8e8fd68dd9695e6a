"""What a well-typed record must also satisfy. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from jeto_bench.records import EtipRecord, Tier

__all__ = ["JAVA_VERSIONS", "Problem", "check_record", "commit_problems", "name_problems"]

JAVA_VERSIONS = (8, 11, 17, 21, 25)

_NAME = r"[A-Za-z0-9._-]+"
_INSTANCE_ID = re.compile(rf"{_NAME}__{_NAME}-([1-9][0-9]*|[0-9a-f]{{7,40}})")
_LONGEST_ID = 200
"""Characters; ids become names of files, and owner and name on GitHub have 39 and 100."""
_REPO = re.compile(rf"[A-Za-z0-9]{_NAME[:-1]}*/(?!\.{{1,2}}$){_NAME}")
_SHA = re.compile(r"[0-9a-f]{40}")
_SHA_ADVICE = "Give the full SHA: git rev-parse COMMIT"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_IMAGE = re.compile(r"[a-z0-9][a-z0-9._:/-]*:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_MAVEN = re.compile(r"\d+\.\d+(\.\d+)?([.-][A-Za-z0-9.-]+)?", re.ASCII)
_CLASS = re.compile(r"[^\W\d][\w$]*(\.[^\W\d][\w$]*)*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """A field that is out of its domain, and what to do."""

    field: str
    message: str
    advice: str = ""


def check_record(record: EtipRecord) -> Problem | None:
    """Return the first problem of a record, ``None`` if there is none."""
    for check in _CHECKS:
        for problem in check(record):
            return problem
    return None


def name_problems(instance_id: str, repo: str) -> Iterator[Problem]:
    """Yield what is wrong with a row's names; they become names of files, images and clones."""
    if not _REPO.fullmatch(repo):
        yield Problem(
            field="repo", message=f"{repo!r} is not owner/name", advice="As GitHub spells it."
        )
    if len(instance_id) > _LONGEST_ID:
        yield Problem(field="instance_id", message=f"longer than {_LONGEST_ID} characters")
    elif not _INSTANCE_ID.fullmatch(instance_id):
        yield Problem(
            field="instance_id",
            message=f"{instance_id!r} is not owner__name-NUMBER",
            advice="NUMBER is the pull request, else the issue, else the short SHA of the fix.",
        )


def commit_problems(fix_commits: Sequence[str]) -> Iterator[Problem]:
    """Yield what is wrong with the commits of a fix; they become arguments of git."""
    if not fix_commits:
        yield Problem(field="fix_commits", message="empty", advice="Name the commits of the fix.")
    for n, sha in enumerate(fix_commits):
        if not _SHA.fullmatch(sha):
            yield Problem(
                field=f"fix_commits[{n}]", message="not 40 hex digits", advice=_SHA_ADVICE
            )


def _check_identity(record: EtipRecord) -> Iterator[Problem]:
    yield from name_problems(record.instance_id, record.repo)
    match = _INSTANCE_ID.fullmatch(record.instance_id)
    if match is None:
        return
    if not record.instance_id.startswith(record.repo.replace("/", "__") + "-"):
        yield Problem(field="instance_id", message=f"does not belong to repo {record.repo!r}")
    number = match.group(1)
    known = {str(n) for n in (record.pull_number, record.issue_number) if n is not None}
    if number not in known and not any(sha.startswith(number) for sha in record.fix_commits):
        yield Problem(
            field="instance_id",
            message=f"{number} is neither pull_number, issue_number nor a short SHA of the fix",
        )


def _check_commits(record: EtipRecord) -> Iterator[Problem]:
    if not _SHA.fullmatch(record.base_commit):
        yield Problem(field="base_commit", message="not 40 hex digits", advice=_SHA_ADVICE)
    yield from commit_problems(record.fix_commits)
    try:
        offset = datetime.fromisoformat(record.created_at).utcoffset()
    except ValueError:
        offset = None
    if offset != timedelta(0):
        yield Problem(
            field="created_at",
            message=f"{record.created_at!r} is not an ISO 8601 time in UTC",
            advice="For example 2024-05-06T07:08:09Z.",
        )


def _check_paths(record: EtipRecord) -> Iterator[Problem]:
    for name, paths in (("changed_files", record.changed_files), ("modules", record.modules)):
        for n, path in enumerate(paths):
            parts = path.split("/")
            if path != "." and ("" in parts or "." in parts or ".." in parts or "\0" in path):
                yield Problem(field=f"{name}[{n}]", message=f"{path!r} is not inside the tree")
        if len(set(paths)) != len(paths):
            yield Problem(field=name, message="a path is there twice")
    if list(record.changed_files) != sorted(record.changed_files):
        yield Problem(field="changed_files", message="not sorted")


def _check_surroundings(record: EtipRecord) -> Iterator[Problem]:
    unknown = record.tier is Tier.IDENTIFIED and record.java_version == 0
    if record.java_version not in JAVA_VERSIONS and not unknown:
        known = ", ".join(map(str, JAVA_VERSIONS))
        yield Problem(field="java_version", message=f"{record.java_version} is not one of {known}")
    if record.maven_version and not _MAVEN.fullmatch(record.maven_version):
        yield Problem(field="maven_version", message=f"{record.maven_version!r} is not a version")
    if record.image and not _IMAGE.fullmatch(record.image):
        yield Problem(field="image", message=f"{record.image!r} is not repository:tag")
    if record.image_digest and not _DIGEST.fullmatch(record.image_digest):
        yield Problem(field="image_digest", message="not sha256: and 64 hex digits")
    if not record.dataset_version:
        yield Problem(field="dataset_version", message="empty")
    if record.tier is Tier.IDENTIFIED:
        return
    for name in ("image", "maven_version", "test_command", "modules", "test_classes"):
        if not getattr(record, name):
            yield Problem(
                field=name,
                message=f"empty, which tier {record.tier.value!r} does not allow",
                advice="Fill it in, or set tier to 'identified'.",
            )


def _check_tests(record: EtipRecord) -> Iterator[Problem]:
    named = [(f"test_classes[{n}]", name) for n, name in enumerate(record.test_classes)]
    named += [
        (f"quarantined_tests[{n}].test_class", item.test_class)
        for n, item in enumerate(record.quarantined_tests)
    ]
    seen: set[str] = set()
    for field, name in named:
        if not _CLASS.fullmatch(name):
            yield Problem(field=field, message=f"{name!r} is not a Java class name")
        if name in seen:
            yield Problem(field=field, message=f"{name} is there twice")
        seen.add(name)
    for n, item in enumerate(record.detector_tests):
        field = f"detector_tests[{n}]"
        if item.test_class not in record.test_classes:
            yield Problem(
                field=f"{field}.test_class", message=f"{item.test_class} is not in test_classes"
            )
        if item.rounds < 1:
            yield Problem(field=f"{field}.rounds", message="less than 1")
        if not 0 <= item.wins <= item.rounds:
            yield Problem(field=f"{field}.wins", message=f"not between 0 and {item.rounds}")
        if not 0 <= item.p_value <= 1:
            yield Problem(field=f"{field}.p_value", message="not between 0 and 1")
        if not (math.isfinite(item.median_speedup) and item.median_speedup > 0):
            yield Problem(field=f"{field}.median_speedup", message="not a positive number")


def _check_verification(record: EtipRecord) -> Iterator[Problem]:
    if len(record.verification.labels) != len(record.verification.annotators):
        yield Problem(field="verification.labels", message="not one label per annotator")


_CHECKS: tuple[Callable[[EtipRecord], Iterator[Problem]], ...] = (
    _check_identity,
    _check_commits,
    _check_paths,
    _check_surroundings,
    _check_tests,
    _check_verification,
)
