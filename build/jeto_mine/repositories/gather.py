"""Asks GitHub for what names do not tell: a search, files of the wrapper. Needs ``httpx``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from jeto_bench.github.client import GitHubClient
from jeto_bench.github.heads import files_at_heads
from jeto_bench.github.search import Found, Search
from jeto_mine.repositories.criteria import WRAPPER_FILES, Criteria
from jeto_mine.repositories.resolve import Candidate

__all__ = ["search_for", "wrapper_files"]


def search_for(criteria: Criteria, client: GitHubClient, folder: Path) -> Found:
    """Search GitHub; ``folder`` holds how far it is."""
    return Search(client.api, criteria.query(), folder).run()


def wrapper_files(
    candidates: Sequence[Candidate], client: GitHubClient
) -> Mapping[str, frozenset[str]]:
    """Files of a Maven wrapper by name of the repository; vanished ones are missing."""
    names = [item.facts.full_name for item in candidates if item.facts is not None]
    return files_at_heads(client.api, names, WRAPPER_FILES)
