"""Lists of repositories: one ``owner/name`` a line, or JSONL with facts. Pure.

In a list of names ``#`` begins a comment, and an address on GitHub stands for its name. In JSONL
the keys are those of ``jeto_bench.github.model.Repository``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Final

from jeto_bench.convert import Where, convert
from jeto_bench.github.check import REPOSITORY_NAME, problems
from jeto_bench.github.model import Repository
from jeto_bench.json_text import decode_line, decode_text, split_lines

__all__ = ["facts_to_jsonl", "name_of_address", "names_to_text", "read_list"]

_ADDRESS: Final = re.compile(
    r"(?:https?://|ssh://git@|git://|git@)(?:[^@/\s]+@)?[\w.-]+(?::\d+)?[:/](?P<name>[^/\s]+/[^/\s]+?)"
    r"(?:\.git)?/?"
)


def read_list(data: bytes, *, source: str) -> tuple[tuple[str, Repository | None], ...]:
    """Return names in their order, with facts where the list has them.

    Raises:
        DecodeError: A line is neither; it names the line.
    """
    found: list[tuple[str, Repository | None]] = []
    for number, raw in enumerate(split_lines(data), start=1):
        where = Where(source=source, line=number)
        text = decode_text(raw, source, number).strip()
        if text.startswith("{"):
            value = decode_line(raw, source=source, line=number)
            facts: Repository = convert(value, Repository, where, "")
            for message, field, advice in problems(facts):
                where.fail(message, field, advice=advice)
            found.append((facts.full_name, facts))
            continue
        text = text.partition("#")[0].strip()
        if not text:
            continue
        name = name_of_address(text) or text
        if not REPOSITORY_NAME.fullmatch(name):
            where.fail(
                f"{text!r} is no repository", "", advice="owner/name, or a JSON object of facts."
            )
        found.append((name, None))
    return tuple(found)


def name_of_address(url: str) -> str | None:
    """``owner/name`` of a repository's address; None if it is none."""
    match = _ADDRESS.fullmatch(url)
    return None if match is None else match["name"]


def names_to_text(names: Iterable[str]) -> bytes:
    """Return a list of names, one a line."""
    return "".join(f"{name}\n" for name in names).encode()


def facts_to_jsonl(facts: Iterable[Repository]) -> bytes:
    """Return facts, one object a line."""
    return "".join(json.dumps(asdict(item), ensure_ascii=False) + "\n" for item in facts).encode()
