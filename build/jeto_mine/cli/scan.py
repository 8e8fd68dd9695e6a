"""``jeto-mine scan``: identified ETIPs from histories, with the reason of everything else."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.errors import UsageError
from jeto_bench.files import write_atomically
from jeto_bench.github.check import REPOSITORY_NAME
from jeto_bench.github.token import Token
from jeto_evaluate.cli.console import table_console
from jeto_evaluate.reports.encode import to_json
from jeto_mine.classifiers.choose import Endpoint
from jeto_mine.cli.classifier_options import Classify, MaxCost, Model, ModelUrl, Prices, Work
from jeto_mine.cli.options import plain_console
from jeto_mine.executable.clones import ORIGIN
from jeto_mine.identified.assembly import BuildChoice
from jeto_mine.identified.criteria import MAX_FILES, SINCE, Criteria
from jeto_mine.identified.issues import Linking
from jeto_mine.identified.scan import ScanOptions
from jeto_mine.identified.scan_folder import ScanFolder
from jeto_mine.identified.scan_provenance import scan_provenance
from jeto_mine.identified.scan_tables import ScanProgress, reasons_table, repositories_table
from jeto_mine.identified.spread import scan_here, scan_on_ray
from jeto_mine.identified.work import WORK_FOLDER, Sources, Task, opened_classifier
from jeto_mine.repositories.clones import repository_of_clone
from jeto_mine.repositories.listing import read_list

__all__ = ["scan"]

_PARTLY = 4
"""Exit status where some repositories could not be scanned."""


def scan(
    *,
    output: Annotated[Path, typer.Option(help="Folder for records, reports and the yield table.")],
    clone: Annotated[
        list[str] | None,
        typer.Option("--clone", help="A clone: PATH, or OWNER/NAME=PATH; repeatable."),
    ] = None,
    repo: Annotated[
        list[str] | None,
        typer.Option("--repo", help="OWNER/NAME, its clone below --clones; repeatable."),
    ] = None,
    listed: Annotated[
        Path | None,
        typer.Option("--list", help="File with an OWNER/NAME, or facts, a line."),
    ] = None,
    clones: Annotated[
        Path | None,
        typer.Option(help="Folder with clones; missing ones are made, without contents."),
    ] = None,
    clone_from: Annotated[
        str,
        typer.Option("--clone-from", help="URL of repositories without a clone; '' to make none."),
    ] = ORIGIN,
    update: Annotated[
        bool, typer.Option("--update", help="Fetch what is new into clones below --clones first.")
    ] = False,
    github: Annotated[
        Path | None,
        typer.Option(help="Folder with an export of GitHub: pulls.jsonl, issues.jsonl, ..."),
    ] = None,
    offline: Annotated[
        bool,
        typer.Option(
            "--offline", help="Ask no API, even if GITHUB_TOKEN is set, and fetch no contents."
        ),
    ] = False,
    classifier: Classify = "",
    model: Model = "",
    model_url: ModelUrl = "",
    prices: Prices = None,
    max_cost: MaxCost = None,
    work: Work = WORK_FOLDER,
    branch: Annotated[
        str, typer.Option(help="Branch to read; by default the default branch.")
    ] = "",
    since: Annotated[
        datetime,
        typer.Option(formats=["%Y-%m-%d"], help="First day, by the committer's time, UTC."),
    ] = datetime(SINCE.year, SINCE.month, SINCE.day),  # noqa: DTZ001  # a day
    max_files: Annotated[
        int, typer.Option("--max-files", min=1, help="Files that a change may touch.")
    ] = MAX_FILES,
    with_tests: Annotated[
        bool,
        typer.Option(
            "--with-tests", help="Take changes that touch tests too; these become the test_patch."
        ),
    ] = False,
    link: Annotated[
        Linking,
        typer.Option(
            help="closing: GitHub's closing keywords; mention: where there is none, any number."
        ),
    ] = Linking.CLOSING,
    without_wrapper: Annotated[
        bool, typer.Option("--without-wrapper", help="Take trees without a Maven wrapper too.")
    ] = False,
    oldest_java: Annotated[
        int, typer.Option("--oldest-java", help="Leave out trees made for older Java than this.")
    ] = 8,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Repositories at a time.")] = 1,
    ray: Annotated[str, typer.Option("--ray", help="Address of a Ray cluster to scan on.")] = "",
) -> None:
    """Find commits and pull requests that fix an issue about time, and say why others are left out.

    Issues' texts and pull requests come from an export (--github), else from GitHub's API if
    GITHUB_TOKEN is set. Without either, messages alone link commits to issues, and the records
    have no text of an issue (mark issue_unknown). An interrupted scan goes on with the same
    command; with nothing new it does no work.
    """
    api = github is None and not offline and bool(Token.from_environment(os.environ))
    options = ScanOptions(
        criteria=Criteria(since=since.date(), max_files=max_files, with_tests=with_tests),
        linking=link,
        build=BuildChoice(
            without_wrapper=without_wrapper, oldest_java=oldest_java, fetch=not offline
        ),
        branch=branch,
    )
    sources = Sources(
        github=github,
        api=api,
        cache=work / "github",
        classifier=classifier,
        endpoint=Endpoint(url=model_url, model=model, prices=prices, max_cost=max_cost, work=work),
    )
    if classifier and github is None and not api:
        raise UsageError(
            "a classifier reads issues, and nothing is named that has them",
            advice="Give --github FOLDER, or set GITHUB_TOKEN.",
        )
    opened_classifier(sources)  # so that a wrong name is told before anything is scanned
    tasks = [
        Task(
            repo=name,
            clone=place,
            clones=clones,
            origin="" if offline else clone_from,
            update=update and not offline,
            output=output,
            options=options,
            sources=sources,
        )
        for name, place in sorted(_chosen(clone or [], repo or [], listed).items())
    ]
    progress = ScanProgress(total=len(tasks), say=plain_console().print)
    failed = {}
    results = scan_on_ray(tasks, address=ray) if ray else scan_here(tasks, jobs=jobs)
    for result in results:
        progress.done(result)
        if result.error:
            failed[result.repo] = result.error
    found = ScanFolder(output).gather(tuple(task.repo for task in tasks), failed)
    provenance = scan_provenance(options, sources, at=datetime.now(UTC))
    write_atomically(output / "provenance.json", to_json(provenance).encode())
    console = table_console()
    console.print(repositories_table(found))
    console.print(reasons_table(found))
    if failed:
        raise typer.Exit(_PARTLY)


def _chosen(clones: list[str], repos: list[str], listed: Path | None) -> dict[str, Path | None]:
    """Repositories by name, with their clones where these are given."""
    found: dict[str, Path | None] = {}
    listing = _read(listed) if listed is not None else b""
    lists = (("\n".join(repos).encode(), "--repo"), (listing, str(listed)))
    for data, source in lists:
        for name, _ in read_list(data, source=source):
            found[name] = None
    for item in clones:
        name, sign, place = item.partition("=")
        if not sign or not REPOSITORY_NAME.fullmatch(name):
            place = item
            name = repository_of_clone(Path(item))
        if found.get(name) is not None:
            raise UsageError(
                f"{found[name]} and {place} are both clones of {name}",
                advice=f"Name one, or say what it is: --clone OWNER/NAME={place}",
            )
        found[name] = Path(place)
    if not found:
        raise UsageError(
            "no repository is named", advice="Use --clone PATH, --repo OWNER/NAME or --list FILE."
        )
    return found


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
