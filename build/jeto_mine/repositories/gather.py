"""Asks GitHub for what names do not tell: a search, files of the wrapper. Needs ``httpx``."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from jeto_bench.github.client import GitHubClient
from jeto_bench.github.found import Found
from jeto_bench.github.heads import files_at_heads
from jeto_bench.github.search import Search
from jeto_mine.repositories.criteria import WRAPPER_FILES, Criteria
from jeto_mine.repositories.resolve import Candidate

__all__ = ["search_for", "wrapper_files"]


def search_for(
    criteria: Criteria, client: GitHubClient, folder: Path, *, anew: bool = False
) -> Found:
    """Search GitHub.

    Args:
        criteria: What to search for.
        client: What is asked.
        folder: How far searches are, each in a folder of its own.
        anew: Begin again, also if the same search is finished or under way.
    """
    query = criteria.query()
    place = folder / hashlib.sha256(query.encode()).hexdigest()[:12]
    if anew:
        shutil.rmtree(place, ignore_errors=True)
    return Search(client.api, query, place).run()


def wrapper_files(
    candidates: Sequence[Candidate], client: GitHubClient
) -> Mapping[str, frozenset[str]]:
    """Files of a Maven wrapper by name of the repository; vanished ones are missing."""
    names = [item.facts.full_name for item in candidates if item.facts is not None]
    return files_at_heads(client.api, names, WRAPPER_FILES)
