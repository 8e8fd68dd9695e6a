"""``jeto-bench data hydrate``: rows of the index become records."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from jeto_bench.errors import UsageError
from jeto_bench.filters import filtered, parse_filter
from jeto_bench.git.making import ORIGIN
from jeto_bench.github.open import open_source
from jeto_bench.github.source import GitHubSource
from jeto_bench.github.token import TOKEN_VARIABLES, Token
from jeto_bench.hydrate.folder import HydratedRow, HydrationFolder
from jeto_bench.hydrate.run import HydrationSettings
from jeto_bench.hydrate.run import hydrate as hydrate_rows
from jeto_bench.index.rows import IndexRow
from jeto_bench.load import INDEX, load
from jeto_bench.records import UNRELEASED
from jeto_bench.versions.numbers import SemanticVersion
from jeto_evaluate.cli.console import table_console

__all__ = ["hydrate"]

_FAILED = 4
_ANSWERS = Path(".jeto/github")


def hydrate(
    *,
    clones: Annotated[Path, typer.Option(help="Folder with clones of the repositories.")],
    output: Annotated[
        Path, typer.Option(help="Folder for the records; a run in the same folder goes on.")
    ],
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", "-d", help="File or folder of an index; default: ours."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--instance", "-i", help="Only this row; repeatable.")
    ] = None,
    filters: Annotated[
        list[str] | None,
        typer.Option(
            "--filter", help="Only such rows, as tier=executable or repo=apache/*; repeatable."
        ),
    ] = None,
    clone_from: Annotated[
        str,
        typer.Option(
            help="URL that missing clones are made from, {repo} for OWNER/NAME; default: none is"
            " made."
        ),
    ] = "",
    github: Annotated[
        Path | None,
        typer.Option(
            "--github",
            "--issues",
            help="Folder with an export of issues, pull requests and repositories, or a JSONL file"
            " of issues; without it GitHub's API is asked, with the token in GITHUB_TOKEN or"
            " GH_TOKEN.",
        ),
    ] = None,
    work: Annotated[Path, typer.Option(help="Folder for answers of the API.")] = _ANSWERS,
    without_texts: Annotated[
        bool,
        typer.Option("--without-texts", help="Records without issue, stars and licence."),
    ] = False,
    hints: Annotated[
        bool, typer.Option(help="Ask for what was said of the issue before the fix, too.")
    ] = True,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="Refuse diffs that add or remove files beside those that the index names.",
        ),
    ] = False,
    dataset_version: Annotated[
        str, typer.Option(help="Version of the dataset that is put into the records.")
    ] = UNRELEASED,
) -> None:
    """Make records of the index: base and diff from clones, texts from GitHub or an export of it.

    The output folder gets identified.jsonl and identified.parquet, and failures.jsonl with the
    reason of every row that could not be made a record. Exit status 4 if there is one.
    """
    SemanticVersion.parse(dataset_version)
    if clone_from and "{repo}" not in clone_from:
        raise UsageError(
            f"--clone-from {clone_from} does not say where a repository's name goes",
            advice=f"For example {ORIGIN}",
        )
    rows = _chosen(dataset, only or [], filters or [])
    settings = HydrationSettings(
        clones=clones,
        origin=clone_from,
        hints=hints,
        exact=exact,
        dataset_version=dataset_version,
    )
    source = None if without_texts else _source(github, work)
    folder = HydrationFolder(output)
    results = hydrate_rows(rows, folder, settings, source=source, say=typer.echo)
    table_console().print(_table(results))
    if any(item.reason for item in results):
        raise typer.Exit(code=_FAILED)


def _chosen(dataset: str | None, only: list[str], filters: list[str]) -> tuple[IndexRow, ...]:
    rows = load(INDEX, path=dataset)
    unknown = sorted(set(only) - {row.instance_id for row in rows})
    if unknown:
        raise UsageError(f"not in the index: {', '.join(unknown)}")
    named = [row for row in rows if not only or row.instance_id in only]
    chosen = filtered(named, [parse_filter(text, IndexRow) for text in filters])
    if not chosen:
        raise UsageError(
            "no row of the index is left", advice=f"It has {len(rows)}; loosen --filter."
        )
    return chosen


def _source(github: Path | None, work: Path) -> GitHubSource:
    if github is None and not Token.from_environment(os.environ):
        raise UsageError(
            "nowhere to get issues from",
            advice=f"Give an export with --issues, or a token in {TOKEN_VARIABLES[0]}, or make"
            " records without texts with --without-texts.",
        )
    return open_source(local=github, cache=work, environ=os.environ)


def _table(results: tuple[HydratedRow, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("result")
    table.add_column("rows", justify="right")
    for reason, count in Counter(item.reason or "hydrated" for item in results).most_common():
        table.add_row(reason, str(count))
    table.add_row("all", str(len(results)))
    return table
