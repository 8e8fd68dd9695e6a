"""What a terminal shows of a report."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jeto_evaluate.judging import ClassVerdict
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.instance import InstanceReport
from jeto_evaluate.reports.phrases import (
    STYLES,
    clean,
    criteria_line,
    jvm_line,
    p_value,
    peers_line,
    safe_text,
    short_name,
    speedup,
)
from jeto_evaluate.reports.render_own import own_table
from jeto_evaluate.reports.render_robust import render_robust, robust_line, robust_p
from jeto_evaluate.reports.run import InstanceSummary, Rate, RunReport
from jeto_evaluate.rules import Decider
from jeto_evaluate.statistics import ClassStatus
from jeto_evaluate.statistics.robust_class import RobustClass

__all__ = ["render_instance", "render_run"]

_MANY_EMPTY = 0.2  # share of empty patches above which that is the news of the run


def render_run(report: RunReport) -> RenderableType:
    """Return the summary of a run: what was graded, the rate, outcomes, one line per instance."""
    parts: list[RenderableType] = []
    if report.submitted_instances:
        share = report.empty_patch_instances / report.submitted_instances
        if share > _MANY_EMPTY:
            parts.append(
                Text(
                    f"{report.empty_patch_instances} of {report.submitted_instances} patches are "
                    f"empty or missing ({share:.0%}).",
                    style="bold red",
                )
            )
    parts += [
        _headline(report),
        safe_text(f"Run {report.run_id}, model {report.model}, {_rule(report)}"),
    ]
    if report.provenance is not None:
        parts.append(safe_text(f"Host {report.provenance.calibration}"))
    parts += [safe_text(f"Note: {note}") for note in report.notes]
    parts += [Text(), _rates(report), Text(), _outcomes(report)]
    if report.instances:
        parts += [Text(), _instances(report.instances, report.decides)]
    for item in report.instances:
        if item.outcome is Outcome.INFRA_ERROR:
            parts.append(safe_text(f"{item.instance_id}: {item.detail} (log: {item.log_path})"))
    return Group(*parts)


def render_instance(report: InstanceReport) -> RenderableType:
    """Return all that decided one instance: reason, patch facts, and every class's times."""
    head = Text.assemble(
        (clean(report.instance_id), "bold"),
        "  ",
        (report.outcome.value, STYLES.get(report.outcome, "")),
        f" ({report.reason}: {report.reason.description})",
    )
    parts: list[RenderableType] = [head]
    if report.detail:
        parts.append(safe_text(report.detail))
    edits = {
        "dropped build output": report.patch.junk_paths,
        "restored tests": report.patch.ignored_test_edits,
        "restored build files": report.patch.protected_path_edits,
        "repaired in the patch": report.patch.normalized,
    }
    parts += [safe_text(f"{name}: {', '.join(paths)}") for name, paths in edits.items() if paths]
    if report.robust is not None and report.decides is Decider.ROBUST:
        parts += [safe_text(robust_line(report.robust.criteria)), Text()]
        parts += [*render_robust(report.robust), Text()]
    if report.classes and report.overall is not None:
        parts += [
            safe_text(
                f"{report.rounds_done} pairs of base and {report.arm}, "
                f"{criteria_line(report.criteria)}"
                + (f"; stopped early ({report.stopped})" if report.stopped else "")
            ),
            Text(),
            _classes((*report.classes, report.overall)),
            Text("ms: median of the rounds; speedup: median of the pairs' ratios", "dim"),
        ]
    if report.own:
        parts += [
            Text("Tests that came with the fix, alone:", "bold"),
            own_table(report.own),
            Text(),
        ]
    if report.peers is not None:
        parts.append(safe_text(peers_line(report.peers)))
    parts += [safe_text(f"A pair was run again: {what}") for what in report.repeated]
    parts += [safe_text(jvm_line(jvm)) for jvm in report.jvms]
    if report.phases:
        spent = ", ".join(f"{phase.phase} {phase.seconds:.1f} s" for phase in report.phases)
        parts.append(safe_text(f"Time: {spent}"))
    log = safe_text(f"Log: {report.log_path}")
    log.no_wrap, log.overflow = True, "ignore"
    parts.append(log)
    return Group(*parts)


