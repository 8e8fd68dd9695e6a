"""Labels of issues in a file: of people, of the paper, or what another classifier answered.

JSONL; each line is one of

- ``{"ref": {"repo", "number"}, "label": "yes" | "no" | "unsure"}``, with ``reason`` and whatever
  else a ``Classification`` has;
- ``{"repo", "issue_number", "truth": true | false}``, with ``source``, as the paper's authors'.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jeto_bench.convert import Where, convert
from jeto_bench.errors import InputError
from jeto_bench.github.check import REPOSITORY_NAME
from jeto_bench.github.model import IssueRef
from jeto_bench.json_text import JsonValue, object_lines
from jeto_mine.classifiers.protocol import Classification, IssueText, Label

__all__ = ["LabelFile", "Labelled", "read_labels"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Labelled:
    """A label.

    Attributes:
        ref: Which issue; its repository in lower case.
        label: The label.
        reason: Why; may be empty.
        source: Which part of the file it belongs to; may be empty.
    """

    ref: IssueRef
    label: Label
    reason: str = ""
    source: str = ""


class LabelFile:
    """A classifier that knows only what a file says."""

    def __init__(self, path: Path) -> None:
        """Read a file.

        Raises:
            DecodeError: It is not in one of the two forms, or contradicts itself.
        """
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}") from error
        self._labels = {item.ref: item for item in read_labels(data, source=str(path))}
        self._path = path
        self._name = f"labels-{hashlib.sha256(data).hexdigest()[:12]}"

    @property
    def name(self) -> str:
        """Names the file's content."""
        return self._name

    def classify(self, issues: Sequence[IssueText]) -> Iterator[Classification]:
        """Answer for each issue; unsure if the file does not have it."""
        for issue in issues:
            known = self._labels.get(folded(issue.ref))
            yield Classification(
                ref=issue.ref,
                label=Label.UNSURE if known is None else known.label,
                reason=f"not in {self._path.name}" if known is None else known.reason,
                classifier=self._name,
            )


def read_labels(data: bytes, *, source: str) -> tuple[Labelled, ...]:
    """Return labels in their order, each issue once; lines without an issue are passed over.

    Raises:
        DecodeError: A line is in neither form, or says of an issue what another denies.
    """
    found: dict[IssueRef, tuple[int, Labelled]] = {}
    for line, value in object_lines(data, source=source):
        where = Where(source=source, line=line)
        item = _theirs(value, where) if "truth" in value else _ours(value, where)
        if item is None:
            continue
        before = found.setdefault(item.ref, (line, item))
        if before[1].label is not item.label:
            where.fail(
                f"{item.ref.repo}#{item.ref.number} is {item.label}, and "
                f"{before[1].label} in line {before[0]}",
                "",
                advice="Remove one of the two.",
            )
    return tuple(item for _, item in found.values())


def folded(ref: IssueRef) -> IssueRef:
    """A reference that is equal however the repository's name is written."""
    return IssueRef(repo=ref.repo.casefold(), number=ref.number)


def _ours(value: dict[str, JsonValue], where: Where) -> Labelled | None:
    for name in ("ref", "label"):
        if name not in value:
            where.fail(
                f"missing field {name}", name, advice='{"ref": {"repo", "number"}, "label": "yes"}'
            )
    ref: IssueRef = convert(value["ref"], IssueRef, where, "ref")
    return Labelled(
        ref=_checked(ref, where, "ref.repo"),
        label=convert(value["label"], Label, where, "label"),
        reason=convert(value.get("reason", ""), str, where, "reason"),
        source=convert(value.get("classifier", ""), str, where, "classifier"),
    )


def _theirs(value: dict[str, JsonValue], where: Where) -> Labelled | None:
    number = value.get("issue_number")
    if number is None:
        return None
    ref = IssueRef(
        repo=convert(value.get("repo"), str, where, "repo"),
        number=convert(number, int, where, "issue_number"),
    )
    truth = convert(value["truth"], bool, where, "truth")
    return Labelled(
        ref=_checked(ref, where, "repo"),
        label=Label.YES if truth else Label.NO,
        source=convert(value.get("source", ""), str, where, "source"),
    )


def _checked(ref: IssueRef, where: Where, field: str) -> IssueRef:
    if not REPOSITORY_NAME.fullmatch(ref.repo):
        where.fail(f"{ref.repo!r} is no name of a repository", field, advice="owner/name")
    return folded(ref)
