"""Reads a predictions file: JSONL, a JSON list, or a JSON map keyed by instance id."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from jeto_bench.errors import DecodeError, InputError
from jeto_bench.predictions.entry import make_prediction, read_entry
from jeto_bench.predictions.model import UNNAMED_MODEL, OnDuplicate, Prediction, PredictionSet
from jeto_bench.predictions.shapes import read_entries
from jeto_bench.records import EtipRecord

__all__ = [
    "GOLD",
    "MAX_FILE_BYTES",
    "gold_predictions",
    "parse_predictions",
    "read_bytes",
    "read_predictions",
]

GOLD = "gold"
MAX_FILE_BYTES = 1024 * 1024 * 1024
_SHOWN = 20


def read_predictions(
    source: Path, *, on_duplicate: OnDuplicate = OnDuplicate.ERROR
) -> PredictionSet:
    """Read a predictions file whose every line can be used.

    Args:
        source: The file.
        on_duplicate: What to do with two different predictions for one instance.

    Raises:
        DecodeError: A line cannot be used; the message lists up to 20 such lines.
        InputError: The file cannot be read or is larger than ``MAX_FILE_BYTES``.
    """
    found = parse_predictions(read_bytes(source), source=str(source), on_duplicate=on_duplicate)
    if len(found.problems) == 1:
        raise found.problems[0]
    if found.problems:
        shown = "\n".join(f"  {problem}" for problem in found.problems[:_SHOWN])
        raise DecodeError(f"{len(found.problems)} problems\n{shown}", source=str(source))
    return found


def parse_predictions(
    data: bytes, *, source: str, on_duplicate: OnDuplicate = OnDuplicate.ERROR
) -> PredictionSet:
    """Take predictions apart; what is wrong with single lines is in ``problems``.

    Raises:
        DecodeError: The file as a whole is no predictions file.
    """
    _, entries = read_entries(data, source=source)
    if not entries:
        raise DecodeError(
            "no predictions",
            source=source,
            advice="The file is empty; was the run that writes it interrupted?",
        )
    predictions: list[Prediction] = []
    problems: list[DecodeError] = []
    for entry in entries:
        if isinstance(entry, DecodeError):
            problems.append(entry)
            continue
        try:
            predictions.append(read_entry(entry, source=source))
        except DecodeError as error:
            problems.append(error)
    problems.extend(_mixed_models(predictions, source))
    kept, warnings, clashes = _without_duplicates(predictions, source, on_duplicate)
    unnamed = sum(item.model_name_or_path == UNNAMED_MODEL for item in kept)
    if unnamed:
        warnings.append(
            f"{unnamed} of {len(kept)} predictions have no model_name_or_path; "
            f"the report calls the model {UNNAMED_MODEL!r}"
        )
    return PredictionSet(
        source=source,
        model=kept[0].model_name_or_path if kept else UNNAMED_MODEL,
        predictions=tuple(kept),
        warnings=tuple(warnings),
        problems=tuple(problems + clashes),
    )


def gold_predictions(records: Iterable[EtipRecord]) -> PredictionSet:
    """Return the developers' own patches as predictions of the model ``gold``."""
    return PredictionSet(
        source=GOLD,
        model=GOLD,
        predictions=tuple(
            make_prediction(
                instance_id=record.instance_id, model=GOLD, patch=record.patch, line=None
            )
            for record in records
        ),
    )


def read_bytes(source: Path) -> bytes:
    """Return the content of a predictions file; ``InputError`` if it cannot be had."""
    try:
        size = source.stat().st_size
        if size > MAX_FILE_BYTES:
            raise InputError(
                f"{source} has {size} bytes, more than {MAX_FILE_BYTES}",
                advice="Keep only the three keys of a prediction; leave trajectories out.",
            )
        return source.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"cannot read the predictions file {source}: {reason}",
            advice=f"Give a JSON or JSONL file, or the word {GOLD!r} for the reference patches.",
        ) from error


def _mixed_models(predictions: Sequence[Prediction], source: str) -> list[DecodeError]:
    """A run report is of one model; a file with several is refused rather than mixed up."""
    first: dict[str, Prediction] = {}
    for item in predictions:
        first.setdefault(item.model_name_or_path, item)
    if len(first) < 2:  # noqa: PLR2004  # two is what "several" begins with
        return []
    names = ", ".join(f"{name!r} (line {item.line})" for name, item in list(first.items())[:5])
    last = list(first.values())[1]
    query = f"select(.model_name_or_path == {json.dumps(last.model_name_or_path)})"
    advice = f"A report is of one model; split the file: jq -c '{query}' {source}"
    if UNNAMED_MODEL in first:
        known = next(name for name in first if name != UNNAMED_MODEL)
        missing = first[UNNAMED_MODEL].line
        names += f"; {UNNAMED_MODEL!r} stands for a missing name"
        advice = f'If it is the same model, add "model_name_or_path": {json.dumps(known)}'
        advice += f" to line {missing} and wherever else it is missing."
    return [
        DecodeError(
            f"{len(first)} models in one file: {names}",
            source=source,
            line=last.line,
            field="model_name_or_path",
            advice=advice,
        )
    ]


def _without_duplicates(
    predictions: Sequence[Prediction], source: str, on_duplicate: OnDuplicate
) -> tuple[list[Prediction], list[str], list[DecodeError]]:
    kept: dict[str, Prediction] = {}
    warnings: list[str] = []
    problems: list[DecodeError] = []
    for item in predictions:
        earlier = kept.setdefault(item.instance_id, item)
        if earlier is item:
            continue
        both = f"lines {earlier.line} and {item.line}"
        if (earlier.state, earlier.raw_sha256) == (item.state, item.raw_sha256):
            warnings.append(f"{item.instance_id}: the same prediction twice, {both}")
        elif on_duplicate is OnDuplicate.ERROR:
            problems.append(
                DecodeError(
                    f"two different predictions for {item.instance_id}, {both}",
                    source=source,
                    line=item.line,
                    field="instance_id",
                    advice="Remove one, or choose with --on-duplicate first or last.",
                )
            )
        else:
            warnings.append(
                f"{item.instance_id}: different predictions, {both}; "
                f"the {on_duplicate.value} one is used"
            )
            if on_duplicate is OnDuplicate.LAST:
                kept[item.instance_id] = item
    return list(kept.values()), warnings, problems
