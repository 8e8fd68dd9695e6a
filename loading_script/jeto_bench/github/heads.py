"""Which files many repositories have on their default branches, 100 repositories per question."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jeto_bench.errors import ForgeError, UsageError
from jeto_bench.github.api import Api, ServerTroubleError
from jeto_bench.github.check import checked_name
from jeto_bench.github.queries import BATCH, alias, files_query
from jeto_bench.json_text import JsonValue, decode_line

__all__ = ["files_at_heads"]

_LOG: Final = logging.getLogger(__name__)
_ATTEMPTS: Final = 4


def files_at_heads(
    api: Api, repos: Sequence[str], paths: Sequence[str]
) -> Mapping[str, frozenset[str]]:
    """For each repository those of some paths that its default branch has.

    A repository that has vanished is missing from the answer.

    Raises:
        UsageError: A name is none, or a path is not plain.
        ForgeError: GitHub does not answer.
    """
    odd = [path for path in paths if not path.isascii() or {'"', "\\"} & set(path)]
    if odd:
        raise UsageError(f"{odd[0]!r} cannot be asked for", advice="Plain ASCII paths only.")
    known: dict[str, JsonValue] = {}
    missing = []
    for repo in dict.fromkeys(repos):
        kept = api.remember(_question(checked_name(repo), paths))
        if kept is None:
            missing.append(repo)
        else:
            known[repo] = decode_line(kept, source=repo, line=1)
    for start in range(0, len(missing), BATCH):
        known |= _ask(api, missing[start : start + BATCH], paths)
    answers = ((repo, known[repo]) for repo in dict.fromkeys(repos))
    return {repo: frozenset(found) for repo, found in answers if isinstance(found, list)}


def _ask(api: Api, repos: Sequence[str], paths: Sequence[str]) -> dict[str, JsonValue]:
    """Paths by repository, None for one that is not there; kept as soon as they are known."""
    found: dict[str, JsonValue] = {}
    wanted = list(repos)
    told = ""
    for _ in range(_ATTEMPTS):
        try:
            value: Any = api.graphql(files_query(wanted, paths))
        except ServerTroubleError:
            if len(wanted) == 1:
                raise
            _LOG.warning("GitHub: halving a query of %d repositories", len(wanted))
            half = len(wanted) // 2
            return found | _ask(api, wanted[:half], paths) | _ask(api, wanted[half:], paths)
        data = value.get("data") or {}
        failed = {}
        for error in value.get("errors") or ():
            place = error.get("path") or [""]
            if error.get("type") != "NOT_FOUND":
                failed[place[0]] = str(error.get("message"))
        again = []
        for number, repo in enumerate(wanted):
            name = f"r{number}"
            if name in failed or name not in data:
                again.append(repo)
                continue
            node = data[name]
            has = node and [path for n, path in enumerate(paths) if node.get(alias(n))]
            found[repo] = has
            api.keep(_question(repo, paths), json.dumps(has).encode())
        if not again:
            return found
        wanted, told = again, next(iter(failed.values()), "an answer without them")
    raise ForgeError(
        f"GitHub: files of {', '.join(wanted[:5])}: {told}",
        advice=f"Asked {_ATTEMPTS} times; what else was had is kept. Try later.",
    )


def _question(repo: str, paths: Sequence[str]) -> str:
    return f"graphql files {repo} {json.dumps(list(paths))}"
