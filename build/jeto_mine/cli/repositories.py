"""``jeto-mine repositories``: which repositories are mined, and why others are not."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from jeto_bench.encode import row_to_dict
from jeto_bench.errors import UsageError
from jeto_bench.files import write_atomically
from jeto_bench.github.open import open_api, open_source
from jeto_evaluate.cli.console import table_console
from jeto_mine.repositories.criteria import Criteria
from jeto_mine.repositories.listing import facts_to_jsonl, names_to_text
from jeto_mine.repositories.named import Named, candidates_of, with_facts
from jeto_mine.repositories.resolve import Candidate, Resolved, resolve

__all__ = ["repositories"]

GITHUB_FOLDER = Path(".jeto/github")


def repositories(
    *,
    to: Annotated[
        Path,
        typer.Option(help="File of the list: names one a line, or with .jsonl facts of each."),
    ],
    search: Annotated[
        bool, typer.Option("--search", help="Search GitHub by the criteria below.")
    ] = False,
    anew: Annotated[
        bool,
        typer.Option("--anew", help="Search again, also if the same search is finished."),
    ] = False,
    repo: Annotated[
        list[str] | None, typer.Option("--repo", help="owner/name; repeatable.")
    ] = None,
    listed: Annotated[
        list[Path] | None,
        typer.Option("--list", help="File with owner/name on each line, or JSONL; repeatable."),
    ] = None,
    clone: Annotated[
        list[Path] | None,
        typer.Option("--clone", help="A clone called OWNER__NAME or with an origin; repeatable."),
    ] = None,
    stars: Annotated[int, typer.Option(min=0, help="Criterion: at least so many stars.")] = 20,
    pushed_since: Annotated[
        datetime,
        typer.Option(formats=["%Y-%m-%d"], help="Criterion: changed on this day or later."),
    ] = datetime(2015, 1, 1),  # noqa: DTZ001  # a day; typer gives naive ones
    without_wrapper: Annotated[
        bool, typer.Option("--without-wrapper", help="Take projects without a Maven wrapper too.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Hold what was named against the criteria too.")
    ] = False,
    github: Annotated[
        Path | None,
        typer.Option(help="Folder of an exported forge to take facts from, instead of the API."),
    ] = None,
    work: Annotated[
        Path, typer.Option(help="Folder for answers of the API, and how far a search is.")
    ] = GITHUB_FOLDER,
) -> None:
    """List the repositories to mine: from a search on GitHub, names, files, clones.

    The token is read from GITHUB_TOKEN or GH_TOKEN. An interrupted search goes on when the same
    command is given again, and a finished one is not repeated without --anew. What is left out, and
    why, goes into a file beside the list.
    """
    named = Named(repos=tuple(repo or ()), lists=tuple(listed or ()), clones=tuple(clone or ()))
    if not (named or search):
        raise UsageError("nothing names a repository", advice="--search, --repo, --list, --clone")
    if search and github is not None:
        raise UsageError(
            "an export cannot be searched", advice="List its repositories.jsonl with --list."
        )
    criteria = Criteria(stars=stars, pushed_since=pushed_since.date(), wrapper=not without_wrapper)
    facts_wanted = to.suffix == ".jsonl"
    candidates = list(candidates_of(named))
    if facts_wanted or check:
        source = open_source(local=github, cache=work / "cache", environ=os.environ)
        candidates = list(with_facts(candidates, source))
    if search:
        client = open_api(cache=work / "cache", environ=os.environ)
        from jeto_mine.repositories.gather import search_for  # noqa: PLC0415  # needs httpx

        found = search_for(criteria, client, work / "search", anew=anew)
        typer.echo(
            f"search: {len(found.parts)} windows, {found.total} counted by GitHub, "
            f"{len(found.repositories)} received, {found.missing} missing"
        )
        candidates += [
            Candidate(repo=item.full_name, origin="search", facts=item, asked=True)
            for item in found.repositories
        ]
    checked = criteria if search or check else None
    files = None
    if checked is not None and criteria.wrapper:
        if github is not None:
            raise UsageError(
                "an export does not tell whether a repository has a Maven wrapper",
                advice="Give --without-wrapper; a scan and `execute` look at the tree itself.",
            )
        client = open_api(cache=work / "cache", environ=os.environ)
        from jeto_mine.repositories.gather import wrapper_files  # noqa: PLC0415  # needs httpx

        files = wrapper_files(candidates, client)
    resolved = resolve(candidates, criteria=checked, files=files)
    _write(resolved, to, facts=facts_wanted)
    table_console().print(_table(resolved))


def _write(resolved: Resolved, to: Path, *, facts: bool) -> None:
    if facts:
        known = [item.facts for item in resolved.kept if item.facts is not None]
        write_atomically(to, facts_to_jsonl(known))
    else:
        write_atomically(to, names_to_text(item.name for item in resolved.kept))
    lines = (json.dumps(row_to_dict(item), ensure_ascii=False) for item in resolved.dropped)
    dropped = to.with_name(f"{to.stem}.dropped.jsonl")
    write_atomically(dropped, "".join(f"{line}\n" for line in lines).encode())


def _table(resolved: Resolved) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("repositories")
    table.add_column("number", justify="right")
    for reason, count in resolved.reasons():
        if count or reason == "kept":
            table.add_row(reason, str(count))
    table.add_row("all", str(len(resolved.kept) + len(resolved.dropped)))
    return table
