"""One thing that is wrong with a dataset: the closed list of kinds. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Check", "Finding", "Severity", "error", "warning"]


class Severity(StrEnum):
    """Whether a dataset may be used as it is."""

    ERROR = "error"
    WARNING = "warning"


class Check(StrEnum):
    """What was looked at."""

    SCHEMA = "schema"
    """A file does not decode."""

    VERSION = "version"
    """Manifest, hashes, and the version that rows name."""

    IDS = "ids"
    """One id, several ETIPs; or rows in the wrong config."""

    COPIES = "copies"
    """One change several times (field.md row 52)."""

    PATCH = "patch"
    """A patch cannot be read, or touches other files than the row says."""

    EFFECT = "effect"
    """A reference that changes nothing, or was not seen to be faster (field.md row 48)."""

    BASE = "base"
    """A patch does not apply to its base, or is not the developers'."""

    IMAGE = "image"
    """Digests, and images that are missing, wrong, or tell the fix (field.md row 53)."""

    LIFE = "life"
    """Validation records that do not belong to the rows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        check: What was looked at.
        severity: Whether the dataset may be used as it is.
        where: Config and row, or file.
        message: What is wrong, with names and values.
    """

    check: Check
    severity: Severity
    where: str
    message: str


def error(check: Check, where: str, message: str) -> Finding:
    """Return a finding that forbids use."""
    return Finding(check=check, severity=Severity.ERROR, where=where, message=message)


def warning(check: Check, where: str, message: str) -> Finding:
    """Return a finding that a reader must know."""
    return Finding(check=check, severity=Severity.WARNING, where=where, message=message)
