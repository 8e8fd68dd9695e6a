"""One log file per instance, although several are evaluated at once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["instance_log"]

_PACKAGE = logging.getLogger("jeto_evaluate")


@contextmanager
def instance_log(path: Path) -> Iterator[None]:
    """Write what this thread logs to ``path`` meanwhile, as UTF-8 whatever tests printed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(path, mode="w", encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    mine = threading.get_ident()
    handler.addFilter(lambda item: item.thread == mine)
    _PACKAGE.addHandler(handler)
    level = _PACKAGE.level
    _PACKAGE.setLevel(min(level or logging.INFO, logging.INFO))
    try:
        yield
    finally:
        _PACKAGE.removeHandler(handler)
        handler.close()
