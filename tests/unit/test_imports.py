"""Who may import whom, read from the source: direction of the layers, purity, no side effects."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = {"jeto_bench": "loading_script", "jeto_evaluate": "evaluate", "jeto_mine": "build"}
"""Lowest first; a layer imports itself and those before it."""

PURE = (
    "jeto_bench.card.front_matter",
    "jeto_bench.errors",
    "jeto_bench.filters",
    "jeto_bench.github.exported",
    "jeto_bench.github.found",
    "jeto_bench.github.limits",
    "jeto_bench.github.model",
    "jeto_bench.github.nodes",
    "jeto_bench.github.queries",
    "jeto_bench.github.source",
    "jeto_bench.github.windows",
    "jeto_bench.hydrate.reasons",
    "jeto_bench.instance_ids",
    "jeto_bench.lifecycle.status",
    "jeto_bench.patches",
    "jeto_bench.patches.*",
    "jeto_bench.records",
    "jeto_bench.versions.numbers",
    "jeto_evaluate.agent_lines",
    "jeto_evaluate.agent_times",
    "jeto_evaluate.calibration",
    "jeto_evaluate.criteria",
    "jeto_evaluate.judging",
    "jeto_evaluate.metrics",
    "jeto_evaluate.outcomes",
    "jeto_evaluate.pairing",
    "jeto_evaluate.patching.outputs",
    "jeto_evaluate.patching.plan",
    "jeto_evaluate.patching.policy",
    "jeto_evaluate.patching.protected",
    "jeto_evaluate.patching.result",
    "jeto_evaluate.peers",
    "jeto_evaluate.reasons",
    "jeto_evaluate.reports",
    "jeto_evaluate.reports.*",
    "jeto_evaluate.robust_judging",
    "jeto_evaluate.rules",
    "jeto_evaluate.run.cpusets",
    "jeto_evaluate.run.ending",
    "jeto_evaluate.run.expectation",
    "jeto_evaluate.run.module_outputs",
    "jeto_evaluate.run.plausibility",
    "jeto_evaluate.run.schedule",
    "jeto_evaluate.run.settings",
    "jeto_evaluate.run.stopping",
    "jeto_evaluate.samples",
    "jeto_evaluate.samples_rows",
    "jeto_evaluate.statistics",
    "jeto_evaluate.statistics.*",
    "jeto_evaluate.surefire",
    "jeto_evaluate.surefire.*",
    "jeto_evaluate.verdict",
    "jeto_mine.identified.assembled",
    "jeto_mine.identified.criteria",
    "jeto_mine.identified.dedup",
    "jeto_mine.identified.entries",
    "jeto_mine.identified.java_level",
    "jeto_mine.identified.lines",
    "jeto_mine.identified.linking",
    "jeto_mine.identified.reasons",
    "jeto_mine.identified.selection",
    "jeto_mine.identified.texts",
    "jeto_mine.identified.units",
    "jeto_mine.verification.agreement",
    "jeto_mine.verification.decide",
    "jeto_mine.verification.evidence",
    "jeto_mine.verification.model",
    "jeto_mine.verification.page",
    "jeto_mine.verification.progress",
    "jeto_mine.verification.style",
    "jeto_mine.classifiers.features",
    "jeto_mine.classifiers.lexicon",
    "jeto_mine.classifiers.logistic",
    "jeto_mine.classifiers.prices",
    "jeto_mine.classifiers.prompt",
    "jeto_mine.classifiers.protocol",
    "jeto_mine.classifiers.texts",
    "jeto_mine.repositories.criteria",
    "jeto_mine.repositories.listing",
    "jeto_mine.repositories.resolve",
)
WITH_FILES = {"jeto_evaluate.reports.write"}
"""Inside a pure package, and the one place of it that reads and writes."""

OUTSIDE_WORLD = frozenset(
    {
        *("docker", "http", "requests", "socket", "subprocess", "urllib"),
        *("glob", "io", "os", "pathlib", "shutil", "tempfile"),
    }
)


def module_files() -> dict[str, Path]:
    found = {}
    for package, folder in LAYERS.items():
        for path in sorted((ROOT / folder / package).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


FILES = module_files()


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(FILES[module].read_text(encoding="utf-8"))


def imported(node: ast.AST) -> Iterator[str]:
    """Names of the modules, and of what might be modules, in one import statement."""
    if isinstance(node, ast.Import):
        yield from (item.name for item in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "relative import"
        assert node.module is not None
        yield node.module
        yield from (f"{node.module}.{item.name}" for item in node.names)


def at_run_time(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that importing a module runs."""
    for node in body:
        if isinstance(node, ast.If):
            if ast.unparse(node.test) != "TYPE_CHECKING":
                yield from at_run_time(node.body)
            yield from at_run_time(node.orelse)
        else:
            yield node


