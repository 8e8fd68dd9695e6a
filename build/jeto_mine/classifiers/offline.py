"""Classifies issues without key, download or network: a small model that can be read.

A sum of weights of phrases (``features.py``), written by hand (``lexicon.py``) and then adjusted to
labels of the paper's authors by ``jeto-mine filter-eval --train``: ``offline.json``, words and
numbers. It says yes only above a threshold chosen for precision, and never without a phrase for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench.convert import Where
from jeto_bench.json_text import decode_line
from jeto_mine.classifiers.features import features_of, word_count
from jeto_mine.classifiers.logistic import Weights
from jeto_mine.classifiers.protocol import Classification, IssueText, Label

__all__ = ["FEWEST_WORDS", "OfflineClassifier", "OfflineModel", "decode_model", "encode_model"]

FEWEST_WORDS: Final = 3
"""With fewer words in title and text there is not enough information, if nothing speaks for yes."""

_MODEL: Final = Path(__file__).with_name("offline.json")
_SHOWN: Final = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class OfflineModel:
    """Weights and the threshold of yes.

    Attributes:
        weights: Of the phrases.
        threshold: Least score of a yes.
    """

    weights: Weights
    threshold: float


class OfflineClassifier:
    """The classifier of ``offline.json``, or of another model."""

    def __init__(self, model: OfflineModel | None = None) -> None:
        """Use a model; by default the one that comes along."""
        self._model = model or decode_model(_MODEL.read_bytes(), source=str(_MODEL))
        digest = hashlib.sha256(encode_model(self._model)).hexdigest()
        self._name = f"offline-{digest[:12]}"

    @property
    def name(self) -> str:
        """Names the weights."""
        return self._name

    def classify(self, issues: Sequence[IssueText]) -> Iterator[Classification]:
        """Answer for each issue."""
        for issue in issues:
            yield self._answer(issue)

    def _answer(self, issue: IssueText) -> Classification:
        features = features_of(issue)
        weights = self._model.weights
        score = weights.score(features)
        ordered = sorted(features, key=lambda name: (-weights.weights.get(name, 0.0), name))
        pro = [name for name in ordered if weights.weights.get(name, 0.0) > 0]
        contra = [name for name in reversed(ordered) if weights.weights.get(name, 0.0) < 0]
        if pro and score >= self._model.threshold:
            label, reason = Label.YES, f"has {_listed(pro)}"
        elif not pro and word_count(issue) < FEWEST_WORDS:
            label, reason = Label.UNSURE, "not enough information"
        else:
            label = Label.NO
            reason = f"has {_listed(pro)}, too little" if pro else "has no word of time"
        if contra:
            reason += f"; against it: {_listed(contra)}"
        return Classification(
            ref=issue.ref,
            label=label,
            reason=reason,
            classifier=self._name,
            score=round(score, 4),
        )


def encode_model(model: OfflineModel) -> bytes:
    """Return a model as JSON, phrases in order."""
    value = {
        "threshold": model.threshold,
        "bias": model.weights.bias,
        "weights": dict(sorted(model.weights.weights.items())),
    }
    return json.dumps(value, indent=1).encode() + b"\n"


def decode_model(data: bytes, *, source: str) -> OfflineModel:
    """Return the model of a JSON document.

    Raises:
        DecodeError: It is none.
    """
    where = Where(source=source, line=None)
    value = decode_line(data, source=source, line=1)
    if not isinstance(value, dict) or set(value) != {"threshold", "bias", "weights"}:
        where.fail("a model has threshold, bias and weights", "")
    for name in ("threshold", "bias"):
        if not isinstance(value[name], int | float) or isinstance(value[name], bool):
            where.fail("expected a number", name)
    weights = value["weights"]
    if not isinstance(weights, dict):
        where.fail("expected an object", "weights")
    for name, weight in weights.items():
        if not isinstance(weight, int | float) or isinstance(weight, bool):
            where.fail("expected a number", f"weights.{name}")
    return OfflineModel(
        threshold=float(value["threshold"]),
        weights=Weights(
            bias=float(value["bias"]),
            weights={name: float(weight) for name, weight in weights.items()},
        ),
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"{name!r}" for name in names[:_SHOWN])
