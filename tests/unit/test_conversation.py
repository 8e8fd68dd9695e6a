"""Answers of a command that stays, from whatever pieces arrive, and what ends a conversation."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator

import pytest

from jeto_bench.errors import ContentError
from jeto_evaluate.sandbox.conversation import Answer, Conversation, answers

TEXT = "\u00e9" * 1000
STREAM = b"0 5\nab\ncd" + b"1 0\n" + b"2 2000\n" + TEXT.encode()
EXPECTED = [
    Answer(status=0, data=b"ab\ncd"),
    Answer(status=1, data=b""),
    Answer(status=2, data=TEXT.encode()),
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 4096])
def test_answers_are_whole_wherever_the_stream_is_cut(size: int) -> None:
    """field.md row 27: a cut inside a character loses nothing."""
    pieces = [STREAM[start : start + size] for start in range(0, len(STREAM), size)]
    assert list(answers(pieces)) == EXPECTED


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        (b"hello\n", "not an answer"),
        (b"0\n", "not an answer"),
        (b"-1 3\n", "not an answer"),
        (b"x" * 100, "not an answer"),
        (b"0 11\n", "at most 10"),
    ],
)
def test_what_is_no_answer_is_refused(stream: bytes, message: str) -> None:
    with pytest.raises(ContentError, match=message):
        list(answers([stream], limit=10))


def test_an_answer_that_is_cut_off_is_not_given() -> None:
    assert list(answers([b"0 3\nab"])) == []


def frame(data: bytes, stream: int = 1) -> bytes:
    """Return data as the engine's protocol wraps it."""
    return struct.pack(">BxxxL", stream, len(data)) + data


@pytest.fixture
def ends() -> Iterator[tuple[Conversation, socket.socket]]:
    ours, theirs = socket.socketpair()
    conversation = Conversation(ours)
    yield conversation, theirs
    theirs.close()
    conversation.close()


def test_questions_go_out_as_lines_and_stderr_is_no_answer(
    ends: tuple[Conversation, socket.socket],
) -> None:
    conversation, theirs = ends
    asked: list[bytes] = []

    def command() -> None:
        asked.append(theirs.recv(100))
        theirs.sendall(frame(b"0 2000\n", stream=2) + frame(b"3 2") + frame(b"\nok"))

    thread = threading.Thread(target=command)
    thread.start()
    assert conversation.ask("serve", 10) == Answer(status=3, data=b"ok")
    thread.join()
    assert asked == [b"serve\n"]


def test_no_answer_in_time_is_none(ends: tuple[Conversation, socket.socket]) -> None:
    conversation, _ = ends
    assert conversation.ask("round", 0.01) is None


def test_a_command_that_has_ended_says_so_to_every_question(
    ends: tuple[Conversation, socket.socket],
) -> None:
    conversation, theirs = ends
    theirs.shutdown(socket.SHUT_WR)
    for _ in range(2):
        with pytest.raises(EOFError):
            conversation.ask("round", 10)
