"""The token, kept where no log, error, file or ``repr`` shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["TOKEN_VARIABLES", "Token"]

TOKEN_VARIABLES: Final = ("GITHUB_TOKEN", "GH_TOKEN")
"""Environment variables that may hold the token, in order."""


class Token:
    """A secret that may be missing."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        """Hold a token; empty for none."""
        self._value = value.strip()

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Token:
        """The first variable of ``TOKEN_VARIABLES`` that is set."""
        return cls(next((environ[name] for name in TOKEN_VARIABLES if environ.get(name)), ""))

    def __repr__(self) -> str:
        return "Token(***)" if self._value else "Token()"

    def __bool__(self) -> bool:
        return bool(self._value)

    def headers(self) -> dict[str, str]:
        """The header that carries it; none without a token."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def hide(self, text: str) -> str:
        """A text without the token, should a server have sent it back."""
        return text.replace(self._value, "***") if self._value else text
