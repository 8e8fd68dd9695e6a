"""What a comma means in one report: decimals or thousands (field.md row 69).

One file is written by one formatter, so the convention is decided once per file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jeto_evaluate.surefire.times import Comma, Time

__all__ = ["SuiteTimes", "comma_of_file"]

# Languages whose Java number format writes the decimals after a comma. Where a language is split
# (Spanish in Mexico, German in Switzerland) other evidence in the file comes first.
_DECIMAL_COMMA = frozenset({
    "af", "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fo",
    "fr", "fy", "gl", "hr", "hu", "hy", "id", "in", "is", "it", "ka", "kk", "kl", "ky", "lb",
    "lt", "lv", "mk", "mn", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq",
    "sr", "sv", "tr", "uk", "uz", "vi",
})  # fmt: skip
_DECIMAL_POINT = frozenset({
    "am", "ar", "bn", "cy", "en", "fa", "ga", "gu", "he", "hi", "iw", "ja", "kn", "ko", "ml",
    "mr", "ms", "mt", "ne", "pa", "si", "sw", "ta", "te", "th", "ur", "zh",
})  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteTimes:
    """The times of one suite that are to agree: the suite's own (if it has one) and its cases'."""

    suite: Time | None
    cases: tuple[Time, ...]


def _fits(times: SuiteTimes, comma: Comma) -> tuple[bool, bool]:
    """Whether the cases fit into the suite, and whether they explain at least half of it."""
    if times.suite is None or not times.cases:
        return True, False
    suite = times.suite.under(comma) or 0
    total = sum(case.under(comma) or 0 for case in times.cases)
    # Every printed number is rounded, so the sum may exceed the suite by a millisecond a case.
    return total <= suite + len(times.cases) + 1, 2 * total >= suite > 0


def comma_of_file(suites: Sequence[SuiteTimes], *, language: str | None) -> Comma | None:
    """Decide what commas mean in one file.

    In this order: what unmistakable times of the same file prove, where they agree; the report's
    own ``user.language``; the convention under which the cases add up to their suite.

    Args:
        suites: All times of the file.
        language: Value of the ``user.language`` property, if the file has one.

    Returns:
        The convention, or ``None`` if nothing decides it although it matters.
    """
    every = [time for suite in suites for time in (suite.suite, *suite.cases) if time is not None]
    proofs = {proof for time in every if (proof := time.evidence) is not None}
    if len(proofs) == 1:
        return proofs.pop()
    if all(not time.ambiguous for time in every):
        return Comma.GROUPING
    name = (language or "").lower()
    if name in _DECIMAL_COMMA or name in _DECIMAL_POINT:
        return Comma.DECIMAL if name in _DECIMAL_COMMA else Comma.GROUPING
    fits = {comma: [_fits(suite, comma) for suite in suites] for comma in Comma}
    possible = [comma for comma in Comma if all(fit for fit, _ in fits[comma])]
    if len(possible) > 1:
        possible = [comma for comma in possible if any(close for _, close in fits[comma])]
    return possible[0] if len(possible) == 1 else None
