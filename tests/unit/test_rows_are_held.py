"""The kinds of fault in field.md that must be held are each named by a test's docstring."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
# Rows 1 to 27 as far as field.md has them, and those that concern an evaluation.
HELD = (
    *(1, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 23, 24, 25, 27),
    *(53, 56, 57, 61, 64, 67, 69, 71, 72, 73, 75, 77, 79, 81, 83, 85, 93, 95),
    # Those of the dynamic analysis.
    *(44, 45, 55, 80, 84, 87, 88, 89, 91, 92, 96, 97),
    # Those of the dataset: index, versions, validation, bundles.
    *(47, 48, 51, 52, 105, 106),
    # Those of the dataset on the Hub.
    *(99, 100, 101, 104),
    # Those of the static analysis, of histories.
    *(107, 108, 109, 111, 112, 116),
    # Those of asking GitHub and of classifying issues.
    *(103, 113, 115, 117),
)
NAMED = re.compile(r"field\.md rows? (\d+(?:[^.:\d]{1,9}\d+)*)")


def rows_of(docstring: str) -> set[int]:
    """Rows named as ``row 1``, ``rows 1 and 3``, ``rows 1, 3, 5`` or ``row 3, with 1, 4``."""
    return {int(row) for found in NAMED.findall(docstring) for row in re.findall(r"\d+", found)}


def functions_of(source: str) -> Iterator[tuple[str, set[int]]]:
    """Every test function with the rows that its docstring, or its class's, names."""

    def walk(body: list[ast.stmt], inherited: set[int]) -> Iterator[tuple[str, set[int]]]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from walk(node.body, inherited | rows_of(ast.get_docstring(node) or ""))
            elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield node.name, inherited | rows_of(ast.get_docstring(node) or "")

    yield from walk(ast.parse(source).body, set())


@pytest.fixture(scope="module")
def named() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for name, rows in functions_of(path.read_text(encoding="utf-8")):
            for row in rows:
                found.setdefault(row, []).append(f"{path.relative_to(TESTS)}::{name}")
    return found


@pytest.mark.parametrize("row", HELD)
def test_the_row_is_named_by_a_test(row: int, named: dict[int, list[str]]) -> None:
    assert row in named, f"no test's docstring names field.md row {row}"


# Rows of which a part can only be seen in a container, and which stand without one too.
@pytest.mark.parametrize("row", HELD)
def test_the_row_is_held_without_containers_too(row: int, named: dict[int, list[str]]) -> None:
    assert [name for name in named.get(row, ()) if not name.startswith(("docker", "benchmarks"))]


@pytest.mark.parametrize(
    ("docstring", "rows"),
    [
        ("field.md row 12: x, 3 of them", {12}),
        ("field.md rows 1 and 20: any", {1, 20}),
        ("field.md row 15, 27, 75: byte 0x80", {15, 27, 75}),
        ("field.md row 3, with 1, 4 and 15: all", {3, 1, 4, 15}),
        ("field.md row 7 (a): every LF", {7}),
        ("field.md row 60.", {60}),
        ("row 60 of something else", set()),
    ],
)
def test_rows_are_read_from_docstrings(docstring: str, rows: set[int]) -> None:
    assert rows_of(docstring) == rows


def test_comments_and_helpers_name_nothing() -> None:
    source = '''
"""field.md row 1"""
# field.md row 2
def helper():
    """field.md row 3"""
class TestIt:
    """field.md row 4"""
    def test_one(self):
        """field.md row 5"""
'''
    assert list(functions_of(source)) == [("test_one", {4, 5})]
