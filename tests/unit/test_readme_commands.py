"""What README and CONTRIBUTING tell people to type is understood by the programs as they are."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from jeto_evaluate.cli.main import app as bench_app
from jeto_evaluate.outcomes import Outcome
from jeto_mine.cli.main import app as mine_app

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("README.md", "CONTRIBUTING.md")
APPS = {"jeto-bench": bench_app, "jeto-mine": mine_app}
OTHERS = {"cd", "git", "pip", "pip3", "pre-commit"}
"""Programs that are not ours; what follows them is theirs to check."""

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`((?:jeto-bench|jeto-mine|make|python3? -m jeto_\w+)(?: [^`]*)?)`")


def text(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def fenced(document: str) -> list[tuple[str, str]]:
    return [(match[1], match[2]) for match in _FENCE.finditer(text(document))]


def simple_commands(line: str) -> Iterator[tuple[str, ...]]:
    """Split a line of shell; ``${NAME}`` stays a word, comments and prompts go."""
    lexer = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars=";&|")
    lexer.whitespace_split = True
    words: list[str] = []
    for word in lexer:
        if set(word) <= set(";&|"):
            yield tuple(words)
            words = []
        elif words or "=" not in word:
            words.append(word)
    if words:
        yield tuple(words)


def commands(document: str) -> list[tuple[str, ...]]:
    shell = [body for kind, body in fenced(document) if kind in {"", "sh", "bash", "console"}]
    lines = [line for body in shell for line in body.replace("\\\n", " ").splitlines()]
    spans = [match[1] for match in _INLINE.finditer(text(document))]
    return [words for line in (*lines, *spans) for words in simple_commands(line) if words]


def makefile_commands() -> list[tuple[str, ...]]:
    makefile = text("Makefile")
    values = dict(re.findall(r"^(\w+) [?:]?= (.*)$", makefile, re.MULTILINE))
    found = []
    for line in makefile.splitlines():
        if line.startswith("\t") and "/jeto-" in line:
            plain = re.sub(r"\$\((\w+)\)", lambda match: values[match[1]], line.strip(" \t@"))
            program, *arguments = shlex.split(plain)
            found.append((program.rpartition("/")[2], *arguments))
    return found


def parse(command: Any, name: str, arguments: list[str]) -> None:
    """Parse down to the last subcommand and run nothing; raises what a user would be told."""
    subcommands = getattr(command, "commands", None)
    if subcommands is None:
        command.make_context(name, arguments, resilient_parsing=False)
    elif arguments and not arguments[0].startswith("-"):
        assert arguments[0] in subcommands, f"{name} has no command {arguments[0]!r}"
        parse(subcommands[arguments[0]], arguments[0], arguments[1:])
    else:
        command.make_context(name, arguments or ["--help"], resilient_parsing=not arguments)


def check(words: tuple[str, ...]) -> None:
    program, *arguments = words
    if program in {"python", "python3"} and arguments[:1] == ["-m"]:
        module = arguments[1]
        assert importlib.util.find_spec(f"{module}.__main__"), module
        program, arguments = "jeto-bench", ["eval", *arguments[2:]]
    if program in APPS:
        parse(typer.main.get_command(APPS[program]), program, arguments)
    elif program == "make":
        targets = re.findall(r"^([\w-]+):", text("Makefile"), re.MULTILINE)
        assert set(arguments) <= set(targets)
    else:
        assert program in OTHERS, f"what is {program!r}?"


@pytest.mark.parametrize(
    "words",
    [*(words for name in DOCUMENTS for words in commands(name)), *makefile_commands()],
    ids=" ".join,
)
def test_every_command_line_is_understood(words: tuple[str, ...]) -> None:
    check(words)


def test_the_two_commands_of_a_newcomer_are_told() -> None:
    told = commands("README.md")
    assert ("make", "demo") in told
    assert ("make", "test") in told
    assert [words for words in told if words[:2] == ("jeto-bench", "eval")]
    assert makefile_commands()


@pytest.mark.parametrize(
    "line",
    [
        "jeto-bench eval -p x --run-id r --no-such-option",
        "jeto-bench eval --run-id r",
        "jeto-bench evil -p x",
        "jeto-bench images destroy",
        "jeto-bench report",
        "jeto-mine maxi",
        "make coffee",
        "python -m jeto_evaluate --run-id r",
        "python -m jeto_mine.mini",
        "curl x | sh",
    ],
)
def test_what_is_not_understood_would_be_found(line: str) -> None:
    """The check itself is checked: it must fail for each kind of mistake."""
    with pytest.raises(Exception, match=r"(?s).*"):  # noqa: PT012  # whichever of them fails
        for words in simple_commands(line):
            check(words)


def test_instances_that_are_named_exist() -> None:
    sources = (ROOT / "build" / "mini").glob("*/etip.toml")
    known = {tomllib.loads(path.read_text(encoding="utf-8"))["instance_id"] for path in sources}
    named = {
        name
        for document in (*DOCUMENTS, "Makefile")
        for name in re.findall(r"\b\w[\w.-]*__[\w-]+-\d+\b", text(document))
    }
    assert named <= known


def python_snippets() -> list[ast.Module]:
    return [ast.parse(body) for kind, body in fenced("README.md") if kind == "python"]


def names_of(snippet: ast.Module) -> dict[str, object]:
    """Import what a snippet imports from this project; of others, see that they are there."""
    names: dict[str, object] = {}
    for node in ast.walk(snippet):
        if isinstance(node, ast.Import):
            names |= {item.asname or item.name: load(item.name) for item in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = load(node.module or "")
            for item in node.names:
                names[item.asname or item.name] = getattr(module, item.name) if module else None
    return names


def load(module: str) -> object:
    if module.startswith("jeto_"):
        return importlib.import_module(module)
    assert importlib.util.find_spec(module), module
    return None


def test_python_snippets_call_what_there_is_as_it_wants_to_be_called() -> None:
    checked = 0
    for snippet in python_snippets():
        names = names_of(snippet)
        for node in ast.walk(snippet):
            if not isinstance(node, ast.Call):
                continue
            first, *rest = ast.unparse(node.func).split(".")
            called: Any = names.get(first)
            for name in rest if called is not None else ():
                called = getattr(called, name)
            if called is not None:
                keywords = {item.arg: None for item in node.keywords if item.arg}
                inspect.signature(called).bind(*node.args, **keywords)
                checked += 1
    assert checked


def test_every_outcome_is_explained() -> None:
    missing = [outcome for outcome in Outcome if f"`{outcome}`" not in text("README.md")]
    assert not missing


def test_the_unit_of_a_time_is_stated() -> None:
    """field.md row 64: users argue whether cold JVM time is meaningful; say what is measured."""
    said = " ".join(text("README.md").split())
    assert "the unit is cold test-class time" in said
    assert "One warm-up, then 30 pairs" in said
    assert "compiled once" in said


def test_the_table_of_reasons_is_where_the_readme_says() -> None:
    """field.md row 23: a reader of a report finds what its reason covers."""
    (path,) = re.findall(r"`(evaluate/\S+/reasons\.md)`", text("README.md"))
    assert (ROOT / path).is_file()