def _headline(report: RunReport) -> Text:
    graded = report.coverage.numerator
    line = (
        f"Graded {graded} of {report.submitted_instances} submitted "
        f"(the dataset has {report.total_instances})."
    )
    if not graded:
        return Text(f"{line} Nothing was graded, so there is no rate.", style="bold red")
    complete = graded == report.submitted_instances
    return Text(line, style="bold" if complete else "bold yellow")


def _rates(report: RunReport) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    for column in range(3):
        table.add_column(justify="right" if column else "left", no_wrap=True)
    for name, rate in (
        ("improved of graded", report.improved_rate),
        ("improved of submitted", report.improved_rate_of_submitted),
    ):
        table.add_row(name, f"{rate.numerator} / {rate.denominator}", _share(rate))
    return table


def _share(rate: Rate) -> str:
    if rate.value is None or rate.low is None or rate.high is None:
        return "no rate: too few graded"
    return (
        f"{rate.value:.1%}  ({rate.confidence:.0%} interval "
        f"{rate.low * 100:.1f} to {rate.high * 100:.1f} %)"
    )


def _outcomes(report: RunReport) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("outcome")
    table.add_column("instances", justify="right")
    for outcome in reversed(Outcome):
        count = len(report.outcome_ids[outcome])
        if count:
            table.add_row(Text(outcome.value, style=STYLES.get(outcome, "")), str(count))
    return table


def _instances(instances: tuple[InstanceSummary, ...], decides: Decider) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("instance", overflow="fold")
    table.add_column("outcome", no_wrap=True)
    table.add_column("reason", overflow="fold")
    for name in ("speedup", "p", "classes"):
        table.add_column(name, justify="right", no_wrap=True)
    for item in instances:
        reason, times = item.reason.value, ("", "", "")
        slower = item.outcome is Outcome.REGRESSED
        strongest = item.robust if decides is Decider.ROBUST else item.strongest
        if item.timed_classes:
            if strongest is not None and item.reason in {Reason.FASTER, Reason.SLOWER}:
                reason += f" in {short_name(strongest.test_class)}"
            times = (
                *_clearest(strongest, slower=slower),
                f"+{item.improved_classes} -{item.regressed_classes} of {item.timed_classes}",
            )
        table.add_row(
            safe_text(item.instance_id),
            Text(item.outcome.value, style=STYLES.get(item.outcome, "")),
            safe_text(reason),
            *map(Text, times),
        )
    return table


def _clearest(strongest: RobustClass | ClassVerdict | None, *, slower: bool) -> tuple[str, str]:
    match strongest:
        case RobustClass():
            return f"{strongest.speedup:.2f}x", robust_p(strongest, slower=slower)
        case ClassVerdict():
            direction = strongest.regressed if slower else strongest.improved
            return speedup(strongest), p_value(direction)
    return "", ""


def _rule(report: RunReport) -> str:
    if report.decides is Decider.ROBUST:
        return f"criteria {Decider.ROBUST}, beside it {criteria_line(report.criteria)}"
    return criteria_line(report.criteria)


def _classes(verdicts: tuple[ClassVerdict, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("test class", overflow="fold")
    for name in ("base ms", "patch ms", "speedup", "faster", "p", "slower", "p"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for item in verdicts:
        table.add_row(
            safe_text(short_name(item.test_class))
            if item.test_class
            else Text("all classes", "italic"),
            f"{item.base_median_ms:.0f}",
            f"{item.other_median_ms:.0f}",
            speedup(item),
            f"{item.improved.wins}/{item.pairs}",
            p_value(item.improved),
            f"{item.regressed.wins}/{item.pairs}",
            p_value(item.regressed),
            _word(item),
        )
    return table


def _word(verdict: ClassVerdict) -> Text:
    if verdict.improved.significant:
        return Text("faster", style="bold green")
    if verdict.regressed.significant:
        return Text("slower", style="bold red")
    if verdict.status is ClassStatus.TESTED:
        return Text("")
    return Text(verdict.status.value.replace("_", " "), style="yellow")
