"""Where the commands print tables."""

from __future__ import annotations

from rich.console import Console

__all__ = ["table_console"]

_WIDE = 120


def table_console(*, stderr: bool = False) -> Console:
    """Return a console that does not fold tables at 80 columns where nobody looks at a terminal."""
    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal and console.width < _WIDE:
        return Console(stderr=stderr, highlight=False, width=_WIDE)
    return console
