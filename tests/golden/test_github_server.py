"""The API's client against a real HTTP server: sockets, cut-off bodies, dropped connections."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from github_stub import HOME, SECRET, SHORT, FakeClock, Stub, pull, repository, served

from jeto_bench.github.api import Api
from jeto_bench.github.cache import Cache
from jeto_bench.github.client import GitHubClient
from jeto_bench.github.token import Token


@pytest.fixture
def stub() -> Stub:
    commits = {f"{n:040x}": [3] for n in range(120)}
    return Stub(
        repositories={HOME.casefold(): repository(HOME)}, pulls={3: pull(3)}, commits=commits
    )


@pytest.fixture
def base_url(stub: Stub) -> Iterator[str]:
    with served(stub) as url:
        yield url


def test_every_trouble_at_once_loses_nothing_and_asks_nothing_twice(
    stub: Stub, base_url: str, tmp_path: Path
) -> None:
    """field.md rows 103 and 115: limits, 5xx, answers cut off, 304, a vanished repository."""
    clock = FakeClock()

    def fresh(fresh_for: float) -> GitHubClient:
        return GitHubClient(
            Api(
                cache=Cache(tmp_path),
                token=Token(SECRET),
                base_url=base_url,
                fresh_for=fresh_for,
                clock=clock.clock(),
            )
        )

    whole = json.dumps(repository(HOME)).encode()
    stub.next.extend(
        [
            (SHORT, {}, whole),
            (403, {}, b'{"message": "You have exceeded a secondary rate limit"}'),
            (500, {}, b""),
        ]
    )
    client = fresh(1e9)
    first = client.repository(HOME)
    assert first is not None
    assert client.api.sent == {"GET failed": 1, "GET 403": 1, "GET 500": 1, "GET 200": 1}
    assert clock.slept == [1, 120, 4]
    assert client.repository("gone/lib") is None

    stub.next.extend([(429, {"retry-after": "2"}, b""), (200, {}, b'{"data": {"repos')])
    commits = sorted(stub.commits)
    assert len(client.pulls_of_commits(HOME, commits)) == 120
    assert len(stub.asked) == 4 + 1 + 2 + 2
    assert set(stub.things.values()) == {1}

    again = fresh(1e9)
    assert again.repository(HOME) == first
    assert again.repository("gone/lib") is None
    assert len(again.pulls_of_commits(HOME, commits)) == 120
    assert not again.api.sent
    stale = fresh(0.0)
    assert stale.repository(HOME) == first
    assert stale.api.sent == {"GET 304": 1}
    for one in (client, again, stale):
        one.api.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert kept
    assert SECRET.encode() not in kept
    assert stub.tokens == {f"Bearer {SECRET}"}
