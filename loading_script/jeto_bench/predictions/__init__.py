"""Predictions: what a submitter sends, read defensively and byte for byte."""

from jeto_bench.predictions.match import IdMatch, UnknownId, match_ids
from jeto_bench.predictions.model import (
    UNNAMED_MODEL,
    OnDuplicate,
    PatchState,
    Prediction,
    PredictionSet,
    model_directory,
)
from jeto_bench.predictions.read import (
    GOLD,
    gold_predictions,
    parse_predictions,
    read_predictions,
)
from jeto_bench.predictions.shapes import Shape

__all__ = [
    "GOLD",
    "UNNAMED_MODEL",
    "IdMatch",
    "OnDuplicate",
    "PatchState",
    "Prediction",
    "PredictionSet",
    "Shape",
    "UnknownId",
    "gold_predictions",
    "match_ids",
    "model_directory",
    "parse_predictions",
    "read_predictions",
]
