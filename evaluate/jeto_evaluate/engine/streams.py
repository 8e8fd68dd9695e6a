"""What a command executed in a container prints, read without leaking its connection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docker.api.client import APIClient

__all__ = ["exec_stream"]


@contextmanager
def exec_stream(api: APIClient, exec_id: str) -> Iterator[Iterator[bytes]]:
    """Start a command and give the chunks of its stdout and stderr, in the order they come.

    The SDK's own ``close()``, and its reading without ``stream``, leave the connection to the
    garbage collector: thousands of rounds would run out of file descriptors.
    """
    stream = api.exec_start(exec_id, stream=True)
    try:
        yield stream
    finally:
        stream._response.close()  # type: ignore[attr-defined]  # noqa: SLF001
