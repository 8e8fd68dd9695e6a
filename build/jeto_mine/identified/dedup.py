"""Changes that are the same one, however often a history has it (field.md row 52). Pure.

Copies have one identity (``jeto_bench.patches.identity``): only what is changed counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["Change", "Group", "group_changes", "picked_from"]

_PICKED: Final = re.compile(r"\(cherry picked from commit ([0-9a-f]{40})\)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """What is compared.

    Attributes:
        name: Id of the change.
        commits: Its commits, 40 hex digits each.
        time: When it got into the history, seconds since 1970.
        issue: Issue that it closes.
        subject: First line of its message.
        identity: See ``jeto_bench.patches.identity``.
        picked: Commits that its message says it was picked from.
    """

    name: str
    commits: tuple[str, ...]
    time: int
    issue: int | None
    subject: str
    identity: str
    picked: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Changes that are one.

    Attributes:
        group_id: Identity of the representative.
        representative: The oldest; of several of one time, the first by name.
        others: The others, oldest first.
    """

    group_id: str
    representative: str
    others: tuple[str, ...]


def picked_from(message: str) -> tuple[str, ...]:
    """Return the commits that ``git cherry-pick -x`` noted."""
    return tuple(_PICKED.findall(message))


def group_changes(changes: Sequence[Change]) -> tuple[Group, ...]:
    """Group changes with one identity, and picks with what they were picked from.

    Small changes are alike by chance: two with one identity are the same only if they close the
    same issue or have the same first line, as a back-port with an issue of its own has. A pick may
    have been changed by hand; it counts as the same if both close the same issue. Changes that are
    alone are in no group.
    """
    parent = {change.name: change.name for change in changes}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    alike: dict[tuple[str, object], str] = {}
    by_commit: Mapping[str, Change] = {
        commit: change for change in changes for commit in change.commits
    }
    for change in changes:
        for also in (change.issue, change.subject):
            first = alike.setdefault((change.identity, also), change.name)
            parent[root(change.name)] = root(first)
        for commit in change.picked:
            origin = by_commit.get(commit)
            if origin is not None and origin.issue == change.issue:
                parent[root(change.name)] = root(origin.name)
    members: dict[str, list[Change]] = {}
    for change in changes:
        members.setdefault(root(change.name), []).append(change)
    groups = []
    for items in members.values():
        if len(items) > 1:
            first_item, *others = sorted(items, key=lambda item: (item.time, item.name))
            groups.append(
                Group(
                    group_id=first_item.identity,
                    representative=first_item.name,
                    others=tuple(item.name for item in others),
                )
            )
    return tuple(sorted(groups, key=lambda group: group.representative))
