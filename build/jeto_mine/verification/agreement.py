"""How far annotators agree, and how often mining was right. Pure.

Cohen's kappa: J. Cohen, "A coefficient of agreement for nominal scales", Educational and
Psychological Measurement 20 (1960). Its large-sample standard error: J. L. Fleiss, J. Cohen,
B. S. Everitt, "Large sample standard errors of kappa and weighted kappa", Psychological Bulletin 72
(1969), equation 13. Rates have Wilson's interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from jeto_evaluate.statistics.intervals import Rate
from jeto_mine.verification.model import Decision, LabelEntry
from jeto_mine.verification.progress import PAIR, Standing, standing

__all__ = ["Agreement", "AnnotatorFigures", "Kappa", "agreement", "cohens_kappa"]

_ROUNDING: Final = 1e-15
_Z: Final = 1.959963984540054  # 0.975 quantile of the standard normal


@dataclass(frozen=True, kw_only=True, slots=True)
class Kappa:
    """Cohen's kappa.

    Attributes:
        value: Agreement beyond chance, at most 1.
        standard_error: Large-sample; not to be trusted for a dozen records. ``None`` where the
            estimate of it is 0, as with full agreement: that says nothing of the uncertainty.
        low: Lower end of the 95 % interval, at least -1; ``None`` without a standard error.
        high: Upper end, at most 1; likewise.
        observed: Share of records on which both say the same.
        expected: The same by chance, given how often each says what.
        records: Number of records.
    """

    value: float
    standard_error: float | None
    low: float | None
    high: float | None
    observed: float
    expected: float
    records: int


@dataclass(frozen=True, kw_only=True, slots=True)
class AnnotatorFigures:
    """One annotator against the decisions, in which their own label has a part.

    Attributes:
        annotator: Id.
        accuracy: Labels that are the decision.
        precision: Of those called an improvement, decided so.
        recall: Of those decided so, called so.
    """

    annotator: str
    accuracy: Rate
    precision: Rate
    recall: Rate


@dataclass(frozen=True, kw_only=True, slots=True)
class Agreement:
    """All figures of a file of labels.

    Attributes:
        records: With a label.
        pairs: Records on which two labels agree, of those that have two.
        kappa: Of the first and the second label; ``None`` where it is undefined.
        ties: Records on which the first two disagree.
        undecided: Records that wait for a label.
        precision: Records decided to be improvements, of those decided: how often mining is right.
        annotators: Sorted by id.
    """

    records: int
    pairs: Rate
    kappa: Kappa | None
    ties: int
    undecided: int
    precision: Rate
    annotators: tuple[AnnotatorFigures, ...]


def cohens_kappa(counts: Mapping[tuple[str, str], int]) -> Kappa | None:
    """Return kappa of two raters.

    Args:
        counts: Number of records by (first rater's label, second rater's label).

    Returns:
        ``None`` without records, or if chance alone gives full agreement: both raters know one and
        the same label only.
    """
    total = sum(counts.values())
    if not total:
        return None
    shares = {pair: n / total for pair, n in counts.items()}
    names = sorted({name for pair in counts for name in pair})
    first = {a: sum(p for (x, _), p in shares.items() if x == a) for a in names}
    second = {b: sum(p for (_, y), p in shares.items() if y == b) for b in names}
    observed = sum(shares.get((name, name), 0.0) for name in names)
    expected = sum(first[name] * second[name] for name in names)
    # With counts: rounding must not make one label only look like two.
    if any(counts.get((name, name), 0) == total for name in names):
        return None
    value = (observed - expected) / (1 - expected)
    diagonal = sum(
        shares.get((a, a), 0.0) * (1 - (first[a] + second[a]) * (1 - value)) ** 2 for a in names
    )
    beside = (1 - value) ** 2 * sum(
        share * (second[a] + first[b]) ** 2 for (a, b), share in shares.items() if a != b
    )
    rest = (value - expected * (1 - value)) ** 2
    variance = max(diagonal + beside - rest, 0.0) / (total * (1 - expected) ** 2)
    error = sqrt(variance) if variance > _ROUNDING else None
    return Kappa(
        value=value,
        standard_error=error,
        low=None if error is None else max(value - _Z * error, -1.0),
        high=None if error is None else min(value + _Z * error, 1.0),
        observed=observed,
        expected=expected,
        records=total,
    )


def agreement(labels: Iterable[LabelEntry]) -> Agreement:
    """Return all figures of labels in the order in which they were given."""
    by_patch: dict[tuple[str, str], list[LabelEntry]] = {}
    for item in labels:
        by_patch.setdefault((item.instance_id, item.patch_sha256), []).append(item)
    where = [standing(name, items) for (name, _), items in by_patch.items()]
    paired = [item.labels for item in where if len(item.labels) >= PAIR]
    counts = Counter((one.decision.value, two.decision.value) for one, two, *_ in paired)
    decided = [item for item in where if item.decision is not None]
    names = sorted({label.annotator for item in where for label in item.labels})
    return Agreement(
        records=len(where),
        pairs=Rate(right=sum(n for (a, b), n in counts.items() if a == b), of=len(paired)),
        kappa=cohens_kappa(counts),
        ties=sum(item.tied for item in where),
        undecided=len(where) - len(decided),
        precision=Rate(
            right=sum(item.decision is Decision.IMPROVEMENT for item in decided), of=len(decided)
        ),
        annotators=tuple(_annotator(name, decided) for name in names),
    )


def _annotator(name: str, decided: Sequence[Standing]) -> AnnotatorFigures:
    own = [
        (label.decision, item.decision)
        for item in decided
        for label in item.labels
        if label.annotator == name
    ]
    said = [real for label, real in own if label is Decision.IMPROVEMENT]
    true = [label for label, real in own if real is Decision.IMPROVEMENT]
    return AnnotatorFigures(
        annotator=name,
        accuracy=Rate(right=sum(label is real for label, real in own), of=len(own)),
        precision=Rate(right=sum(real is Decision.IMPROVEMENT for real in said), of=len(said)),
        recall=Rate(right=sum(label is Decision.IMPROVEMENT for label in true), of=len(true)),
    )
