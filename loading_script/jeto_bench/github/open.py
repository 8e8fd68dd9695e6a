"""One way to open GitHub's API or an export, for every command."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jeto_bench.errors import UsageError
from jeto_bench.github.cache import Cache
from jeto_bench.github.local import LocalStore
from jeto_bench.github.source import GitHubSource
from jeto_bench.github.token import Token

if TYPE_CHECKING:
    from jeto_bench.github.client import GitHubClient

__all__ = ["BASE_URL_VARIABLE", "open_api", "open_source"]

BASE_URL_VARIABLE: Final = "GITHUB_API_URL"
"""Environment variable with the root of the REST API; by default GitHub's own."""


def open_source(
    *, local: Path | None, cache: Path, environ: Mapping[str, str], fresh_for: float | None = None
) -> GitHubSource:
    """The export in a folder if one is given, else the API.

    Args:
        local: Folder of an export.
        cache: Folder for answers of the API; made when first needed.
        environ: Environment, for the token and the address.
        fresh_for: Seconds for which cached answers are taken unasked; by default a day.
    """
    if local is not None:
        return LocalStore(local)
    return open_api(cache=cache, environ=environ, fresh_for=fresh_for)


def open_api(
    *, cache: Path, environ: Mapping[str, str], fresh_for: float | None = None
) -> GitHubClient:
    """GitHub's API, or an Enterprise server's.

    Raises:
        UsageError: ``httpx`` is not installed, or the address is none.
    """
    try:
        from jeto_bench.github.api import API, DAY_S, Api  # noqa: PLC0415  # needs the extra
        from jeto_bench.github.client import GitHubClient as Client  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise UsageError(
            f"GitHub's API needs {error.name}", advice="pip install 'jeto-bench[github]'"
        ) from error
    return Client(
        Api(
            cache=Cache(cache),
            token=Token.from_environment(environ),
            base_url=environ.get(BASE_URL_VARIABLE) or API,
            fresh_for=DAY_S if fresh_for is None else fresh_for,
        )
    )