def loads(module: str, *, everywhere: bool) -> set[str]:
    """What a module imports when it is imported, or anywhere in it."""
    tree = tree_of(module)
    nodes = ast.walk(tree) if everywhere else at_run_time(tree.body)
    return {name for node in nodes for name in imported(node)}


def reached(module: str) -> dict[str, tuple[str, ...]]:
    """Every name that importing a module loads by way of this project, with the way there."""
    ways: dict[str, tuple[str, ...]] = {module: (module,)}
    todo = [module]
    while todo:
        here = todo.pop()
        for name in sorted(loads(here, everywhere=False)):
            if name not in ways:
                ways[name] = (*ways[here], name)
                if name in FILES:
                    todo.append(name)
    return ways


def pure_modules() -> list[str]:
    return [
        name
        for name in FILES
        if any(fnmatch(name, pattern) for pattern in PURE) and name not in WITH_FILES
    ]


def test_every_pattern_of_pure_modules_names_one() -> None:
    assert [p for p in PURE if not any(fnmatch(name, p) for name in FILES)] == []
    assert set(FILES) >= WITH_FILES


@pytest.mark.parametrize("module", FILES)
def test_a_layer_imports_itself_and_lower_ones(module: str) -> None:
    layers = list(LAYERS)
    own = layers.index(module.partition(".")[0])
    higher = {
        name
        for name in loads(module, everywhere=True)
        if name.partition(".")[0] in layers[own + 1 :]
    }
    assert not higher


@pytest.mark.parametrize("module", pure_modules())
def test_pure_parts_reach_neither_files_nor_processes_nor_docker(module: str) -> None:
    ways = {
        name: " -> ".join(way)
        for name, way in reached(module).items()
        if name.partition(".")[0] in OUTSIDE_WORLD
    }
    assert not ways


@pytest.mark.parametrize("module", pure_modules())
def test_pure_parts_open_nothing(module: str) -> None:
    calls = {
        ast.unparse(node.func) for node in ast.walk(tree_of(module)) if isinstance(node, ast.Call)
    }
    assert not calls & {"open", "print", "input", "eval", "exec", "__import__"}


@pytest.mark.parametrize("package", LAYERS)
def test_importing_a_package_does_not_import_docker(package: str) -> None:
    """What a package's ``__init__`` reaches must work where no Docker client is installed."""
    ways = {name: way for name, way in reached(package).items() if name.startswith("docker")}
    assert not ways


@pytest.mark.parametrize("module", FILES)
def test_importing_has_no_side_effects(module: str) -> None:
    """Beside definitions a module may only hand its functions to the command line's registry."""
    main = [
        node
        for node in tree_of(module).body
        if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)
    ]
    allowed = (
        ast.AnnAssign, ast.Assign, ast.ClassDef, ast.FunctionDef, ast.Import, ast.ImportFrom,
    )  # fmt: skip
    body = [node for node in tree_of(module).body if node not in main]
    other = [
        ast.unparse(node)
        for node in at_run_time(body)
        if not isinstance(node, allowed)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        and not ast.unparse(node).startswith(("app.command(", "app.add_typer("))
    ]
    assert not other
