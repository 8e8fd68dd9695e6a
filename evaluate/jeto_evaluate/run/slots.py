"""Units of work on slots that share no CPU, with an orderly end."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final, TypeVar

from jeto_evaluate.run.interrupts import stop_on_signals

__all__ = ["work_on_slots"]

_POLL_S: Final = 0.2
Slot = TypeVar("Slot")
Item = TypeVar("Item")
Result = TypeVar("Result")


def work_on_slots(
    items: Sequence[Item],
    slots: Sequence[Slot],
    work: Callable[[Slot, Item], Result],
    *,
    stop: threading.Event,
    kill: Callable[[], None],
    is_overdue: Callable[[], bool] = lambda: False,
) -> tuple[Future[Result], ...]:
    """Work on each item, on one free slot at a time, and wait for all.

    Args:
        items: Begun in this order.
        slots: As many items are worked on at once.
        work: Does one; it looks at ``stop`` before it begins anything long.
        stop: Set by Ctrl-C, by SIGTERM, when overdue, or by ``work`` itself.
        kill: Ends all containers, again and again once ``stop`` is set: who waits for one is freed
            and comes to its next step.
        is_overdue: Asked while work is pending; true ends the whole.

    Returns:
        One future per item, in the order given, each done: with its result or its exception.
    """
    free: queue.SimpleQueue[Slot] = queue.SimpleQueue()
    for slot in slots:
        free.put(slot)

    def on_a_slot(item: Item) -> Result:
        slot = free.get()
        try:
            return work(slot, item)
        finally:
            free.put(slot)

    with stop_on_signals(stop), ThreadPoolExecutor(len(slots)) as pool:
        futures = tuple(pool.submit(on_a_slot, item) for item in items)
        pending: set[Future[Result]] = set(futures)
        while pending:
            pending = wait(pending, timeout=_POLL_S).not_done
            if pending and not stop.is_set() and is_overdue():
                stop.set()
            if stop.is_set():
                kill()
    return futures
