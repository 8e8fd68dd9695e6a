"""Pairs that were cut off: never more certain than what is hidden allows."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from jeto_evaluate.statistics.censored import (
    CensoredPair,
    CensoredTime,
    censored_tests,
    is_decided,
    pairs_needed,
)

ALPHA = Fraction(1, 20)
SHARE = Fraction(1, 20)
TIMES = st.integers(0, 100_000)
ADDED = st.integers(0, 100_000)
PAIRS = st.lists(st.tuples(TIMES, st.booleans(), ADDED, TIMES, st.booleans(), ADDED), max_size=9)
Drawn = list[tuple[int, bool, int, int, bool, int]]


def seen(drawn: Drawn) -> list[CensoredPair]:
    return [
        CensoredPair(
            base=CensoredTime(milliseconds=base, censored=base_cut),
            other=CensoredTime(milliseconds=other, censored=other_cut),
        )
        for base, base_cut, _, other, other_cut, _ in drawn
    ]


def whole(drawn: Drawn) -> list[CensoredPair]:
    """The same pairs, each cut-off time with what was hidden of it."""
    return [
        CensoredPair(
            base=CensoredTime(milliseconds=base + (hidden if base_cut else 0)),
            other=CensoredTime(milliseconds=other + (other_hidden if other_cut else 0)),
        )
        for base, base_cut, hidden, other, other_cut, other_hidden in drawn
    ]


@given(PAIRS)
def test_what_is_hidden_never_takes_a_win_away(drawn: Drawn) -> None:
    (cut,) = censored_tests({"a": seen(drawn)}, planned=9, share=SHARE, alpha=ALPHA)
    (full,) = censored_tests({"a": whole(drawn)}, planned=9, share=SHARE, alpha=ALPHA)
    assert cut.improved.wins <= full.improved.wins
    assert cut.regressed.wins <= full.regressed.wins
    assert cut.speedup_at_least <= full.speedup_at_least
    assert not (cut.improved.significant and cut.regressed.significant)


@given(PAIRS)
def test_the_roles_can_be_swapped(drawn: Drawn) -> None:
    swapped = [CensoredPair(base=pair.other, other=pair.base) for pair in seen(drawn)]
    (one,) = censored_tests({"a": seen(drawn)}, planned=9, share=SHARE, alpha=ALPHA)
    (two,) = censored_tests({"a": swapped}, planned=9, share=SHARE, alpha=ALPHA)
    assert (one.improved, one.regressed) == (two.regressed, two.improved)


@given(PAIRS, st.integers(1, 5))
def test_what_is_decided_stays_so_whatever_follows(drawn: Drawn, classes: int) -> None:
    planned = pairs_needed(classes, ALPHA)
    pairs = seen(drawn)[:planned]
    for length in range(len(pairs)):
        if is_decided(pairs[:length], planned=planned, classes=classes, share=SHARE, alpha=ALPHA):
            (now,) = censored_tests(
                {"a": pairs[:length]}, planned=planned, share=SHARE, alpha=ALPHA / classes
            )
            (later,) = censored_tests(
                {"a": pairs}, planned=planned, share=SHARE, alpha=ALPHA / classes
            )
            assert now.improved.significant == later.improved.significant
            assert now.regressed.significant == later.regressed.significant
            break


@given(st.integers(1, 50))
def test_the_pairs_planned_are_enough_for_a_clear_class_with_one_loss(classes: int) -> None:
    planned = pairs_needed(classes, ALPHA)
    win = CensoredPair(
        base=CensoredTime(milliseconds=30_000, censored=True), other=CensoredTime(milliseconds=900)
    )
    loss = CensoredPair(base=CensoredTime(milliseconds=1), other=CensoredTime(milliseconds=1))
    pairs = {f"c{number:02}": [loss] * planned for number in range(classes - 1)}
    pairs["clear"] = [loss, *[win] * (planned - 1)]
    found = censored_tests(pairs, planned=planned, share=SHARE, alpha=ALPHA)
    assert [item.test_class for item in found if item.improved.significant] == ["clear"]
