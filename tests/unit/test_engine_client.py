from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest
import requests
from docker.errors import APIError

from jeto_bench.errors import EngineError
from jeto_evaluate.engine.client import connect, is_transient, retrying
from jeto_evaluate.engine.endpoint import Endpoint


def _refused(status: int, text: str = "") -> APIError:
    response = requests.Response()
    response.status_code = status
    return APIError("refused", response=response, explanation=text)


def test_no_engine_at_the_endpoint_is_explained(tmp_path: Path) -> None:
    endpoint = Endpoint(url=f"unix://{tmp_path}/none.sock", source="option")
    with pytest.raises(EngineError, match=r"none\.sock \(from option\) does not answer"):
        connect(endpoint)


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
