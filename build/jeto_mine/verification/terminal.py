"""The same questions in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from jeto_bench.records import EtipRecord
from jeto_evaluate.reports.phrases import safe_text, short_name
from jeto_mine.verification.evidence import Evidence, evidence_of
from jeto_mine.verification.labels import add_label, read_labels
from jeto_mine.verification.model import REQUIREMENTS, Answers, make_label
from jeto_mine.verification.progress import open_for

__all__ = ["label_in_terminal"]

_STYLES: Final = {"+": "green", "-": "red", "@": "cyan"}
_TAB: Final = 4
_HELP: Final = "y = yes, n = no, s = skip this record, q = stop"


def label_in_terminal(
    records: Sequence[EtipRecord],
    labels: Path,
    annotator: str,
    *,
    console: Console,
    ask: Callable[[str], str],
) -> int:
    """Show each record that waits and save what is said of it; return the number of labels.

    Args:
        records: To be labelled.
        labels: File of the labels.
        annotator: Id of who labels.
        console: Where records are shown.
        ask: Shows a question and returns the line that was typed; ``EOFError`` ends the work.
    """
    saved = 0
    skipped: set[str] = set()
    while True:
        waiting = [
            item
            for item in open_for(annotator, records, read_labels(labels))
            if item.instance_id not in skipped
        ]
        if not waiting:
            return saved
        record = waiting[0]
        _show(console, record.instance_id, evidence_of(record), len(waiting))
        try:
            answers = _answers(console, ask)
            if answers is None:
                skipped.add(record.instance_id)
                continue
            note = ask("Note (may be empty): ")
        except EOFError:
            return saved
        add_label(labels, make_label(record, annotator, answers, note=note))
        saved += 1
        console.print(f"Saved: {answers.decision.value}\n", markup=False)


def _answers(console: Console, ask: Callable[[str], str]) -> Answers | None:
    """Return what is said of the three requirements, ``None`` to skip; stopping is ``EOFError``."""
    console.print(_HELP, style="dim")
    said: dict[str, bool] = {}
    for field, text in REQUIREMENTS.items():
        while field not in said:
            typed = ask(f"{text} [y/n/s/q] ").strip().lower()
            if typed == "s":
                return None
            if typed == "q":
                raise EOFError
            if typed in {"y", "yes", "n", "no"}:
                said[field] = typed.startswith("y")
            else:
                console.print(_HELP, style="dim")
    return Answers(**said)


def _show(console: Console, name: str, shown: Evidence, left: int) -> None:
    console.rule(safe_text(f"{name} ({left} to go)"))
    console.print(safe_text(shown.title), style="bold")
    issue = shown.issue or "No text but the title is known."
    console.print(safe_text(f"\n{issue.expandtabs(_TAB)}\n"))
    if shown.message:
        message = shown.message.expandtabs(_TAB)
        console.print(safe_text(f"Commit message: {message}\n"), style="dim")
    for fact, value in shown.facts:
        console.print(safe_text(f"{fact}: {value}"))
    if shown.detectors:
        table = Table(*("test class", "", "criteria", "pairs won", "p", "speedup"))
        for test_class, *more in shown.detectors:
            table.add_row(safe_text(short_name(test_class)), *(safe_text(value) for value in more))
        console.print(table)
    else:
        console.print("No test class tells the versions apart.")
    console.print()
    for line in shown.diff:
        text = safe_text(line.expandtabs(_TAB))
        text.stylize(_STYLES.get(line[:1], ""))
        console.print(text, soft_wrap=True)
    console.print(Text())
