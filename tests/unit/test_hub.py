"""Waiting for a busy Hub, and giving up with a plain error; nothing is sent here."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from huggingface_hub.errors import HfHubHTTPError

from jeto_bench.errors import InfrastructureError
from jeto_bench.publishing.hub import Hub, connect_hub

SECRET = "hf_secretSecret"  # noqa: S105  # of this test


def refusal(status: int, **headers: str) -> HfHubHTTPError:
    response: Any = SimpleNamespace(
        status_code=status, headers=headers, request=SimpleNamespace(url="u", headers={}), text=""
    )
    return HfHubHTTPError(f"refused {SECRET}", response=response)


def hub(tag: Callable[..., None], waits: list[float], said: list[str]) -> Hub:
    api: Any = SimpleNamespace(create_tag=tag, endpoint="http://hub.example")
    return Hub(api=api, token=SECRET, sleep=waits.append, say=said.append)


def test_it_waits_as_long_as_the_hub_asks_for_else_longer_each_time() -> None:
    """field.md row 103: 429 with and without ``Retry-After``."""
    answers = [refusal(429, **{"Retry-After": "7"}), refusal(429), refusal(503), None]
    waits: list[float] = []
    said: list[str] = []

    def tag(*_: object, **__: object) -> None:
        answer = answers.pop(0)
        if answer is not None:
            raise answer

    hub(tag, waits, said).tag("o/n", "v1.0.0", "c")
    assert waits == [7.0, 2.0, 4.0]
    assert said[0] == "The Hub is busy (tag v1.0.0): trying again in 7 s"


def test_it_gives_up_in_the_end_and_names_no_secret() -> None:
    """field.md row 103."""
    waits: list[float] = []

    def tag(*_: object, **__: object) -> None:
        raise refusal(429, **{"Retry-After": "100000"})

    with pytest.raises(InfrastructureError, match="could not tag v1") as caught:
        hub(tag, waits, []).tag("o/n", "v1.0.0", "c")
    assert waits == [300.0] * 6
    assert SECRET not in str(caught.value)


def test_other_refusals_are_not_repeated() -> None:
    waits: list[float] = []

    def tag(*_: object, **__: object) -> None:
        raise refusal(409)

    with pytest.raises(InfrastructureError):
        hub(tag, waits, []).tag("o/n", "v1.0.0", "c")
    assert waits == []


def test_the_token_is_the_environments_and_is_not_shown() -> None:
    made = connect_hub(environ={"HF_TOKEN": f" {SECRET}\n"}, sleep=print, say=print)
    assert made.token == SECRET
    assert SECRET not in repr(made)
    bare = connect_hub(environ={"HF_ENDPOINT": "http://hub.example"}, sleep=print, say=print)
    assert bare.token is False  # not the one that a login left on this machine
    assert bare.api.endpoint == "http://hub.example"
