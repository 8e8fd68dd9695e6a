"""Compares the ids of predictions with those of the dataset (field.md row 17)."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from jeto_bench.predictions.model import Prediction

__all__ = ["IdMatch", "UnknownId", "match_ids"]

_MAX_SEARCHED = 50  # nearest ids are looked up for so many; each compares with every known id


@dataclass(frozen=True, kw_only=True, slots=True)
class UnknownId:
    """A prediction for an instance that the dataset does not hold.

    Attributes:
        instance_id: As the submitter wrote it.
        line: 1-based line of the predictions file.
        nearest: The known id that is most alike, empty if none is.
        found_in: Other configs that hold the id.
    """

    instance_id: str
    line: int | None
    nearest: str = ""
    found_in: tuple[str, ...] = ()

    def describe(self) -> str:
        """Return one line for the user."""
        where = f" (line {self.line})" if self.line is not None else ""
        if self.found_in:
            hint = f"; it is in config {' and '.join(self.found_in)}"
        elif self.nearest:
            hint = f"; did you mean {self.nearest}?"
        else:
            hint = ""
        return f"unknown instance {self.instance_id}{where}{hint}"


@dataclass(frozen=True, kw_only=True, slots=True)
class IdMatch:
    """Predictions parted into those for known instances and the rest.

    Attributes:
        known: Predictions that can be evaluated, in their order.
        unknown: The rest, in their order.
        absent: Instances of the dataset without a prediction, in its order.
    """

    known: tuple[Prediction, ...]
    unknown: tuple[UnknownId, ...]
    absent: tuple[str, ...]


def match_ids(
    predictions: Sequence[Prediction],
    known_ids: Sequence[str],
    *,
    elsewhere: Mapping[str, Collection[str]] | None = None,
) -> IdMatch:
    """Part predictions by whether the dataset holds their instance.

    Args:
        predictions: One per instance.
        known_ids: Ids of the chosen config, in its order.
        elsewhere: Ids of other configs by the config's name.
    """
    known = frozenset(known_ids)
    unknown: list[UnknownId] = []
    for item in predictions:
        if item.instance_id in known:
            continue
        found_in = tuple(
            config for config, ids in (elsewhere or {}).items() if item.instance_id in ids
        )
        search = len(unknown) < _MAX_SEARCHED and not found_in
        near = difflib.get_close_matches(item.instance_id, known_ids, n=1) if search else []
        unknown.append(
            UnknownId(
                instance_id=item.instance_id,
                line=item.line,
                nearest=near[0] if near else "",
                found_in=found_in,
            )
        )
    given = {item.instance_id for item in predictions}
    return IdMatch(
        known=tuple(item for item in predictions if item.instance_id in known),
        unknown=tuple(unknown),
        absent=tuple(name for name in known_ids if name not in given),
    )
