"""A search finds every repository or says how many it lacks."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from github_stub import FakeClock, Stub, api, repository

from jeto_bench.errors import ForgeError, UsageError
from jeto_bench.github.search import Search
from jeto_bench.github.windows import FIRST_DAY, Window, split

QUERY = "language:Java stars:>=20"
DAY = datetime(2020, 3, 1, tzinfo=UTC)


def crowd(count: int, *, first: datetime, step: timedelta) -> dict[str, dict[str, Any]]:
    return {
        f"acme/lib{n}": repository(f"Acme/lib{n}", n, (first + n * step).isoformat())
        for n in range(count)
    }


def test_2500_hits_are_all_found_in_windows_below_the_cap(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """field.md row 113: 2500 hits; totals compared, windows logged, none asked twice."""
    caplog.set_level(logging.INFO)
    stub = Stub(repositories=crowd(2500, first=DAY, step=timedelta(hours=1)))
    search = Search(api(stub, tmp_path / "cache"), QUERY, tmp_path / "cursor")
    found = search.run()
    assert [item.database_id for item in found.repositories] == sorted(
        range(2500), key=lambda n: f"acme/lib{n}"
    )
    assert (found.total, found.missing) == (2500, 0)
    assert all(0 <= part.total < 1000 for part in found.parts)
    assert len(stub.asked) == len(set(stub.asked))
    pages = sum(max(1, -(-part.total // 100)) for part in found.parts)
    splits = caplog.text.count(" split")
    assert len(stub.asked) == pages + splits
    assert caplog.text.count(" received") == len(found.parts) + 1
    assert "2500 counted, 2500 received, 0 missing" in caplog.text


def test_a_search_that_was_interrupted_goes_on_where_it_was(tmp_path: Path) -> None:
    """field.md row 113: the same result, and no window asked for again, cache or no cache."""
    stub = Stub(repositories=crowd(2500, first=DAY, step=timedelta(hours=1)))
    clock = FakeClock()
    whole = Search(api(stub, tmp_path / "c0", clock), QUERY, tmp_path / "whole").run()
    needed = len(stub.asked)
    stub.asked.clear()

    class Killed(Exception):  # noqa: N818
        pass

    reply = stub.reply
    left = 11

    def until_killed(*arguments: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        return reply(*arguments)

    stub.reply = until_killed  # type: ignore[method-assign,assignment]
    with pytest.raises(Killed):
        Search(api(stub, tmp_path / "c1", clock), QUERY, tmp_path / "cursor").run()
    done = len(list((tmp_path / "cursor").iterdir())) - 1
    assert done
    stub.reply = reply  # type: ignore[method-assign]
    clock.at += 1e6
    again = Search(api(stub, tmp_path / "c2", clock), QUERY, tmp_path / "cursor").run()
    assert again == whole
    assert len(stub.asked) < needed + 11
    asked = len(stub.asked)
    assert Search(api(stub, tmp_path / "c3", clock), QUERY, tmp_path / "cursor").run() == whole
    assert len(stub.asked) == asked


def test_a_second_with_too_many_is_an_error_not_a_sample(tmp_path: Path) -> None:
    """field.md row 113: never cut off silently."""
    stub = Stub(repositories=crowd(1000, first=DAY, step=timedelta(0)))
    with pytest.raises(ForgeError, match="1000 repositories were created in the second 2020-03-01"):
        Search(api(stub, tmp_path / "cache"), QUERY, tmp_path / "cursor").run()


def test_fewer_than_counted_is_asked_again_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """field.md row 113: total against received."""
    short = {
        "total_count": 3,
        "incomplete_results": False,
        "items": [repository("Acme/lib", 1)],
    }
    empty = {**short, "items": []}
    stub = Stub()
    stub.next.extend((200, {}, json.dumps(body).encode()) for body in (short, short, empty))
    found = Search(api(stub, tmp_path / "cache"), QUERY, tmp_path / "cursor").run()
    assert (found.total, found.missing) == (3, 3)
    assert len(stub.asked) == 3
    assert "1 of 3 came" in caplog.text


def test_results_that_github_calls_incomplete_are_asked_for_again(tmp_path: Path) -> None:
    partly = {"total_count": 0, "incomplete_results": True, "items": []}
    stub = Stub(repositories=crowd(5, first=DAY, step=timedelta(days=1)))
    stub.next.append((200, {}, json.dumps(partly).encode()))
    found = Search(api(stub, tmp_path / "cache"), QUERY, tmp_path / "cursor").run()
    assert len(found.repositories) == 5
    stub.next.extend([(200, {}, json.dumps(partly).encode())] * 3)
    with pytest.raises(ForgeError, match="incomplete results, 3 times"):
        Search(api(stub, tmp_path / "cache2"), QUERY, tmp_path / "cursor2").run()


def test_a_folder_keeps_to_one_search(tmp_path: Path) -> None:
    stub = Stub()
    Search(api(stub, tmp_path / "cache"), QUERY, tmp_path / "cursor")
    with pytest.raises(UsageError, match="has the search"):
        Search(api(stub, tmp_path / "cache"), "language:Kotlin", tmp_path / "cursor")
    with pytest.raises(UsageError, match="created:"):
        Search(api(stub, tmp_path / "cache"), "created:>2020-01-01", tmp_path / "other")


@pytest.mark.parametrize("seconds", [2, 3, 59, 86_400, 500_000_000])
@pytest.mark.parametrize("total", [1000, 2500, 1_000_000])
def test_parts_cover_a_window_without_gap_or_overlap(seconds: int, total: int) -> None:
    """field.md row 113: what lies between two windows would be lost."""
    whole = Window(start=FIRST_DAY, end=FIRST_DAY + timedelta(seconds=seconds - 1))
    parts = list(split(whole, total))
    assert len(parts) > 1
    assert (parts[0].start, parts[-1].end) == (whole.start, whole.end)
    assert sum(part.seconds for part in parts) == seconds
    second = timedelta(seconds=1)
    assert all(b.start - a.end == second for a, b in pairwise(parts))


def test_one_second_is_not_split() -> None:
    with pytest.raises(ValueError, match="cannot be split"):
        list(split(Window(start=FIRST_DAY, end=FIRST_DAY), 1000))
