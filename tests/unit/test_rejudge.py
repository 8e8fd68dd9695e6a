"""Judging a finished run again, from files alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from jeto_bench.errors import DecodeError, InputError, UsageError
from jeto_evaluate.cli.report import report
from jeto_evaluate.criteria import JETO, JETO_CONSERVATIVE, Criteria
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.reasons import Reason
from jeto_evaluate.rejudge import rejudge_run
from jeto_evaluate.reports import InstanceReport, build_run_report
from jeto_evaluate.reports.decode import instance_report, run_report
from jeto_evaluate.reports.write import instance_paths, write_instance_report, write_run_report
from jeto_evaluate.rules import Decider, Rules, parse_rules
from jeto_evaluate.samples import Arm, ClassTime, RoundResult, Samples
from jeto_evaluate.samples_io import write_samples
from jeto_evaluate.verdict import judge_report

TEMPLATE = instance_report(
    (Path(__file__).parents[1] / "golden" / "reports" / "instance.json").read_bytes(),
    source="golden",
)
DATASET = ["i-1", "i-2", "i-3", "i-4"]


def samples(
    instance_id: str, candidate_ms: int, *, pairs: int, base_ms: int = 100, wall_ms: int = 0
) -> Samples:
    """A round lasts as long as its class, or ``wall_ms``."""
    rounds = []
    for number in range(1, pairs + 1):
        arms = [Arm.BASE, Arm.CANDIDATE] if number % 2 else [Arm.CANDIDATE, Arm.BASE]
        for position, arm in enumerate(arms):
            time = base_ms if arm is Arm.BASE else candidate_ms
            rounds.append(
                RoundResult(
                    arm=arm,
                    round=number,
                    position=position,
                    started_at=float(number),
                    wall_ms=wall_ms or time,
                    classes=(
                        ClassTime(
                            test_class="A", milliseconds=time, suite_ms=time, cases_ms=time, cases=1
                        ),
                    ),
                )
            )
    return Samples(instance_id=instance_id, order_seed=1, rounds=tuple(rounds))


def paper(criteria: Criteria) -> Rules:
    return Rules(decides=Decider.JETO, jeto=criteria).with_rounds(criteria.rounds)


def timed(
    logs: Path, instance_id: str, candidate_ms: int, *, pairs: int = 30, model: str = "m"
) -> InstanceReport:
    times = samples(instance_id, candidate_ms, pairs=pairs)
    criteria = replace(JETO, rounds=pairs)
    made = replace(TEMPLATE, instance_id=instance_id, model=model, rounds_done=pairs)
    made = judge_report(made, times, None, paper(criteria))
    write_instance_report(logs, made, run_id="demo")
    paths = instance_paths(logs, run_id="demo", model=model, instance_id=instance_id)
    write_samples(paths.samples, times)
    return made


def untimed(logs: Path, instance_id: str, reason: Reason) -> InstanceReport:
    made = replace(
        TEMPLATE,
        instance_id=instance_id,
        model="m",
        criteria=JETO,
        outcome=reason.outcome,
        reason=reason,
        classes=(),
        overall=None,
        robust=None,
        decides=Decider.JETO,
    )
    write_instance_report(logs, made, run_id="demo")
    return made


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A run of three instances of four: 8 % faster, unchanged, not built."""
    directory = tmp_path / "logs"
    reports = [
        timed(directory, "i-1", 92),
        timed(directory, "i-2", 100),
        untimed(directory, "i-3", Reason.COMPILE_FAILED),
    ]
    run = build_run_report(
        reports,
        run_id="demo",
        model="m",
        criteria=JETO,
        decides=Decider.JETO,
        dataset_ids=DATASET,
    )
    write_run_report(directory, tmp_path, run)
    return directory


def test_the_same_criteria_give_the_same_verdicts(logs: Path) -> None:
    again, _ = rejudge_run(logs, run_id="demo", model="m", rules=paper(JETO))
    first = run_report((logs.parent / "m.demo.json").read_bytes(), source="first")
    assert replace(again, notes=()) == first


def test_other_criteria_decide_otherwise_and_keep_what_was_not_timed(logs: Path) -> None:
    strict, _ = rejudge_run(logs, run_id="demo", model="m", rules=paper(JETO_CONSERVATIVE))
    assert strict.outcome_ids[Outcome.NO_IMPROVEMENT] == ("i-1", "i-2")
    assert strict.outcome_ids[Outcome.BUILD_FAILED] == ("i-3",)
    assert strict.criteria == JETO_CONSERVATIVE
    assert strict.incomplete_ids == ("i-4",)
    loose, _ = rejudge_run(
        logs, run_id="demo", model="m", rules=parse_rules("jeto,min_improvement=0.01")
    )
    assert loose.outcome_ids[Outcome.IMPROVED] == ("i-1",)


