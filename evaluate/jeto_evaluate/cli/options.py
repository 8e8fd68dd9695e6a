"""Options that commands of both command lines have."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["OwnTestTimeout"]

OwnTestTimeout = Annotated[
    float,
    typer.Option(
        "--own-test-timeout",
        min=1,
        help="Seconds after which a launch of a test that came with the fix is cut off.",
    ),
]
