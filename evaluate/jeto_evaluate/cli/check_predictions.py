"""``jeto-bench check-predictions``: everything that can be said of predictions without Docker."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from jeto_bench.load import available_configs, load, load_records
from jeto_bench.patches import PatchError, changed_paths, detect_prefix_depth, parse_patch
from jeto_bench.predictions import (
    GOLD,
    IdMatch,
    OnDuplicate,
    PatchState,
    Prediction,
    PredictionSet,
    gold_predictions,
    match_ids,
    parse_predictions,
)
from jeto_bench.predictions.read import read_bytes
from jeto_bench.records import EtipRecord
from jeto_evaluate.patching.protected import PathClass, classify

__all__ = ["check_predictions"]

_MANY_EMPTY = 0.2  # share of predictions without a patch that is news by itself (field.md row 21)
_SHOWN = 20
_SHOWN_PATHS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class _Findings:
    """What the check found, ready to be printed."""

    found: PredictionSet
    match: IdMatch
    refused: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def states(self) -> Counter[PatchState]:
        """Return how many predictions are in each state."""
        return Counter(item.state for item in self.found.predictions)

    def fails(self, *, strict: bool) -> bool:
        """Tell whether an evaluation of this file would be refused or grade nothing."""
        if self.found.problems or not self.match.known:
            return True
        unusable = len(self.found.predictions) - self.states[PatchState.OK]
        return strict and bool(self.match.unknown or self.refused or unusable)


def check_predictions(
    file: Annotated[
        str, typer.Argument(help="JSONL, JSON list or JSON map of predictions, or 'gold'.")
    ],
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", "-d", help="File, folder or Hub id; default: the embedded one."),
    ] = None,
    config: Annotated[str, typer.Option(help="Config of the dataset.")] = "mini",
    on_duplicate: Annotated[
        OnDuplicate, typer.Option(help="Two different predictions for one instance.")
    ] = OnDuplicate.ERROR,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Fail also on unknown ids and on patches that are empty or unusable."
        ),
    ] = False,
) -> None:
    """Check a predictions file without Docker; exit status 2 if it cannot be evaluated."""
    records = load_records(config, path=dataset)
    if file == GOLD:
        found = gold_predictions(records)
    else:
        data = read_bytes(Path(file))
        found = parse_predictions(data, source=file, on_duplicate=on_duplicate)
    elsewhere = _other_configs(config, dataset)
    inspected = [_inspect(item) for item in found.predictions]
    findings = _Findings(
        found=found,
        match=match_ids(
            found.predictions, [item.instance_id for item in records], elsewhere=elsewhere
        ),
        refused=tuple(refusal for refusal, _ in inspected if refusal),
        left_out=tuple(left_out for _, left_out in inspected if left_out),
    )
    _show(findings, records)
    fails = findings.fails(strict=strict)
    good = findings.states[PatchState.OK] - len(findings.refused)
    total = len(found.predictions)
    counted = f"{good} of {total} predictions have a patch that can be read"
    if fails:
        typer.echo(f"NOT OK, see above: {counted}")
    else:
        word = "OK" if good == total else "Can be evaluated"
        typer.echo(f"{word}: {counted}; whether it fits the code is not tried here")
    if fails:
        raise typer.Exit(code=2)


def _other_configs(config: str, dataset: str | None) -> dict[str, frozenset[str]]:
    if dataset is not None and not Path(dataset).is_dir():
        return {}
    return {
        name: frozenset(item.instance_id for item in load(name, path=dataset))
        for name in available_configs(dataset)
        if name != config
    }


def _inspect(prediction: Prediction) -> tuple[str, str]:
    """Return why a patch cannot apply to any tree, and which of its paths will be left out."""
    if prediction.state is not PatchState.OK:
        return "", ""
    where = f" (line {prediction.line})" if prediction.line is not None else ""
    try:
        files = parse_patch(prediction.patch)
        paths = changed_paths(files, detect_prefix_depth(files, ()))
    except PatchError as error:
        return f"{prediction.instance_id}{where}: {error}", ""
    kinds = [(path, classify(path)) for path in paths]
    dropped = [f"{path} ({kind.value})" for path, kind in kinds if kind is not PathClass.SOURCE]
    if not dropped:
        return "", ""
    more = f" and {len(dropped) - _SHOWN_PATHS} more" if len(dropped) > _SHOWN_PATHS else ""
    return "", f"{prediction.instance_id}{where}: {', '.join(dropped[:_SHOWN_PATHS])}{more}"


def _show(findings: _Findings, records: tuple[EtipRecord, ...]) -> None:
    console = Console(soft_wrap=True, highlight=False)
    total = len(findings.found.predictions)
    states = findings.states
    without = states[PatchState.EMPTY] + states[PatchState.MISSING]
    if total and without >= _MANY_EMPTY * total:
        console.print(f"[bold red]{without} of {total} predictions have no patch.[/]")
    problems = sorted(findings.found.problems, key=lambda problem: problem.line or 0)
    for problem in problems[:_SHOWN]:
        console.print(f"[red]error[/] {escape(str(problem))}")
    _show_list(console, "not usable", findings.refused)
    _show_list(console, "will be left out", findings.left_out)
    _show_list(console, "warning", tuple(item.describe() for item in findings.match.unknown))
    _show_list(console, "warning", findings.found.warnings)
    for item in findings.found.predictions:
        if item.state is PatchState.UNENCODABLE:
            console.print(f"[yellow]unencodable[/] {escape(item.instance_id)}: {item.detail}")
    console.print(_table(findings, records))


def _show_list(console: Console, label: str, lines: tuple[str, ...]) -> None:
    for line in lines[:_SHOWN]:
        console.print(f"[yellow]{label}[/] {escape(line)}")
    if len(lines) > _SHOWN:
        console.print(f"[yellow]{label}[/] ... and {len(lines) - _SHOWN} more")


def _table(findings: _Findings, records: tuple[EtipRecord, ...]) -> Table:
    states = findings.states
    repairs = Counter(name for item in findings.found.predictions for name in item.normalized)
    title = f"{findings.found.source}: model {findings.found.model}"
    table = Table("what", "predictions", title=escape(title), title_justify="left")
    table.columns[1].justify = "right"
    rows: list[tuple[str, int]] = [
        ("errors", len(findings.found.problems)),
        ("without patch: key absent or null", states[PatchState.MISSING]),
        ("without patch: only white space", states[PatchState.EMPTY]),
        ("not encodable as UTF-8", states[PatchState.UNENCODABLE]),
        ("not usable as a patch", len(findings.refused)),
        ("with paths that will be left out", len(findings.left_out)),
        ("unknown instance", len(findings.match.unknown)),
    ]
    rows += [(f"repaired: {name}", count) for name, count in sorted(repairs.items())]
    for name, count in rows:
        if count:
            table.add_row(name, str(count))
    table.add_section()
    table.add_row("predictions", str(len(findings.found.predictions)))
    table.add_row("of them for known instances", str(len(findings.match.known)))
    table.add_row("instances of the dataset", str(len(records)))
    table.add_row("of them without a prediction", str(len(findings.match.absent)))
    return table
