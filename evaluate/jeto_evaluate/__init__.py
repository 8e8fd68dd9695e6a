"""The harness: predictions in, measured and judged instances out.

``evaluate`` is imported when it is first used, so that the pure parts need no Docker client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jeto_evaluate.api import evaluate

__all__ = ["evaluate"]


def __getattr__(name: str) -> object:
    if name == "evaluate":
        from jeto_evaluate.api import evaluate  # noqa: PLC0415  # see above

        return evaluate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
