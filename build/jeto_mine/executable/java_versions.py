"""Versions and ranges of Java as build files write them. Pure."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["JavaRange", "feature_release", "java_range", "newest_for_level"]

_VERSION: Final = re.compile(r"(?:1\.)?(\d{1,2})(?:[._+\-uU].*)?$")
_RANGE: Final = re.compile(r"([\[(])\s*([^,\[\]()]*?)\s*(?:(,)\s*([^,\[\]()]*?)\s*)?([\])])")


class JavaRange(NamedTuple):
    """Feature releases from ``low`` to ``high``, both allowed; ``None`` where there is no bound."""

    low: int | None
    high: int | None


def feature_release(text: str) -> int | None:
    """Return the feature release of a version: 8 of ``1.8.0_292``, 17 of ``17.0.2-tem``."""
    found = _VERSION.match(text.strip())
    return int(found[1]) if found else None


def java_range(text: str) -> JavaRange | None:
    """Return the range of Maven's enforcer: a bare version is a lower bound there.

    A bound inside a feature release, as in ``[11.0.3,)``, allows that release: which of its updates
    is installed is not for the choice of a JDK. Of several ranges the last one counts, which
    Maven's notation has in ascending order.

    Returns:
        ``None`` if it is none, or holds a property.
    """
    text = text.strip()
    if not text.startswith(("[", "(")):
        low = feature_release(text)
        return None if low is None else JavaRange(low, None)
    ranges = list(_RANGE.finditer(text))
    if not ranges:
        return None
    _, first, comma, second, closing = ranges[-1].groups()
    low = feature_release(first) if first else None
    if comma is None:
        return None if low is None else JavaRange(low, low)
    high = feature_release(second) if second else None
    if (first and low is None) or (second and high is None):
        return None
    # A plain feature release is the first of its updates: "17)" ends before it, "(17" does not
    # shut out its later updates.
    ends_before = high is not None and closing == ")" and _is_plain(second)
    return JavaRange(low, high - 1 if high is not None and ends_before else high)


def _is_plain(version: str) -> bool:
    return re.fullmatch(r"(1\.)?\d{1,2}", version) is not None


def newest_for_level(level: int) -> int | None:
    """Return the newest of our JDKs whose compiler takes a source level; ``None`` for no limit.

    JDK 9 dropped level 5, JDK 12 level 6 and JDK 20 level 7.
    """
    if level <= 5:  # noqa: PLR2004  # named in the text above
        return 8
    return {6: 11, 7: 17}.get(level)
