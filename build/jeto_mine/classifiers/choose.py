"""One way to name a classifier, for every command: ``offline``, ``labels:FILE``, ``endpoint``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench.errors import UsageError
from jeto_bench.github.cache import Cache
from jeto_bench.github.token import Token
from jeto_mine.classifiers.labels import LabelFile
from jeto_mine.classifiers.offline import OfflineClassifier
from jeto_mine.classifiers.prices import Budget, read_prices
from jeto_mine.classifiers.protocol import Classifier

__all__ = ["KEY_VARIABLES", "Endpoint", "choose"]

KEY_VARIABLES: Final = ("JETO_MODEL_KEY", "OPENAI_API_KEY")
"""Environment variables that may hold the key of an endpoint, in order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """Where a language model is, and what it may cost.

    Attributes:
        url: Root of the API.
        model: Its name there.
        prices: File of prices, see ``prices.py``.
        max_cost: US dollars; None for no limit.
        work: Folder for its answers.
    """

    url: str = ""
    model: str = ""
    prices: Path | None = None
    max_cost: float | None = None
    work: Path


def choose(name: str, endpoint: Endpoint) -> Classifier:
    """Return the classifier of a name.

    Raises:
        UsageError: There is none of that name, or it lacks what it needs.
    """
    if name == "offline":
        return OfflineClassifier()
    kind, _, file = name.partition(":")
    if kind == "labels" and file:
        return LabelFile(Path(file))
    if name == "endpoint":
        return _endpoint(endpoint)
    raise UsageError(f"no classifier {name!r}", advice="offline, labels:FILE or endpoint")


def _endpoint(endpoint: Endpoint) -> Classifier:
    if not (endpoint.url and endpoint.model and endpoint.prices):
        raise UsageError(
            "an endpoint needs its address, a model and its prices",
            advice='--model-url URL --model NAME --prices FILE with {"NAME": {"input": 0,'
            ' "output": 0}}, US dollars per million tokens.',
        )
    try:
        data = endpoint.prices.read_bytes()
    except OSError as error:
        raise UsageError(f"{endpoint.prices} cannot be read: {error.strerror}") from error
    prices = read_prices(data, source=str(endpoint.prices))
    if endpoint.model not in prices:
        raise UsageError(
            f"{endpoint.prices} has no price of {endpoint.model}",
            advice="Prices of 0 are fine for a model of your own.",
        )
    try:
        from jeto_mine.classifiers.endpoint import EndpointClassifier  # noqa: PLC0415  # httpx
    except ModuleNotFoundError as error:
        raise UsageError(
            f"an endpoint needs {error.name}", advice="pip install 'jeto-bench[github]'"
        ) from error
    key = next((os.environ[name] for name in KEY_VARIABLES if os.environ.get(name)), "")
    return EndpointClassifier(
        url=endpoint.url,
        model=endpoint.model,
        token=Token(key),
        price=prices[endpoint.model],
        budget=Budget(limit=endpoint.max_cost),
        cache=Cache(endpoint.work / "answers"),
    )
