"""The end of what a command prints, read while something else keeps the time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Final

__all__ = ["Tail"]

_SIZE: Final = 64 * 1024


class Tail:
    """Drains a stream in a thread and keeps its end."""

    def __init__(self, stream: Iterator[bytes]) -> None:
        self.data = b""
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._drain, args=(stream,), daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the stream is still open."""
        return self._thread.is_alive()

    def wait(self, seconds: float) -> None:
        """Wait for the end of the stream; raise what the engine raised."""
        self._thread.join(seconds)
        if self._error is not None:
            raise self._error

    def _drain(self, stream: Iterator[bytes]) -> None:
        try:
            for chunk in stream:
                self.data = (self.data + chunk)[-_SIZE:]
        except Exception as error:  # noqa: BLE001  # handed to the waiting thread
            self._error = error
