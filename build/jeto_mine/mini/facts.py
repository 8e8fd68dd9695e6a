"""``etip.toml``: what is known of a mini ETIP besides code, issue and patches."""

from __future__ import annotations

import tomllib
from dataclasses import MISSING, dataclass, fields
from datetime import UTC, datetime

from jeto_bench.convert import Where, convert
from jeto_bench.errors import DecodeError

__all__ = ["Facts", "read_facts"]

_ADDRESS = "dev@jeto-bench.invalid"


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """Content of ``etip.toml``; the names are those of a record where it has the field.

    Attributes:
        author: ``Name <address>``, author of both commits; a bare name gets a neutral address.
        created_at: Time of the fix, ISO 8601 in UTC.
        license: SPDX id of the project.
    """

    instance_id: str
    repo: str
    issue_number: int
    created_at: str
    author: str
    java_version: int
    maven_version: str
    modules: tuple[str, ...]
    commit_message: str
    license: str
    pull_number: int | None = None

    @property
    def fixed_at(self) -> datetime:
        """Return ``created_at`` as a time."""
        return datetime.fromisoformat(self.created_at)


def read_facts(data: bytes, *, source: str) -> Facts:
    """Return the facts of one mini ETIP.

    Raises:
        DecodeError: Not TOML, or a key is missing, unknown or of the wrong type.
    """
    try:
        values: dict[str, object] = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DecodeError(f"not TOML: {error}", source=source) from error
    created = values.get("created_at")
    if isinstance(created, datetime):  # TOML has times of its own; both spellings are welcome
        utc = created.astimezone(UTC) if created.tzinfo else created.replace(tzinfo=UTC)
        values["created_at"] = utc.strftime("%Y-%m-%dT%H:%M:%SZ")
    for item in fields(Facts):
        if item.default is not MISSING:
            values.setdefault(item.name, item.default)
    author = values.get("author")
    if isinstance(author, str) and author.strip() and "<" not in author:
        values["author"] = f"{author.strip()} <{_ADDRESS}>"
    facts: Facts = convert(values, Facts, Where(source=source, line=None), "")
    name, _, address = facts.author.partition(" <")
    if not name or not address.endswith(">"):
        raise DecodeError("not 'Name <address>'", source=source, field="author")
    try:
        aware = facts.fixed_at.tzinfo is not None
    except ValueError:
        aware = False
    if not aware:
        raise DecodeError(
            f"{facts.created_at!r} is not an ISO 8601 time with a zone",
            source=source,
            field="created_at",
        )
    return facts
