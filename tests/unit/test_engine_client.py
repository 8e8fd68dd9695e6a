from __future__ import annotations

from unittest.mock import Mock

import pytest
import requests
from docker.errors import APIError

from jeto_evaluate.engine.client import is_transient, retrying


def _refused(status: int, text: str = "") -> APIError:
    response = requests.Response()
    response.status_code = status
    return APIError("refused", response=response, explanation=text)


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (_refused(429), True),
        (_refused(500, "toomanyrequests: quota"), True),
        (_refused(503), True),
        (requests.ConnectionError("reset"), True),
        (requests.ReadTimeout("late"), True),
        (_refused(404), False),
        (ValueError("no"), False),
    ],
)
def test_only_passing_trouble_is_tried_again(error: Exception, again: bool) -> None:  # noqa: FBT001
    assert is_transient(error) is again


def test_registry_that_refuses_twice_is_asked_a_third_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """field.md row 29: a registry that answers 429 twice, then serves."""
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda _: None)
    call = Mock(side_effect=[_refused(429), _refused(429), "image"])
    call.__name__ = "pull"
    assert retrying(call)() == "image"
    assert call.call_count == 3


def test_a_refusal_is_not_repeated() -> None:
    call = Mock(side_effect=_refused(404))
    call.__name__ = "pull"
    with pytest.raises(APIError):
        retrying(call)()
    assert call.call_count == 1
