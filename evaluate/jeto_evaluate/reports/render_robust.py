"""What a terminal shows of a robust verdict."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jeto_evaluate.reports.phrases import safe_text, short_name, small_p
from jeto_evaluate.robust_judging import RobustJudgement
from jeto_evaluate.statistics.paired_metric import Metric
from jeto_evaluate.statistics.robust_class import RobustClass, RobustStatus
from jeto_evaluate.statistics.robust_criteria import RobustCriteria

__all__ = ["render_robust", "robust_factor", "robust_line", "robust_p"]

_METRICS = {
    Metric.JAVA_CPU: "CPU",
    Metric.WALL_LESS_WAIT: "wall - queue",
    Metric.SUREFIRE_WALL: "wall (Surefire)",
    Metric.ALLOCATED: "bytes",
}
_WORDS = {
    RobustStatus.BELOW_FLOOR: "too short",
    RobustStatus.TOO_FEW_ROUNDS: "too few rounds",
    RobustStatus.TOO_NOISY: "too noisy",
}


def robust_line(criteria: RobustCriteria) -> str:
    """Return the robust criteria in one phrase."""
    percent = float(100 * criteria.min_improvement)
    return (
        f"criteria {criteria.name} (more than {percent:.4g} % saved, "
        f"corrected p < {float(criteria.alpha):.4g})"
    )


def render_robust(judgement: RobustJudgement) -> list[RenderableType]:
    """Return the stage that decides, and what allocation says beside it."""
    confirmed = judgement.confirmation
    parts: list[RenderableType] = []
    if confirmed is None:
        parts += [Text("Robust, all classes in one stage:", "bold"), _table(judgement.deciding)]
    elif confirmed.named:
        parts += [
            Text("Robust, what the screen or the record names, alone in its JVM:", "bold"),
            _table(confirmed.classes),
        ]
        if any(item.pairs < judgement.criteria.rounds for item in confirmed.classes):
            parts.append(
                Text(
                    "Measured until decided or hopeless; p pays for the looks on the way, so it is"
                    " seldom far below the limit.",
                    "dim",
                )
            )
    else:
        parts.append(Text("Robust: the screen names no class, so there is nothing to confirm."))
        parts += _visible(judgement.screen.classes)
    noisy = [item for item in judgement.screen.classes if item.status is RobustStatus.TOO_NOISY]
    if noisy:
        names = ", ".join(short_name(item.test_class) for item in noisy)
        parts.append(safe_text(f"Not measurable here, too noisy: {names}"))
    allocated = judgement.allocation
    if allocated is not None:
        parts += [safe_text(line) for line in _allocations(allocated.classes)]
    return parts


def _visible(classes: Sequence[RobustClass]) -> list[RenderableType]:
    """Say how small a change would have been seen, where none was."""
    known = sorted(
        (item.smallest_detectable, item.test_class)
        for item in classes
        if item.smallest_detectable is not None
    )
    if not known:
        return []
    (least, quiet), (most, noisy) = known[0], known[-1]
    text = f"The smallest change that it could see: {least:.1%} in {short_name(quiet)}"
    if noisy != quiet:
        text += f", up to {most:.1%} in {short_name(noisy)}"
    return [safe_text(text)]


def robust_factor(item: RobustClass) -> str:
    """Return the speedup with its interval."""
    if item.speedup_low is None or item.speedup_high is None:
        return f"{item.speedup:.2f}x"
    return f"{item.speedup:.2f}x ({item.speedup_low:.2f} to {item.speedup_high:.2f})"


def robust_p(item: RobustClass, *, slower: bool) -> str:
    """Return the corrected p of one direction, or a dash where it was not tested."""
    adjusted = (item.regressed if slower else item.improved).adjusted_p
    return "-" if adjusted is None else small_p(adjusted)


def _table(classes: Sequence[RobustClass]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("test class", overflow="fold")
    table.add_column("measured", no_wrap=True)
    for name in ("pairs", "speedup (95 %)", "faster p", "slower p", "can see"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for item in classes:
        least = item.smallest_detectable
        table.add_row(
            safe_text(short_name(item.test_class)),
            _METRICS[item.metric],
            str(item.pairs),
            robust_factor(item),
            robust_p(item, slower=False),
            robust_p(item, slower=True),
            "-" if least is None else f"{100 * least:.1f} %",
            _word(item),
        )
    return table


def _allocations(classes: Sequence[RobustClass]) -> list[str]:
    less, more = (
        [
            f"{short_name(item.test_class)} {item.speedup:.2f}x"
            for item in classes
            if (item.improved if fewer else item.regressed).significant
        ]
        for fewer in (True, False)
    )
    lines = [("Allocates fewer bytes (no proof of time): ", less), ("Allocates more bytes: ", more)]
    return [head + ", ".join(names) for head, names in lines if names]


def _word(item: RobustClass) -> Text:
    if item.improved.significant:
        return Text("faster", style="bold green")
    if item.regressed.significant:
        return Text("slower", style="bold red")
    return Text(_WORDS.get(item.status, ""), style="yellow")
