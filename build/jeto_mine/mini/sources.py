"""Reads and checks the source folder of a mini ETIP, ``build/mini/<slug>/``.

It holds ``etip.toml`` (facts), ``issue.md`` (title, blank line, body), ``project/`` (the base tree
without Maven wrapper), ``reference.patch``, ``predictions/<kind>.patch`` and ``expected.toml``
(kind to outcome).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from jeto_bench.errors import DecodeError, InputError
from jeto_bench.patches import PatchError, changed_paths, normalize_patch, parse_patch
from jeto_evaluate.outcomes import Outcome
from jeto_mine.mini.facts import Facts, read_facts

__all__ = ["MiniSource", "SampleKind", "read_source", "read_sources", "sources_root"]

GOLD = "gold"
_WRAPPER = ("mvnw", "mvnw.cmd", ".mvn/wrapper")


class SampleKind(StrEnum):
    """What a sample prediction is an example of."""

    ALTERNATIVE = "alternative"
    NOOP = "noop"
    WRONG_PLACE = "wrong_place"
    COMPILE_ERROR = "compile_error"
    BREAKS_TEST = "breaks_test"
    NOT_APPLICABLE = "not_applicable"
    SLOWER = "slower"
    EMPTY = "empty"
    EDITS_TESTS = "edits_tests"


@dataclass(frozen=True, kw_only=True, slots=True)
class MiniSource:
    """One mini ETIP as its author wrote it.

    Attributes:
        slug: Name of the folder.
        facts: Content of ``etip.toml``.
        problem_statement: Issue title, blank line, body.
        tree: Base tree, content by path, sorted; every file is a plain 100644 one.
        reference: The developers' patch, main code only.
        predictions: Sample patches as they are, by kind.
        expected: Outcome by kind, and of ``gold``.
    """

    slug: str
    facts: Facts
    problem_statement: str
    tree: Mapping[str, bytes]
    reference: bytes
    predictions: Mapping[SampleKind, bytes]
    expected: Mapping[str, Outcome]


def sources_root() -> Path:
    """Return ``build/mini`` of the checkout, else the copy inside the installed package."""
    checkout = Path(__file__).resolve().parents[2] / "mini"
    if checkout.is_dir():
        return checkout
    import jeto_bench  # noqa: PLC0415  # only an installed wheel needs its place

    return Path(jeto_bench.__file__).resolve().parent / "_mini_sources"


def read_sources(root: Path | None = None) -> tuple[MiniSource, ...]:
    """Return all mini ETIPs below a folder, sorted by slug.

    Raises:
        InputError: There are none.
        DecodeError: A file is missing or wrong.
    """
    folder = sources_root() if root is None else root
    found = sorted(path.parent for path in folder.glob("*/etip.toml"))
    if not found:
        raise InputError(f"no mini ETIP below {folder}", advice="Run from a checkout.")
    return tuple(read_source(path) for path in found)


def read_source(folder: Path) -> MiniSource:
    """Return one mini ETIP.

    Raises:
        DecodeError: A file is missing or wrong; the error names it.
    """
    source = MiniSource(
        slug=folder.name,
        facts=read_facts(_read(folder / "etip.toml"), source=str(folder / "etip.toml")),
        problem_statement=_read_issue(folder / "issue.md"),
        tree=_read_tree(folder / "project"),
        reference=normalize_patch(_read(folder / "reference.patch")).patch,
        predictions={
            kind: _read(folder / "predictions" / f"{kind.value}.patch") for kind in SampleKind
        },
        expected=_read_expected(folder / "expected.toml"),
    )
    _check_reference(source, str(folder / "reference.patch"))
    return source


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DecodeError(
            f"cannot be read: {error.strerror or error}",
            source=str(path),
            advice="A mini ETIP needs this file.",
        ) from error


def _read_issue(path: Path) -> str:
    text = _read(path).decode("utf-8")
    title, _, rest = text.partition("\n")
    title = title.removeprefix("# ").strip()
    if not title or not rest.startswith("\n") or not rest.strip():
        raise DecodeError("not a title, a blank line and a body", source=str(path), line=1)
    return f"{title}\n\n{rest.strip()}\n"


def _read_tree(folder: Path) -> dict[str, bytes]:
    if not (folder / "pom.xml").is_file():
        raise DecodeError("no pom.xml", source=str(folder))
    tree: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if "target" in path.relative_to(folder).parts or path.is_dir():
            continue  # build output of a developer who tried the project in place
        if path.is_symlink() or not path.is_file():
            raise DecodeError("only plain files are allowed", source=str(path))
        if name.startswith(_WRAPPER):
            raise DecodeError("the Maven wrapper is made with the image", source=str(path))
        tree[name] = path.read_bytes()
    return dict(sorted(tree.items()))


def _read_expected(path: Path) -> dict[str, Outcome]:
    data = tomllib.loads(_read(path).decode("utf-8"))
    wanted = [GOLD, *(kind.value for kind in SampleKind)]
    if sorted(data) != sorted(wanted):
        odd = ", ".join(sorted(set(data) ^ set(wanted)))
        raise DecodeError(f"kinds missing or unknown: {odd}", source=str(path), field=odd)
    known = {item.value for item in Outcome}
    for kind, outcome in data.items():
        if outcome not in known:
            raise DecodeError(f"{outcome!r} is not an outcome", source=str(path), field=kind)
    return {kind: Outcome(data[kind]) for kind in wanted}


def _check_reference(source: MiniSource, name: str) -> None:
    try:
        paths = changed_paths(parse_patch(source.reference), 1)
    except PatchError as error:
        raise DecodeError(str(error), source=name) from error
    for path in paths:
        if "/src/main/" not in f"/{path}":
            raise DecodeError(f"touches {path}, which is not main code", source=name)
