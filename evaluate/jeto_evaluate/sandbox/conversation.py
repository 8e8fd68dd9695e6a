"""Questions to a command that stays in a container, and its answers."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from docker.utils.socket import STDOUT, frames_iter

from jeto_bench.errors import ContentError

__all__ = ["Answer", "Conversation", "answers"]

_LIMIT: Final = 80 * 1024 * 1024
_HEADER_BYTES: Final = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What the command says to one question.

    Attributes:
        status: A status as commands exit with.
        data: What else it says.
    """

    status: int
    data: bytes


class Conversation:
    """One question at a time; each is a line, each answer ``STATUS SIZE``, a line end, the data.

    Args:
        socket: Of the engine's client, as it gives it for a command with stdin.
    """

    def __init__(self, socket: Any) -> None:  # its kind depends on the way
        self._socket = socket
        # The client wraps sockets of the plain kind, and only to be read.
        self._connection = getattr(socket, "_sock", socket)
        self._answers: queue.SimpleQueue[Answer | Exception] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def ask(self, question: str, seconds: float) -> Answer | None:
        """Ask, and wait for the answer; ``None`` if there is none in time.

        Raises:
            EOFError: The command has ended.
            ContentError: The answer is too large, or none.
            OSError: The connection is broken.
        """
        try:
            self._connection.sendall(f"{question}\n".encode())
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            return None
        except BrokenPipeError as error:
            raise EOFError("the command has ended") from error
        if isinstance(answer, Exception):
            self._answers.put(answer)
            raise answer
        return answer

    def close(self) -> None:
        """Give the connection back; the command finds the end of its stdin."""
        # Where the client keeps the response, the socket is a part of it, yet outlives it.
        getattr(self._socket, "_response", self._socket).close()
        self._connection.close()

    def _listen(self) -> None:
        try:
            frames = frames_iter(self._socket, tty=False)  # type: ignore[no-untyped-call]
            for answer in answers(data for kind, data in frames if kind == STDOUT):
                self._answers.put(answer)
            self._answers.put(EOFError("the command has ended"))
        except Exception as error:  # noqa: BLE001  # handed to who asks
            self._answers.put(error)


def answers(chunks: Iterable[bytes], *, limit: int = _LIMIT) -> Iterator[Answer]:
    """Cut a stream into answers, wherever its chunks begin and end.

    Args:
        chunks: Pieces of the stream.
        limit: Bytes that the data of one answer may have.

    Raises:
        ContentError: The stream is not made of answers, or one is too large.
    """
    kept = bytearray()
    size = -1
    status = 0
    for chunk in chunks:
        kept += chunk
        while True:
            if size < 0:
                head, end, _ = kept.partition(b"\n")
                if not end and len(head) <= _HEADER_BYTES:
                    break
                status, size = _header(bytes(head), limit)
                del kept[: len(head) + 1]
            if len(kept) < size:
                break
            yield Answer(status=status, data=bytes(kept[:size]))
            del kept[:size]
            size = -1


def _header(line: bytes, limit: int) -> tuple[int, int]:
    words = line.split()
    if len(words) != 2 or not all(word.isdigit() for word in words):  # noqa: PLR2004  # status, size
        raise ContentError(f"not an answer: {line[:_HEADER_BYTES]!r}")
    if int(words[1]) > limit:
        raise ContentError(f"an answer of {int(words[1])} bytes; at most {limit} are read")
    return int(words[0]), int(words[1])
