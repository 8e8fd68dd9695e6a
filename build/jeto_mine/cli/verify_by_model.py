"""``jeto-mine verify-by-model``: a language model gives one of the labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.errors import UsageError
from jeto_bench.load import load_records
from jeto_bench.records import Tier
from jeto_evaluate.cli.choice import chosen_records
from jeto_mine.classifiers.choose import Endpoint, choose
from jeto_mine.classifiers.protocol import Classifier
from jeto_mine.cli.classifier_options import (
    WORK_FOLDER,
    MaxCost,
    Model,
    ModelUrl,
    Prices,
    Work,
)
from jeto_mine.cli.options import plain_console
from jeto_mine.verification.machine import PROMPTS, label_by_model
from jeto_mine.verification.model import check_annotator

__all__ = ["verify_by_model"]


def verify_by_model(
    records: Annotated[Path, typer.Argument(help="JSONL or Parquet file of the records.")],
    *,
    labels: Annotated[Path, typer.Option(help="JSONL file that labels are added to.")],
    annotator: Annotated[str, typer.Option(help="Id that the model goes by.")],
    only: Annotated[
        list[str] | None, typer.Option("--instance", "-i", help="Only this one; repeatable.")
    ] = None,
    model: Model = "",
    url: ModelUrl = "",
    prices: Prices = None,
    max_cost: MaxCost = None,
    work: Work = WORK_FOLDER,
) -> None:
    """Let a language model give one of the two labels of each executable record.

    It is asked the paper's three requirements one by one, with issue and diff. A record of which it
    is unsure gets no label from it. Answers are kept; the same command goes on where it stopped.
    """
    check_annotator(annotator)
    chosen = tuple(
        item
        for item in chosen_records(load_records(path=records), only)
        if item.tier is not Tier.IDENTIFIED
    )
    if not chosen:
        raise UsageError(f"{records} has no executable record")
    endpoint = Endpoint(url=url, model=model, prices=prices, max_cost=max_cost, work=work)
    console = plain_console()
    saved = 0
    for asked in label_by_model(chosen, labels, annotator, _classifiers(endpoint)):
        saved += asked.label is not None
        said = asked.label.decision.value if asked.label else "unsure, no label"
        answers = ", ".join(f"{name} {one.label.value}" for name, one in asked.answers.items())
        console.print(f"{asked.instance_id}: {said} ({answers})")
    console.print(f"{saved} labels added to {labels}")


def _classifiers(endpoint: Endpoint) -> dict[str, Classifier]:
    """One question each, one budget for all."""
    asks_anything = choose("endpoint", endpoint)
    from jeto_mine.classifiers.endpoint import EndpointClassifier  # noqa: PLC0415  # httpx

    if not isinstance(asks_anything, EndpointClassifier):
        raise TypeError(f"not an endpoint: {asks_anything!r}")
    return {name: replace(asks_anything, system=system) for name, system in PROMPTS.items()}
