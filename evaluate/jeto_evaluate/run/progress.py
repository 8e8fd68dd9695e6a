"""What a user sees while a run goes on: instances, step, rounds, forecast."""

from __future__ import annotations

import re
import threading
import time
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

__all__ = ["LineProgress", "RichProgress", "RunProgress", "make_progress"]

_ROUND = re.compile(r"round (\d+) of")
_HEARTBEAT_S = 30.0


class RunProgress(Protocol):
    """Told of every step; called from the workers' threads."""

    def __enter__(self) -> Self:
        """Begin to show."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop showing."""
        ...

    def step(self, instance_id: str, step: str) -> None:
        """An instance begins a step."""
        ...

    def done(self, instance_id: str, outcome: str) -> None:
        """An instance has its outcome."""
        ...


def make_progress(console: Console, *, instances: int, rounds: int) -> RunProgress:
    """Return bars for a terminal, else lines with a heartbeat."""
    if console.is_terminal:
        return RichProgress(console, instances=instances, rounds=rounds)
    return LineProgress(console, instances=instances, rounds=rounds)


class RichProgress:
    """A bar for the run and one for each instance under way; the forecast follows the pairs."""

    def __init__(self, console: Console, *, instances: int, rounds: int) -> None:
        self._rounds = rounds
        self._lock = threading.Lock()
        self._tasks: dict[str, TaskID] = {}
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[step]}"),
            console=console,
            transient=True,
        )
        # Counted in rounds, so that the forecast moves while an instance is measured.
        self._all = self._progress.add_task(
            "all instances", total=instances * 2 * rounds, step=f"0 of {instances} instances"
        )
        self._instances, self._finished = instances, 0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def step(self, instance_id: str, step: str) -> None:
        """Show the step; a round moves both bars."""
        with self._lock:
            if instance_id not in self._tasks:
                self._tasks[instance_id] = self._progress.add_task(
                    instance_id, total=2 * self._rounds, step=step
                )
            task = self._tasks[instance_id]
            self._progress.update(task, step=step)
            if _ROUND.match(step):
                self._progress.advance(task)
                self._progress.advance(self._all)

    def done(self, instance_id: str, outcome: str) -> None:
        """Print the outcome above the bars and count the instance as complete."""
        with self._lock:
            task = self._tasks.pop(instance_id, None)
            counted = 0.0
            if task is not None:
                counted = self._progress.tasks[self._progress.task_ids.index(task)].completed
                self._progress.remove_task(task)
            self._finished += 1
            self._progress.update(
                self._all,
                advance=2 * self._rounds - counted,
                step=f"{self._finished} of {self._instances} instances",
            )
            self._progress.console.print(f"{instance_id}: {outcome}", highlight=False)


class LineProgress:
    """One line per instance, and one every half minute while it is measured."""

    def __init__(self, console: Console, *, instances: int, rounds: int) -> None:
        self._console = console
        self._instances, self._rounds, self._finished = instances, rounds, 0
        self._lock = threading.Lock()
        self._said = time.monotonic()
        self._first_round: dict[str, float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    def step(self, instance_id: str, step: str) -> None:
        """Print a heartbeat with the step and a forecast, not more often than every 30 s."""
        with self._lock:
            now = time.monotonic()
            found = _ROUND.match(step)
            forecast = ""
            if found:
                forecast = f", {self._rounds} rounds in all"
                started = self._first_round.setdefault(instance_id, now)
                done = int(found[1]) - 1
                if done:
                    left = (now - started) / done * (self._rounds - done)
                    forecast += f", about {left:.0f} s left"
            if now - self._said >= _HEARTBEAT_S:
                self._said = now
                self._say(f"{instance_id}: {step}{forecast}")

    def done(self, instance_id: str, outcome: str) -> None:
        """Print the outcome."""
        with self._lock:
            self._said = time.monotonic()
            self._finished += 1
            self._say(f"[{self._finished}/{self._instances}] {instance_id}: {outcome}")

    def _say(self, text: str) -> None:
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)
