"""One prediction and the set that a file holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from jeto_bench.errors import DecodeError

__all__ = [
    "UNNAMED_MODEL",
    "OnDuplicate",
    "PatchState",
    "Prediction",
    "PredictionSet",
    "model_directory",
]

UNNAMED_MODEL = "unnamed"


class PatchState(StrEnum):
    """Whether there is a patch to try."""

    OK = "ok"
    MISSING = "missing"
    EMPTY = "empty"
    UNENCODABLE = "unencodable"


class OnDuplicate(StrEnum):
    """What to do with two different predictions for one instance."""

    ERROR = "error"
    FIRST = "first"
    LAST = "last"


@dataclass(frozen=True, kw_only=True, slots=True)
class Prediction:
    """A patch that a model proposes for one instance.

    Attributes:
        instance_id: The instance, as the submitter wrote it.
        model_name_or_path: The model; ``UNNAMED_MODEL`` if the submitter gave none.
        patch: Normalised bytes; ``b""`` unless ``state`` is OK.
        state: Whether there is a patch to try.
        raw_sha256: SHA-256 of the patch as given (UTF-8); empty if ``state`` is MISSING.
        patch_sha256: SHA-256 of ``patch``; empty unless ``state`` is OK.
        normalized: Repairs that were made: ``final_newline``, ``transport_crlf``,
            ``blank_context``.
        line: 1-based line of the file where the prediction begins.
        detail: What is wrong where ``state`` is UNENCODABLE, else empty.
    """

    instance_id: str
    model_name_or_path: str
    patch: bytes
    state: PatchState
    raw_sha256: str
    patch_sha256: str
    normalized: tuple[str, ...] = ()
    line: int | None = None
    detail: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class PredictionSet:
    """The predictions of one model, one per instance.

    Attributes:
        source: The file as the user named it, or ``gold``.
        model: The one model of the set.
        predictions: In the order of the file.
        warnings: What the user should know although it can be worked with.
        problems: What stops an evaluation; empty for a set that ``read_predictions`` returned.
    """

    source: str
    model: str
    predictions: tuple[Prediction, ...]
    warnings: tuple[str, ...] = ()
    problems: tuple[DecodeError, ...] = ()


def model_directory(model: str) -> str:
    """Return a model's name as one safe directory name; ``/`` becomes ``__`` as in SWE-bench."""
    name = re.sub(r"[^A-Za-z0-9._+@=-]", "_", model.replace("/", "__"))[:120]
    return name if name.strip(".") else UNNAMED_MODEL
