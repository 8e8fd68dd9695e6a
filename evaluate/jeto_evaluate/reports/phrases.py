"""Words and numbers as the terminal shows them, shared by the views of a report."""

from __future__ import annotations

from rich.text import Text

from jeto_evaluate.agent_lines import Jvm
from jeto_evaluate.criteria import Criteria
from jeto_evaluate.judging import ClassVerdict, Direction
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.peers import PeerFigures

__all__ = [
    "STYLES",
    "clean",
    "criteria_line",
    "jvm_line",
    "p_value",
    "peers_line",
    "safe_text",
    "short_name",
    "small_p",
    "speedup",
]

_SMALLEST_P = 0.0001
STYLES = {
    Outcome.INFRA_ERROR: "bold magenta",
    Outcome.IMPROVED: "bold green",
    Outcome.REGRESSED: "bold red",
    Outcome.TAMPERED: "bold red",
    Outcome.NO_IMPROVEMENT: "yellow",
    Outcome.NOT_MEASURABLE: "yellow",
}


def criteria_line(criteria: Criteria) -> str:
    """Return the criteria in one phrase."""
    at_least = ">=" if criteria.inclusive_ties else ">"
    floor = f", classes from {criteria.floor_ms} ms" if criteria.floor_ms else ""
    percent = float(100 * criteria.min_improvement)
    return (
        f"criteria {criteria.name} (pairs {at_least} {percent:.4g} % saved, "
        f"p < {float(criteria.alpha):.4g}{floor})"
    )


def jvm_line(jvm: Jvm) -> str:
    """Return what a test JVM says of itself, in one line."""
    collectors = ", ".join(jvm.collectors) or "no collector named"
    return (
        f"Test JVM: {jvm.java}, {jvm.processors} processors,"
        f" heap up to {jvm.max_heap_bytes >> 20} MiB, {collectors}"
    )


def peers_line(peers: PeerFigures) -> str:
    """Return what SWE-Perf and GSO would say, in one line."""
    kept = [
        f"{short_name(item.test_class)} {item.delta:.1%}" for item in peers.sweperf if item.kept
    ]
    gso = peers.gso
    parts = [
        f"SWE-Perf's own rule, uncorrected: {', '.join(kept) or 'nothing'} saved",
        f"GSO speedup {'-' if gso.speedup is None else f'{gso.speedup:.2f}x'}",
    ]
    if gso.opt is not None:
        against = "-" if gso.against_reference is None else f"{gso.against_reference:.2f}x"
        parts.append(f"{against} of the reference, Opt {'yes' if gso.opt else 'no'}")
    return "; ".join(parts)


def speedup(verdict: ClassVerdict) -> str:
    """Return the median speedup, or a dash where it is undefined."""
    return "-" if verdict.median_speedup is None else f"{verdict.median_speedup:.2f}x"


def p_value(direction: Direction) -> str:
    """Return p with four decimals, or that it is smaller than those can say."""
    return small_p(direction.p_value)


def small_p(value: float) -> str:
    """Return a p-value with four decimals, or that it is smaller than those can say."""
    return f"<{_SMALLEST_P}" if value < _SMALLEST_P else f"{value:.4f}"


def short_name(test_class: str) -> str:
    """Return a class name without its package."""
    return test_class.rsplit(".", maxsplit=1)[-1]


def safe_text(text: str) -> Text:
    """Return ``text`` for a terminal: no markup, nothing that drives it."""
    return Text(clean(text))


def clean(text: str) -> str:
    """Return ``text`` without what could drive a terminal; logs come from hostile code."""
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)
