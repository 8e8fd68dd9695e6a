"""``jeto-mine filter-eval``: how often a classifier of issues is right."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from jeto_bench.errors import UsageError
from jeto_bench.files import write_atomically
from jeto_bench.github.export import Recorder
from jeto_bench.github.local import LocalStore
from jeto_bench.github.model import IssueRef
from jeto_bench.github.open import open_api
from jeto_evaluate.cli.console import table_console
from jeto_evaluate.reports.phrases import safe_text
from jeto_mine.classifiers.choose import Endpoint, choose
from jeto_mine.classifiers.labels import Labelled, folded, read_labels
from jeto_mine.classifiers.measure import Counts, Rate, Training, count, cross_validate
from jeto_mine.classifiers.offline import encode_model
from jeto_mine.classifiers.protocol import Classification, IssueText, Label
from jeto_mine.classifiers.texts import text_of
from jeto_mine.cli.classifier_options import (
    WORK_FOLDER,
    Classify,
    MaxCost,
    Model,
    ModelUrl,
    Prices,
    Work,
)

__all__ = ["filter_eval"]


def filter_eval(
    labels: Annotated[
        Path, typer.Argument(help="JSONL of labels: ref and label, or repo, issue_number, truth.")
    ],
    *,
    issues: Annotated[
        Path, typer.Option(help="Folder of an exported forge that has the issues' texts.")
    ],
    fetch: Annotated[
        bool,
        typer.Option(
            "--fetch", help="Ask GitHub for texts that the folder lacks, and add them to it."
        ),
    ] = False,
    classifier: Classify = "offline",
    cross_validated: Annotated[
        bool,
        typer.Option(
            "--cross-validated",
            help="Train the offline classifier anew, each repository judged by a model that has"
            " not seen it.",
        ),
    ] = False,
    also: Annotated[
        list[Path] | None,
        typer.Option(help="Folder with other texts of labelled issues, trained on only."),
    ] = None,
    ordinary: Annotated[
        list[Path] | None,
        typer.Option(help="Folder with issues that count a tenth as no, trained on only."),
    ] = None,
    train: Annotated[
        Path | None, typer.Option(help="Write weights, trained on all of it, to this file.")
    ] = None,
    model: Model = "",
    url: ModelUrl = "",
    prices: Prices = None,
    max_cost: MaxCost = None,
    work: Work = WORK_FOLDER,
) -> None:
    """Measure precision, recall and accuracy of a classifier against labelled issues.

    An unsure answer counts as no. Issues whose text the folder does not have are counted and left
    out. Intervals are Wilson's, 95 %.
    """
    truth = {
        item.ref: item
        for item in read_labels(labels.read_bytes(), source=str(labels))
        if item.label is not Label.UNSURE
    }
    if fetch:
        _fetch(issues, truth, work)
    asked = _texts(issues, truth)
    if not asked:
        raise UsageError(
            f"{issues} has the text of no issue that {labels} labels",
            advice="Give --fetch, with a token in GITHUB_TOKEN.",
        )
    pairs = _paired(asked, truth)
    training = Training(ordinary=tuple(item for folder in ordinary or () for item in _all(folder)))
    helpers = [pair for folder in also or () for pair in _paired(_texts(folder, truth), truth)]
    if train is not None:
        made = training.model([*pairs, *helpers])
        write_atomically(train, encode_model(made))
        typer.echo(f"{len(made.weights.weights)} weights in {train}")
    if cross_validated:
        if classifier != "offline":
            raise UsageError(f"{classifier} is not trained", advice="--classifier offline")
        name = "offline, cross-validated by repository"
        answers = list(cross_validate(pairs, training, helpers=helpers))
    else:
        endpoint = Endpoint(url=url, model=model, prices=prices, max_cost=max_cost, work=work)
        chosen = choose(classifier, endpoint)
        name = chosen.name
        answers = list(chosen.classify(asked))
    console = table_console()
    console.print(safe_text(f"{name}: {len(asked)} of {len(truth)} labelled issues have a text"))
    console.print(_table(truth, answers))
    cost = sum(answer.cost for answer in answers)
    if cost:
        console.print(f"cost: {cost:.4f} US dollars")


def _fetch(folder: Path, truth: Mapping[IssueRef, Labelled], work: Path) -> None:
    known = {folded(text.ref) for text in _all(folder)} if folder.is_dir() else set()
    numbers: dict[str, list[int]] = {}
    for ref in truth:
        if ref not in known:
            numbers.setdefault(ref.repo, []).append(ref.number)
    recorder = Recorder(open_api(cache=work / "github", environ=os.environ), folder)
    for repo, wanted in numbers.items():
        recorder.issues(repo, wanted)
    recorder.write()


def _all(folder: Path) -> tuple[IssueText, ...]:
    return tuple(text_of(issue) for issue in LocalStore(folder).all_issues())


def _texts(folder: Path, truth: Mapping[IssueRef, Labelled]) -> list[IssueText]:
    return [text for text in _all(folder) if folded(text.ref) in truth]


def _paired(
    texts: Iterable[IssueText], truth: Mapping[IssueRef, Labelled]
) -> list[tuple[IssueText, bool]]:
    return [(text, truth[folded(text.ref)].label is Label.YES) for text in texts]


def _table(truth: Mapping[IssueRef, Labelled], answers: Sequence[Classification]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("labels", "issues", "yes", "precision", "recall", "accuracy", "unsure"):
        table.add_column(name, justify="left" if name == "labels" else "right", no_wrap=True)
    sources = sorted({truth[folded(answer.ref)].source for answer in answers})
    groups = [("all", list(answers))]
    if len(sources) > 1:
        groups += [
            (name or "-", [one for one in answers if truth[folded(one.ref)].source == name])
            for name in sources
        ]
    for name, group in groups:
        counts = count(truth, group)
        table.add_row(safe_text(name), *_cells(counts))
    return table


def _cells(counts: Counts) -> Iterable[str]:
    yield str(counts.total)
    yield str(counts.true_yes + counts.false_no)
    for rate in (counts.precision, counts.recall, counts.accuracy):
        yield _told(rate)
    yield str(counts.unsure)


def _told(rate: Rate) -> str:
    if rate.value is None or rate.interval is None:
        return f"- ({rate.right}/{rate.of})"
    low, high = rate.interval.low, rate.interval.high
    return f"{rate.value:.2f} [{low:.2f}, {high:.2f}] ({rate.right}/{rate.of})"
