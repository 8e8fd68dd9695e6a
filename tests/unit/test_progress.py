"""What a user sees while a run goes on."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console

from jeto_evaluate.run.progress import LineProgress, RichProgress, make_progress


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "monotonic", made)
    return made


def lines(console: Console) -> list[str]:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def plain() -> Console:
    return Console(file=io.StringIO(), width=60)


def test_without_a_terminal_there_are_lines_and_no_control_characters() -> None:
    console = plain()
    progress = make_progress(console, instances=2, rounds=30)
    assert isinstance(progress, LineProgress)
    with progress:
        progress.done("acme__lib-1", "improved (faster)")
        progress.done("acme__lib-2", "[red]tampered[/red] " + "x" * 100)
    first, second = lines(console)
    assert first == "[1/2] acme__lib-1: improved (faster)"
    assert second == "[2/2] acme__lib-2: [red]tampered[/red] " + "x" * 100
    assert "\x1b" not in first + second


def test_a_heartbeat_comes_every_half_minute_with_step_and_forecast(clock: Clock) -> None:
    """field.md rows 38 and 65: a log shows life, the step, and how long it will take."""
    console = plain()
    progress = LineProgress(console, instances=1, rounds=30)
    progress.step("i", "build")
    assert lines(console) == []
    clock.now += 31
    progress.step("i", "warm-up of base")
    assert lines(console) == ["i: warm-up of base"]
    progress.step("i", "round 1 of base")
    clock.now += 40
    progress.step("i", "round 11 of candidate")
    assert lines(console)[1:] == ["i: round 11 of candidate, 30 rounds in all, about 80 s left"]
    clock.now += 29
    progress.step("i", "round 12 of base")
    assert len(lines(console)) == 2


def test_instances_measured_at_once_have_forecasts_of_their_own(clock: Clock) -> None:
    console = plain()
    progress = LineProgress(console, instances=2, rounds=10)
    progress.step("slow", "round 1 of base")
    clock.now += 20
    progress.step("fast", "round 1 of base")
    clock.now += 20
    progress.step("fast", "round 6 of base")
    assert lines(console) == ["fast: round 6 of base, 10 rounds in all, about 20 s left"]


def test_a_terminal_gets_bars_that_count_rounds() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    progress = make_progress(console, instances=2, rounds=2)
    assert isinstance(progress, RichProgress)
    everything = progress._progress.tasks[0]
    with progress:
        progress.step("i", "build")
        assert everything.completed == 0
        for step in ("round 1 of base", "round 1 of candidate", "round 2 of candidate"):
            progress.step("i", step)
        assert everything.completed == 3
        progress.done("i", "tests_failed (test_failure)")
        assert everything.completed == 4
        progress.done("never begun", "empty_patch (patch_empty)")
        assert everything.completed == everything.total == 8
        assert len(progress._progress.tasks) == 1
    assert "i: tests_failed (test_failure)" in "\n".join(lines(console))
