"""Plain HTTP repositories, which Maven blocks from 3.8.1 on, asked by HTTPS instead. Pure.

Field.md row 87. Where a parent outside the tree names one, only Maven's message tells.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from jeto_mine.executable.pom import Project

__all__ = ["blocked_mirrors", "https_mirrors"]

_BLOCKED: Final = re.compile(r"Blocked mirror for repositor(?:y|ies): \[([^\]]*)\]")
_ENTRY: Final = re.compile(r"([^\s,()]+) \((http://[^\s,)]+)")
_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def https_mirrors(project: Project) -> dict[str, str]:
    """Return HTTPS addresses by the ids of the tree's plain HTTP repositories."""
    named = {
        repository.identifier: repository.url
        for pom in project.poms.values()
        for repository in pom.repositories
    }
    return _by_https(named)


def blocked_mirrors(log: str) -> dict[str, str]:
    """Return HTTPS addresses by the ids of the repositories that Maven says it blocked.

    Args:
        log: What Maven printed.
    """
    return _by_https(
        {
            entry[1]: entry[2]
            for blocked in _BLOCKED.finditer(log)
            for entry in _ENTRY.finditer(blocked[1])
        }
    )


def _by_https(urls: Mapping[str, str]) -> dict[str, str]:
    return {
        identifier: f"https://{url.removeprefix('http://')}"
        for identifier, url in urls.items()
        # Maven lets this machine's own addresses through.
        if identifier and url.startswith("http://") and urlsplit(url).hostname not in _HERE
    }
