"""A repository that is asked in place of all others while images are built (field.md row 96)."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

from jeto_bench.errors import ImageError, UsageError

__all__ = ["MIRROR", "RepositoryMirror", "refuse_other_sources"]

MIRROR: Final = "jeto-mirror"
"""Its id, by which Maven's log tells what came from it."""

_DOWNLOADED: Final = re.compile(r"^.*Downloaded from (\S+?): (\S+)", re.MULTILINE)
_CACHE: Final = "jeto-cache"


@dataclass(frozen=True, kw_only=True, slots=True)
class RepositoryMirror:
    """Where all artifacts and Maven itself are asked for instead.

    Attributes:
        url: Without credentials, with its path.
        username: Empty if it wants none.
        password: Likewise.
    """

    url: str
    username: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def parse(cls, text: str) -> RepositoryMirror:
        """Read ``https://user:password@host/path``.

        Raises:
            UsageError: No URL of a server.
        """
        parts = urlsplit(text)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise UsageError("--mirror: not an http or https URL")
        host = parts.netloc.rpartition("@")[2]
        return cls(
            url=f"{parts.scheme}://{host}{parts.path.rstrip('/')}",
            username=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
        )

    def environment(self) -> bytes:
        """Shell commands after which a wrapper asks the mirror for Maven."""
        values = {
            "MVNW_REPOURL": self.url,
            "MVNW_USERNAME": self.username,
            "MVNW_PASSWORD": self.password,
        }
        return "".join(
            f"export {name}={shlex.quote(value)}\n" for name, value in values.items() if value
        ).encode()


def refuse_other_sources(said: str) -> None:
    """Refuse downloads from elsewhere than the mirror or the cache.

    Args:
        said: What Maven printed.

    Raises:
        ImageError: There are some.
    """
    found = set(_DOWNLOADED.findall(said))
    strange = sorted(url for name, url in found if name not in {MIRROR, _CACHE})
    if strange:
        raise ImageError(
            f"--mirror is not used for {strange[0]} and {len(strange) - 1} more",
            advice="Does the project's own .mvn name settings that go before it?",
        )
