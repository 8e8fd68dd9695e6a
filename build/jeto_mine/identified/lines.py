"""Which commits are judged by themselves, and which belong to a merge. Pure.

Every commit that the default branch reaches is judged exactly once (field.md row 109):

- A commit on the *line* (the first parents from the tip on) is judged by its difference to its
  first parent.
- A merge on the line whose difference passes the criteria is one *unit*: the commits that it
  brought belong to it. So is every merge of a pull request, passing or not: what a pull request
  as a whole does not pass, its commits do not either.
- Any other merge joins branches (a release branch merged forward, a pull): it is *opened*. Its
  other parents are on the line too, and so on from there. So are merges that only bring a branch
  up to date, whatever their difference.

A commit that both a line and a unit reach is on the line; one that several units reach belongs to
the oldest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from jeto_mine.identified.entries import Entry
from jeto_mine.identified.linking import pull_of_subject

__all__ = ["LINE", "Lines", "brings_up_to_date", "is_pull_merge"]

LINE: Final = -1
"""The place of a commit that is judged by itself; others belong to a unit, numbered from 0."""

_UPDATE: Final = re.compile(
    rb"Merge (?:remote[- ]tracking )?branch(?:es)? ['\"]?(?:refs/)?(?:remotes/)?"
    rb"(?:[\w.-]+/)?(?:main|master|develop|development|dev|trunk)\b|Merge remote[- ]tracking branch"
    rb"|Merge branch '[^']*' of "
)


def is_pull_merge(entry: Entry) -> bool:
    """Say whether a merge is GitHub's of a pull request, by its message."""
    subject = entry.message.lstrip().partition(b"\n")[0].decode("utf-8", "replace")
    return pull_of_subject(subject, merge=True) is not None


def brings_up_to_date(entry: Entry) -> bool:
    """Say whether a merge brings others' work into a branch: a pull, or the main branch."""
    return _UPDATE.match(entry.message.lstrip()) is not None


@dataclass(kw_only=True, slots=True)
class Lines:
    """Follows a history whose commits come before their parents; holds only the frontier.

    Attributes:
        tip: Where the history begins.
        passes: Says whether a merge's difference to its first parent may be an ETIP.
    """

    tip: bytes
    passes: Callable[[Entry], bool]
    units: int = 0
    _places: dict[bytes, int] = field(default_factory=dict)

    def place(self, entry: Entry) -> tuple[int, int | None]:
        """Return where a commit is, and which unit it is, if it is one.

        Returns:
            ``LINE`` or the unit that it belongs to; the number of the unit that it is itself.
        """
        commit = entry.commit
        place = self._places.pop(commit, LINE)
        parents = entry.parents.split()
        if place != LINE:
            for parent in parents:
                self._reach(parent, place)
            return place, None
        if len(parents) < 2:  # noqa: PLR2004  # a merge has two
            for parent in parents:
                self._places[parent] = LINE
            return LINE, None
        self._places[parents[0]] = LINE
        unit = self._unit(entry)
        for parent in parents[1:]:
            if unit is None:
                self._places[parent] = LINE
            else:
                self._reach(parent, unit)
        return LINE, unit

    def _unit(self, entry: Entry) -> int | None:
        if not is_pull_merge(entry) and (brings_up_to_date(entry) or not self.passes(entry)):
            return None
        self.units += 1
        return self.units - 1

    def _reach(self, commit: bytes, unit: int) -> None:
        known = self._places.get(commit, unit)
        self._places[commit] = LINE if known == LINE else max(known, unit)
