"""How long to wait for GitHub: read from its headers, bounded, spread."""

from __future__ import annotations

import pytest

from jeto_bench.github.limits import (
    LONGEST_WAIT_S,
    Kind,
    Trouble,
    budget_of,
    gives_up,
    trouble_of,
    wait_seconds,
)

NOW = 1_700_000_000.0
SECONDARY = '{"message": "You have exceeded a secondary rate limit."}'


@pytest.mark.parametrize(
    ("status", "headers", "body", "trouble"),
    [
        (200, {}, "", None),
        (404, {}, "", None),
        (422, {}, "rate limit", None),
        (500, {}, "", Trouble(kind=Kind.SERVER)),
        (503, {"retry-after": "7"}, "", Trouble(kind=Kind.SERVER, after=7)),
        (403, {}, '{"message": "Resource not accessible"}', None),
        (403, {}, SECONDARY, Trouble(kind=Kind.SECONDARY)),
        (403, {"retry-after": "90"}, SECONDARY, Trouble(kind=Kind.SECONDARY, after=90)),
        (403, {"retry-after": "90"}, "", Trouble(kind=Kind.SECONDARY, after=90)),
        (429, {}, "", Trouble(kind=Kind.SECONDARY)),
        (
            403,
            {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000120"},
            "API rate limit exceeded",
            Trouble(kind=Kind.PRIMARY, after=120),
        ),
        (
            429,
            {"x-ratelimit-remaining": "17", "x-ratelimit-reset": "1700000120"},
            "",
            Trouble(kind=Kind.SECONDARY),
        ),
        (
            429,
            {"retry-after": "Tue, 14 Nov 2023 22:14:20 GMT"},
            "",
            Trouble(kind=Kind.SECONDARY, after=60),
        ),
        (429, {"retry-after": "soon"}, "", Trouble(kind=Kind.SECONDARY)),
        (429, {"retry-after": "\u00b2"}, "", Trouble(kind=Kind.SECONDARY)),
        (429, {"retry-after": "9" * 5000}, "", Trouble(kind=Kind.SECONDARY)),
        (429, {"retry-after": "Mon, 01 Jan 0001 00:00:00 +9999"}, "", Trouble(kind=Kind.SECONDARY)),
    ],
)
def test_an_answer_says_whether_to_ask_again(
    status: int, headers: dict[str, str], body: str, trouble: Trouble | None
) -> None:
    """field.md row 103: 429 and secondary limits, with a hint or without one."""
    assert trouble_of(status, headers, body, now=NOW) == trouble


def test_the_servers_clock_counts_where_it_is_told() -> None:
    headers = {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": "1700000060",
        "date": "Tue, 14 Nov 2023 22:13:20 GMT",  # = NOW
    }
    wrong = NOW + 86_400
    budget = budget_of(headers, now=wrong)
    assert budget is not None
    assert budget.resets_in == 60


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("after", [None, 0.0, 30.0, 3000.0])
@pytest.mark.parametrize("draw", [0.0, 0.999])
def test_waits_are_bounded_and_never_less_than_asked_for(
    kind: Kind, after: float | None, draw: float
) -> None:
    trouble = Trouble(kind=kind, after=after)
    waits = [wait_seconds(trouble, attempt=n, draw=draw) for n in range(1, 30)]
    assert all(0 < wait <= LONGEST_WAIT_S for wait in waits)
    assert waits == sorted(waits)
    if after is not None:
        assert min(waits) > after
    elif kind is Kind.SECONDARY:
        assert waits[:3] == pytest.approx([60 + 15 * draw, 120 + 15 * draw, 240 + 15 * draw])
        assert max(waits) < 1000


def test_a_header_that_asks_for_years_is_not_believed() -> None:
    forever = Trouble(kind=Kind.PRIMARY, after=1e9)
    assert wait_seconds(forever, attempt=1, draw=0.5) == LONGEST_WAIT_S


def test_clients_refused_together_come_back_apart() -> None:
    trouble = Trouble(kind=Kind.SECONDARY)
    assert len({wait_seconds(trouble, attempt=1, draw=n / 10) for n in range(10)}) == 10


@pytest.mark.parametrize("kind", Kind)
def test_asking_ends_some_time(kind: Kind) -> None:
    trouble = Trouble(kind=kind)
    assert not gives_up(trouble, attempt=5)
    assert gives_up(trouble, attempt=8)
