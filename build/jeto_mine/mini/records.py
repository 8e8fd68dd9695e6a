"""Builds the record of a mini ETIP from its source, its history and what was measured."""

from __future__ import annotations

from collections.abc import Sequence

from jeto_bench.decode import decode_record
from jeto_bench.encode import record_to_dict
from jeto_bench.patches import changed_paths, parse_patch
from jeto_bench.records import DetectorTest, EtipRecord, QuarantinedTest, Tier, Verification
from jeto_mine.mini.history import History
from jeto_mine.mini.sources import MiniSource

__all__ = ["DATASET_VERSION", "build_record", "image_tag", "test_command"]

DATASET_VERSION = "0.1.0"


def build_record(
    source: MiniSource,
    history: History,
    *,
    test_classes: Sequence[str],
    detector_tests: Sequence[DetectorTest],
    quarantined_tests: Sequence[QuarantinedTest] = (),
) -> EtipRecord:
    """Return the record, checked as if it came from outside.

    Args:
        source: What the author wrote.
        history: The repository made of it.
        test_classes: Classes that pass on base and reference in every round.
        detector_tests: Classes whose time tells the versions apart.
        quarantined_tests: Classes left out.

    Raises:
        DecodeError: The record does not follow the schema.
    """
    facts = source.facts
    record = EtipRecord(
        instance_id=facts.instance_id,
        repo=facts.repo,
        base_commit=history.base_commit,
        fix_commits=(history.fix_commit,),
        pull_number=facts.pull_number,
        issue_number=facts.issue_number,
        created_at=facts.created_at,
        problem_statement=source.problem_statement,
        hints_text="",
        commit_message=facts.commit_message,
        patch=history.patch.decode("utf-8"),
        test_patch="",
        changed_files=changed_paths(parse_patch(history.patch), 1),
        modules=facts.modules,
        java_version=facts.java_version,
        maven_version=facts.maven_version,
        image=image_tag(source),
        image_digest="",
        test_command=test_command(facts.modules),
        test_classes=tuple(sorted(test_classes)),
        quarantined_tests=tuple(sorted(quarantined_tests, key=lambda item: item.test_class)),
        detector_tests=tuple(sorted(detector_tests, key=lambda item: item.test_class)),
        tier=Tier.EXECUTABLE
        if test_classes
        else Tier.IDENTIFIED,  # "verified" is for what people other than the author looked at
        verification=Verification(),
        repo_stars=None,
        repo_license=facts.license,
        dataset_version=DATASET_VERSION,
    )
    return decode_record(record_to_dict(record), source=source.slug)


def image_tag(source: MiniSource) -> str:
    """Return ``repository:tag`` of the instance image."""
    return f"jeto-bench/{source.slug}:{DATASET_VERSION}"


def test_command(modules: Sequence[str]) -> str:
    """Return what a developer would type to run the measured tests."""
    several = list(modules) != ["."]
    return "./mvnw -B -o test" + (f" -pl {','.join(modules)}" if several else "")
