"""``jeto-bench eval``: options, what is chosen, and the status it ends with."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
import typer
from typer.testing import CliRunner

from jeto_bench import decode_jsonl, write_parquet
from jeto_bench.errors import EngineError, Interrupted, UsageError
from jeto_bench.predictions import PatchState, Prediction, PredictionSet
from jeto_bench.predictions.entry import make_prediction
from jeto_evaluate.cli import eval as eval_module
from jeto_evaluate.cli.eval import parse_size
from jeto_evaluate.cli.main import app, run_app
from jeto_evaluate.criteria import JETO
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports import InstanceReport, RunReport, build_run_report
from jeto_evaluate.reports.decode import instance_report
from jeto_evaluate.rules import Decider
from jeto_evaluate.run.cpusets import CpuPlan
from jeto_evaluate.run.progress import RunProgress
from jeto_evaluate.run.request import Request, chosen_predictions
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.statistics.robust_criteria import ROBUST

GOLDEN = Path(__file__).parents[1] / "golden"
RECORDS = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())
TEMPLATE = instance_report((GOLDEN / "reports" / "instance.json").read_bytes(), source="golden")


def prediction(name: str) -> Prediction:
    return make_prediction(instance_id=name, model="m", patch=RECORDS[0].patch, line=None)


def request(*names: str, instance_ids: tuple[str, ...] = (), strict: bool = False) -> Request:
    records = tuple(replace(RECORDS[0], instance_id=f"acme__lib-{n}") for n in (1, 2, 3))
    predictions = tuple(prediction(name) for name in names)
    return Request(
        records=records,
        dataset_name="mini",
        predictions=PredictionSet(source="p", model="m", predictions=predictions, warnings=("w",)),
        instance_ids=instance_ids,
        strict=strict,
    )


class TestChosenPredictions:
    def test_without_names_every_instance_with_a_prediction(self) -> None:
        chosen, notes = chosen_predictions(request("acme__lib-3", "acme__lib-1"))
        assert [item.instance_id for item in chosen] == ["acme__lib-1", "acme__lib-3"]
        assert notes == ("w",)

    def test_predictions_for_other_instances_are_told_or_refused(self) -> None:
        """field.md row 17: left out by default, an error if the user wants that."""
        chosen, notes = chosen_predictions(request("acme__lib-1", "acme__lib-11"))
        assert [item.instance_id for item in chosen] == ["acme__lib-1"]
        assert "acme__lib-11" in notes[1]
        with pytest.raises(UsageError, match="acme__lib-11"):
            chosen_predictions(request("acme__lib-1", "acme__lib-11", strict=True))

    def test_an_instance_asked_for_without_a_prediction_is_missing_not_dropped(self) -> None:
        chosen, _ = chosen_predictions(
            request("acme__lib-1", instance_ids=("acme__lib-2", "acme__lib-1"))
        )
        assert [(item.instance_id, item.state) for item in chosen] == [
            ("acme__lib-2", PatchState.MISSING),
            ("acme__lib-1", PatchState.OK),
        ]
        assert chosen[0].model_name_or_path == "m"

    def test_an_instance_named_twice_is_evaluated_once(self) -> None:
        """It was measured twice, and then the report refused two results for one instance."""
        twice = request("acme__lib-1", instance_ids=("acme__lib-1", "acme__lib-1"))
        assert len(chosen_predictions(twice)[0]) == 1

    def test_unknown_names_are_refused(self) -> None:
        with pytest.raises(UsageError, match="no such instance in mini: acme__lib-9"):
            chosen_predictions(request("acme__lib-1", instance_ids=("acme__lib-9",)))

    def test_nothing_to_evaluate_is_an_error_not_a_report_of_zeros(self) -> None:
        """field.md row 25: no id matches the data set."""
        with pytest.raises(UsageError, match="no prediction is for an instance of mini"):
            chosen_predictions(request("other__lib-1"))


@pytest.mark.parametrize(
    ("text", "size"),
    [("4g", 4 << 30), ("512m", 512 << 20), ("1T", 1 << 40), ("64 KiB", 65536), ("100", 100)],
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "g", "4.5g", "-1g", "4x", "4gg", "four"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not a size"):
        parse_size(text)


def instance(name: str, reason: Reason) -> InstanceReport:
    return replace(
        TEMPLATE,
        instance_id=name,
        model="gold",
        criteria=JETO,
        outcome=reason.outcome,
        reason=reason,
        classes=(),
        overall=None,
        robust=None,
    )


Seen = list[tuple[Request, RunSettings, CpuPlan]]


@pytest.fixture
def end_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[[Reason | BaseException, Reason | None], Seen]:
    """Let an evaluation of two gold patches end as told, on a machine with four cores."""
    two = [replace(RECORDS[0], instance_id=f"acme__lib-{n}", pull_number=n) for n in (1, 2)]
    write_parquet(two, tmp_path / "data" / "mini" / "test-00000-of-00001.parquet")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(eval_module, "usable_cores", lambda: ((0,), (1,), (2,), (3,)))
    monkeypatch.setattr(eval_module, "resolve_endpoint", lambda *_, **__: None)
    monkeypatch.setattr(eval_module, "connect", lambda *_, **__: None)

    def install(first: Reason | BaseException, second: Reason | None = None) -> Seen:
        seen: Seen = []

        def evaluate(
            client: object,
            asked: Request,
            *,
            settings: RunSettings,
            plan: CpuPlan,
            progress: RunProgress,
        ) -> tuple[RunReport, tuple[InstanceReport, ...]]:
            del client, progress
            seen.append((asked, settings, plan))
            if isinstance(first, BaseException):
                raise first
            reasons = (first, second or first)
            reports = tuple(
                instance(f"acme__lib-{n}", reason) for n, reason in enumerate(reasons, start=1)
            )
            names = [item.instance_id for item in asked.records]
            run = build_run_report(
                reports, run_id="r", model="gold", criteria=JETO, dataset_ids=names
            )
            return run, reports

        monkeypatch.setattr(eval_module, "evaluate_predictions", evaluate)
        return seen

    return install


def status(monkeypatch: pytest.MonkeyPatch, *arguments: str, of: typer.Typer = app) -> int:
    monkeypatch.setattr(sys, "argv", ["jeto-bench", *arguments])
    with pytest.raises(SystemExit) as ended:
        run_app(of)
    code = ended.value.code
    return code if isinstance(code, int) else 0


EVAL = ("eval", "-p", "gold", "--run-id", "r", "-d", ".")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (Reason.NO_SIGNIFICANT_CLASS, Reason.TEST_FAILURE, 0),
        (Reason.NO_SIGNIFICANT_CLASS, Reason.BASE_FAILED, 4),
        (Reason.BASE_FAILED, Reason.ENGINE_FAILED, 3),
        (UsageError("no"), None, 2),
        (EngineError("gone"), None, 3),
        (Interrupted("stopped"), None, 130),
        (KeyboardInterrupt(), None, 130),
    ],
)
def test_the_status_says_how_the_run_went(
    monkeypatch: pytest.MonkeyPatch,
    end_with: Callable[[BaseException | Reason, Reason | None], Seen],
    first: Reason | BaseException,
    second: Reason | None,
    expected: int,
) -> None:
    """field.md row 25: 0 graded, 2 bad input, 3 infrastructure, 4 in part, 130 interrupted."""
    end_with(first, second)
    assert status(monkeypatch, *EVAL) == expected


def test_errors_are_told_with_advice_and_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    end_with: Callable[[Exception, None], Seen],
) -> None:
    end_with(EngineError("no engine answers", advice="Start one."), None)
    status(monkeypatch, *EVAL)
    assert capsys.readouterr().err == "error: no engine answers\n  Start one.\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("eval",), "Missing option"),
        (("eval", "--no-such-option"), "--no-such-option"),
        (("no-such-command",), "no-such-command"),
        ((*EVAL, "-j", "99"), "-j 99 with 2 CPUs each: this machine has 4 usable CPUs"),
        ((*EVAL, "--cpus", "5"), "with 5 CPUs each"),
        ((*EVAL, "--memory", "much"), "not a size"),
        ((*EVAL, "--criteria", "mine"), "no criteria named 'mine'"),
        ((*EVAL, "-i", "acme__lib-9"), "no such instance"),
        ((*EVAL, "-d", "no-such-file.jsonl"), "no-such-file.jsonl"),
        ((*EVAL, "-p", "no-such-file.jsonl"), "no-such-file.jsonl"),
        ((*EVAL, "--rounds", "0"), "--rounds"),
    ],
)
def test_bad_input_ends_with_2_before_anything_is_started(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    end_with: Callable[[Exception, None], Seen],
    arguments: tuple[str, ...],
    told: str,
) -> None:
    """field.md row 67: among them ``-j 99``, as times on shared CPUs mean nothing."""
    seen = end_with(AssertionError("was started"), None)
    assert status(monkeypatch, *arguments) == 2
    assert told in capsys.readouterr().err
    assert not seen


def test_options_reach_the_run(
    monkeypatch: pytest.MonkeyPatch, end_with: Callable[[Reason, None], Seen]
) -> None:
    seen = end_with(Reason.NO_SIGNIFICANT_CLASS, None)
    more = ["-j", "2", "-t", "60", "--run-timeout", "600", "--rounds", "9", "--seed", "5"]
    more += ["--memory", "1g", "--network", "bridge", "--instance_ids", "acme__lib-2"]
    more += ["--own-test-timeout", "7"]
    status(monkeypatch, *EVAL, *more)
    asked, settings, plan = seen[0]
    assert asked.instance_ids == ("acme__lib-2",)
    assert plan.sets == ((0, 1), (2, 3))
    assert settings.criteria == replace(JETO, rounds=9)
    assert (settings.decides, settings.robust_rule) == (Decider.ROBUST, replace(ROBUST, rounds=9))
    assert (settings.seed, settings.memory_bytes, settings.network) == (5, 1 << 30, "bridge")
    assert (settings.deadlines.instance, settings.deadlines.run) == (60, 600)
    assert settings.deadlines.own_test == 7


def test_a_dry_run_says_what_would_be_done_and_starts_nothing(
    end_with: Callable[[Exception, None], Seen],
) -> None:
    """field.md row 65: instances, rounds and CPUs before anything begins."""
    seen = end_with(AssertionError("was started"), None)
    result = CliRunner().invoke(app, [*EVAL, "--dry-run"])
    assert result.exit_code == 0
    assert "2 instances, 1 + 30 rounds per arm, criteria robust, CPUs 2-3" in result.output
    assert not seen


def test_the_cpus_of_every_worker_are_printed(end_with: Callable[[Exception, None], Seen]) -> None:
    """field.md row 61: print the map."""
    end_with(AssertionError("was started"), None)
    result = CliRunner().invoke(app, [*EVAL, "--dry-run", "-j", "2"])
    assert "CPUs 0-1, 2-3" in result.output


def test_json_is_all_that_stdout_holds(end_with: Callable[[Reason, None], Seen]) -> None:
    end_with(Reason.TEST_FAILURE, None)
    result = CliRunner().invoke(app, [*EVAL, "--json"])
    assert json.loads(result.stdout)["submitted_ids"] == ["acme__lib-1", "acme__lib-2"]


def test_the_version_is_printed() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.output.strip()[0].isdigit()


def test_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = typer.Typer(pretty_exceptions_enable=False)

    @broken.command()
    def fail() -> NoReturn:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(sys, "argv", ["x"])
    with pytest.raises(ZeroDivisionError):
        run_app(broken)
