"""From whatever names repositories to one list, with the reason for what is left out. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jeto_bench.github.model import Repository
from jeto_mine.repositories.criteria import Criteria, Drop

__all__ = ["Candidate", "Dropped", "Resolved", "resolve"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A repository that was named or found.

    Attributes:
        repo: ``owner/name``, as it was named.
        origin: What named it: ``search``, ``--repo``, a file, a clone.
        facts: What is known of it; None if nobody was asked.
        asked: GitHub or an export was asked; then None for facts means that it has vanished.
    """

    repo: str
    origin: str
    facts: Repository | None = None
    asked: bool = False

    @property
    def name(self) -> str:
        """Its name today, as far as that is known."""
        return self.repo if self.facts is None else self.facts.full_name


@dataclass(frozen=True, kw_only=True, slots=True)
class Dropped:
    """A repository that is left out.

    Attributes:
        repo: ``owner/name``, as it was named.
        origin: What named it.
        reason: Why.
        detail: What was seen; empty if the reason says it all.
    """

    repo: str
    origin: str
    reason: Drop
    detail: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolved:
    """The list.

    Attributes:
        kept: Each repository once, in the order named.
        dropped: The others, in that order too.
    """

    kept: tuple[Candidate, ...]
    dropped: tuple[Dropped, ...]

    def reasons(self) -> tuple[tuple[str, int], ...]:
        """How many were kept, and left out for each reason; they sum to what was named."""
        counts = Counter(item.reason for item in self.dropped)
        return (("kept", len(self.kept)), *((reason, counts[reason]) for reason in Drop))


def resolve(
    candidates: Iterable[Candidate],
    *,
    criteria: Criteria | None,
    files: Mapping[str, frozenset[str]] | None,
) -> Resolved:
    """Drop what has vanished, is there twice, or does not meet the criteria.

    Args:
        candidates: In order; of two of the same repository the first stays.
        criteria: None to take what is named as it is.
        files: Files of a wrapper by name of the repository, if they were looked for; one that is
            missing has vanished.
    """
    kept: dict[object, Candidate] = {}
    dropped: list[Dropped] = []
    for item in candidates:
        facts = item.facts
        if facts is None and item.asked:
            dropped.append(_dropped(item, Drop.VANISHED))
            continue
        # The number stays when a repository is renamed.
        key: object = item.repo.casefold() if facts is None else facts.database_id
        same = kept.get(key) or kept.get(item.name.casefold())
        if same is not None:
            dropped.append(_dropped(item, Drop.TWICE, f"it is {same.repo} ({same.origin})"))
            continue
        if criteria is not None and facts is not None:
            if files is not None and facts.full_name not in files:
                dropped.append(_dropped(item, Drop.VANISHED))
                continue
            found = None if files is None else files[facts.full_name]
            reason = criteria.refusal(facts, found)
            if reason is not None:
                dropped.append(_dropped(item, reason, _seen(reason, facts)))
                continue
        kept[key] = item
        kept.setdefault(item.name.casefold(), item)
    unique = tuple(dict.fromkeys(kept.values()))
    return Resolved(kept=unique, dropped=tuple(dropped))


def _dropped(item: Candidate, reason: Drop, detail: str = "") -> Dropped:
    return Dropped(repo=item.repo, origin=item.origin, reason=reason, detail=detail)


def _seen(reason: Drop, facts: Repository) -> str:
    return {
        Drop.LANGUAGE: facts.language,
        Drop.STARS: str(facts.stars),
        Drop.NOT_UPDATED: facts.pushed_at,
    }.get(reason, "")