def test_the_number_of_rounds_is_that_of_the_samples(tmp_path: Path) -> None:
    timed(tmp_path, "i-1", 50, pairs=10)
    run, _ = rejudge_run(tmp_path, run_id="demo", model="m", rules=paper(JETO_CONSERVATIVE))
    assert run.criteria.rounds == 10
    timed(tmp_path, "i-2", 50, pairs=12)
    with pytest.raises(InputError, match=r"\[10, 12\] rounds"):
        rejudge_run(tmp_path, run_id="demo", model="m", rules=paper(JETO))


def test_an_unfinished_run_says_so(tmp_path: Path) -> None:
    timed(tmp_path, "i-1", 50)
    run, _ = rejudge_run(tmp_path, run_id="demo", model="m", rules=paper(JETO))
    assert run.total_instances == 1
    assert any("did not finish" in note for note in run.notes)


def test_samples_that_are_gone_or_anothers_are_refused(logs: Path) -> None:
    first, second = (
        instance_paths(logs, run_id="demo", model="m", instance_id=name).samples
        for name in ("i-1", "i-2")
    )
    second.replace(first)
    with pytest.raises(InputError, match="holds the samples of i-2"):
        rejudge_run(logs, run_id="demo", model="m", rules=paper(JETO))
    first.unlink()
    with pytest.raises(DecodeError, match="no such file"):
        rejudge_run(logs, run_id="demo", model="m", rules=paper(JETO))


def test_a_saving_that_the_clock_did_not_see_is_no_improvement(logs: Path) -> None:
    """Reported times fall by 400 of 5000 ms under looser criteria, the rounds stay as long."""
    forged = samples("i-2", 4600, base_ms=5000, wall_ms=6000, pairs=30)
    paths = instance_paths(logs, run_id="demo", model="m", instance_id="i-2")
    write_samples(paths.samples, forged)
    run, _ = rejudge_run(logs, run_id="demo", model="m", rules=paper(JETO))
    assert run.outcome_ids[Outcome.TAMPERED] == ("i-2",)
    strict, _ = rejudge_run(logs, run_id="demo", model="m", rules=paper(JETO_CONSERVATIVE))
    assert strict.outcome_ids[Outcome.TAMPERED] == ()


def test_no_such_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no finished instance"):
        rejudge_run(tmp_path, run_id="demo", model="m", rules=paper(JETO))


def command(*arguments: str | Path) -> tuple[int, str, BaseException | None]:
    app = typer.Typer()
    app.command()(report)
    result = CliRunner().invoke(app, [str(item) for item in arguments])
    return result.exit_code, result.stdout, result.exception


def test_the_command_prints_and_writes_beside_the_first_report(logs: Path) -> None:
    status, text, _ = command(
        "demo", "--criteria", "jeto-conservative", "--logs", logs, "--report-dir", logs.parent,
        "--instance", "i-1",
    )  # fmt: skip
    assert status == 0
    assert "Graded 3 of 3 submitted" in text
    assert "1.09x" in text
    written = run_report(
        (logs.parent / "m.demo.jeto-conservative.json").read_bytes(), source="again"
    )
    assert written.resolved_ids == ()


def test_the_command_prints_json(logs: Path) -> None:
    status, text, _ = command("demo", "--json", "--logs", logs, "--report-dir", logs.parent)
    assert status == 0
    assert json.loads(text)["resolved_ids"] == ["i-1"]


def test_a_run_without_graded_instances_ends_with_status_3(tmp_path: Path) -> None:
    """field.md row 25: exit status when nothing was graded."""
    untimed(tmp_path, "i-1", Reason.BASE_FAILED)
    status, text, _ = command("demo", "--logs", tmp_path, "--report-dir", tmp_path)
    assert status == 3
    assert "no rate" in text


def test_several_models_must_be_told_apart(logs: Path) -> None:
    timed(logs, "i-1", 92, model="n")
    _, _, error = command("demo", "--logs", logs, "--report-dir", logs.parent)
    assert isinstance(error, UsageError)
    assert "m, n" in str(error)
    status, _, _ = command("demo", "--model", "n", "--logs", logs, "--report-dir", logs.parent)
    assert status == 0


def test_an_unknown_run_or_instance_is_refused(logs: Path) -> None:
    assert isinstance(command("other", "--logs", logs)[2], InputError)
    error = command("demo", "-i", "i-9", "--logs", logs, "--report-dir", logs.parent)[2]
    assert isinstance(error, UsageError)
