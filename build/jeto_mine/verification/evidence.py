"""What an annotator is shown of a record besides issue and diff. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from jeto_bench.records import DetectorTest, EtipRecord, Favours

__all__ = ["Evidence", "evidence_of"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """A record in short phrases, nothing escaped.

    Attributes:
        title: First line of the issue, else of the commit message.
        issue: The issue's text below the title; empty if there is none.
        message: Commit message.
        facts: (name, value): repository, commits, files, modules, tests.
        detectors: (class, verdict, criteria, pairs, p, speedup) of each detector.
        diff: Lines of the developers' diff.
    """

    title: str
    issue: str
    message: str
    facts: tuple[tuple[str, str], ...]
    detectors: tuple[tuple[str, str, str, str, str, str], ...]
    diff: tuple[str, ...]


def evidence_of(record: EtipRecord) -> Evidence:
    """Return what is shown of a record."""
    source = record.problem_statement.strip() or record.commit_message.strip()
    title, _, below = source.partition("\n")
    facts = [
        ("Repository", record.repo),
        ("Fix", ", ".join(sha[:12] for sha in record.fix_commits)),
        ("Date", record.created_at[:10]),
    ]
    if record.issue_number is not None:
        facts.append(("Issue", f"#{record.issue_number}"))
    if record.pull_number is not None:
        facts.append(("Pull request", f"#{record.pull_number}"))
    facts.append(("Files", "\n".join(record.changed_files)))
    if record.modules:
        facts.append(("Modules measured", ", ".join(record.modules)))
    if record.test_classes:
        left = len(record.quarantined_tests)
        facts.append(("Test classes", f"{len(record.test_classes)}, {left} left out"))
    return Evidence(
        title=title or record.instance_id,
        issue=below.strip() if record.problem_statement.strip() else "",
        message=record.commit_message.strip(),
        facts=tuple(facts),
        detectors=tuple(_detector(item) for item in record.detector_tests),
        diff=tuple(record.patch.rstrip("\n").split("\n")) if record.patch else (),
    )


def _detector(item: DetectorTest) -> tuple[str, str, str, str, str, str]:
    faster = item.favours is Favours.REFERENCE
    return (
        item.test_class,
        "faster after the fix" if faster else "slower after the fix",
        item.criteria.value,
        f"{item.wins} of {item.rounds}",
        f"{item.p_value:.2g}",
        f"{item.median_speedup:.2f}x",
    )
