"""Repositories that the user named, and their facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jeto_bench.github.source import GitHubSource
from jeto_mine.repositories.clones import repository_of_clone
from jeto_mine.repositories.listing import read_list
from jeto_mine.repositories.resolve import Candidate

__all__ = ["Named", "candidates_of", "with_facts"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """What the user named.

    Attributes:
        repos: ``owner/name``.
        lists: Files of names or facts.
        clones: Clones on this machine.
    """

    repos: tuple[str, ...] = ()
    lists: tuple[Path, ...] = ()
    clones: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.repos or self.lists or self.clones)


def candidates_of(named: Named) -> Iterator[Candidate]:
    """Yield what the user named, in order: single ones, lists, clones."""
    for repo in named.repos:
        for name, _ in read_list(repo.encode(), source="--repo"):
            yield Candidate(repo=name, origin="--repo")
    for path in named.lists:
        for name, facts in read_list(path.read_bytes(), source=str(path)):
            yield Candidate(repo=name, origin=str(path), facts=facts)
    for clone in named.clones:
        yield Candidate(repo=repository_of_clone(clone), origin=str(clone))


def with_facts(candidates: Sequence[Candidate], source: GitHubSource) -> Iterator[Candidate]:
    """Yield candidates with facts, asking for those that have none."""
    for item in candidates:
        if item.facts is not None:
            yield item
        else:
            yield replace(item, facts=source.repository(item.repo), asked=True)
