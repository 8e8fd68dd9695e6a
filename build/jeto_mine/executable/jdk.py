"""Which JDKs to try for a tree, in which order. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jeto_evaluate.images.layout import JAVA_VERSIONS
from jeto_mine.executable.jdk_evidence import Evidence, Says

__all__ = ["JdkLadder", "jdk_ladder"]

_WITHOUT_EVIDENCE: Final = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class JdkLadder:
    """The JDKs of the images, the likeliest first.

    Attributes:
        releases: Feature releases to try in turn; every arm of an ETIP gets the same.
        contradiction: Evidence that cannot all be true; empty if it can.
        evidence: What it was chosen by.
    """

    releases: tuple[int, ...]
    contradiction: str
    evidence: tuple[Evidence, ...]


def jdk_ladder(evidence: Sequence[Evidence]) -> JdkLadder:
    """Order the JDKs by what the tree says.

    First those that its developers use, the oldest first, since later ones are in a CI to see what
    breaks; then the others that no file rules out, the oldest first; then newer ones than a file
    allows. Older ones than a file demands are not tried. A tree that says nothing is compiled for
    the default of its compiler plugin, 1.5 to 1.8, which JDK 8 takes.
    """
    lowest = max((_own(item) for item in evidence if item.says is Says.AT_LEAST), default=0)
    highest = min((item.release for item in evidence if item.says is Says.AT_MOST), default=99)
    contradiction = ""
    if highest < lowest:
        contradiction = f"wants at least {lowest} and at most {highest}"
        highest = 99
    allowed = [release for release in JAVA_VERSIONS if release >= lowest]
    inside = [release for release in allowed if release <= highest]
    used = sorted({_own(item) for item in evidence if item.says is Says.USED})
    first = [release for release in used if release in inside]
    if not evidence:
        first = [_WITHOUT_EVIDENCE]
    return JdkLadder(
        releases=tuple(dict.fromkeys((*first, *inside, *allowed))),
        contradiction=contradiction,
        evidence=tuple(evidence),
    )


def _own(item: Evidence) -> int:
    """Return the oldest JDK of ours that can do what a release can."""
    return next((own for own in JAVA_VERSIONS if own >= item.release), max(JAVA_VERSIONS) + 1)
