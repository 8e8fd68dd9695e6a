"""Outcomes add up, and reports survive their JSON."""

from __future__ import annotations

import json
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from jeto_evaluate.criteria import Criteria
from jeto_evaluate.judging import ClassVerdict, Direction
from jeto_evaluate.outcomes import GRADED, MEASURED, Outcome
from jeto_evaluate.peers import GsoFigures, PeerFigures, SwePerfClass
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports import (
    Dataset,
    Host,
    InstanceReport,
    PatchFacts,
    PhaseTime,
    Provenance,
    Setting,
    build_run_report,
    exit_code,
)
from jeto_evaluate.reports.decode import instance_report, run_report
from jeto_evaluate.reports.encode import to_json
from jeto_evaluate.robust_judging import Confirmation, Detector, RobustJudgement
from jeto_evaluate.samples import Arm
from jeto_evaluate.statistics import ClassStatus
from jeto_evaluate.statistics.paired_metric import Metric
from jeto_evaluate.statistics.robust import RobustVerdict
from jeto_evaluate.statistics.robust_class import (
    RobustClass,
    RobustDirection,
    RobustStatus,
    Side,
)
from jeto_evaluate.statistics.robust_criteria import ROBUST
from jeto_evaluate.statistics.two_stages import Named

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
whole = st.integers(0, 2**40)
reals = st.floats(0, 1e6)
paths = st.lists(texts, max_size=2).map(tuple)

directions = st.builds(
    Direction, wins=st.integers(0, 30), p_value=st.floats(0, 1), significant=st.booleans()
)
verdicts = st.builds(
    ClassVerdict,
    test_class=texts,
    status=st.sampled_from(ClassStatus),
    pairs=st.integers(1, 30),
    improved=directions,
    regressed=directions,
    base_median_ms=reals,
    other_median_ms=reals,
    median_speedup=st.none() | reals,
)
robust_directions = st.builds(
    RobustDirection,
    p_value=st.floats(0, 1),
    adjusted_p=st.none() | st.floats(0, 1),
    significant=st.booleans(),
)
robust_classes = st.builds(
    RobustClass,
    test_class=texts,
    metric=st.sampled_from(Metric),
    status=st.sampled_from(RobustStatus),
    pairs=st.integers(1, 30),
    improved=robust_directions,
    regressed=robust_directions,
    speedup=reals,
    speedup_low=st.none() | reals,
    speedup_high=st.none() | reals,
    noise=st.none() | reals,
    smallest_detectable=st.none() | reals,
)
some_classes = st.lists(robust_classes, min_size=1, max_size=2).map(tuple)
robust_verdicts = st.builds(
    RobustVerdict,
    classes=some_classes,
    module=robust_classes,
    round_speedups=st.lists(reals, max_size=2).map(tuple),
)
robust_judgements = st.builds(
    RobustJudgement,
    criteria=st.just(ROBUST),
    screen=robust_verdicts,
    confirmation=st.none()
    | st.builds(
        Confirmation,
        detectors=st.lists(
            st.builds(Detector, test_class=texts, side=st.sampled_from(Side)), max_size=2
        ).map(tuple),
        named=st.lists(
            st.builds(
                Named,
                test_class=texts,
                side=st.sampled_from(Side),
                weight=st.fractions(1, 1000, max_denominator=99),
            ),
            max_size=2,
        ).map(tuple),
        classes=some_classes,
    ),
    allocation=st.none() | robust_verdicts,
)
peers = st.builds(
    PeerFigures,
    sweperf=st.lists(
        st.builds(
            SwePerfClass,
            test_class=texts,
            delta=reals,
            kept=st.booleans(),
            reference_delta=st.none() | reals,
        ),
        max_size=2,
    ).map(tuple),
    gso=st.builds(
        GsoFigures,
        speedup=st.none() | reals,
        reference_speedup=st.none() | reals,
        against_reference=st.none() | reals,
        opt=st.none() | st.booleans(),
        opt_paper=st.none() | st.booleans(),
    ),
)
provenances = st.builds(
    Provenance,
    harness_version=texts,
    harness_commit=texts,
    dataset=st.builds(Dataset, name=texts, version=texts, sha256=texts),
    host=st.builds(
        Host, cpu_model=texts, cores=whole, memory_bytes=whole, kernel=texts, engine_version=texts
    ),
    launcher_mode=texts,
    seed=st.integers(),
    started_at=texts,
    policy=paths,
)
settings_of_arms = st.builds(
    Setting,
    image=texts,
    image_id=texts,
    image_digest=texts,
    jdk=texts,
    maven=texts,
    surefire=texts,
    cpuset=texts,
    memory_bytes=whole,
)
patches = st.builds(
    PatchFacts,
    normalized=paths,
    raw_sha256=texts,
    patch_sha256=texts,
    strategy=texts,
    changed=paths,
    junk_paths=paths,
    ignored_test_edits=paths,
    protected_path_edits=paths,
)
criteria_sets = st.builds(
    Criteria,
    name=texts,
    min_improvement=st.fractions(0, Fraction(99, 100)),
    alpha=st.fractions(Fraction(1, 1000), Fraction(99, 100)),
    rounds=st.integers(1, 100),
    inclusive_ties=st.booleans(),
    floor_ms=st.integers(0, 100),
)


@st.composite
def instance_reports(
    draw: st.DrawFn, instance_id: str, model: str, criteria: Criteria
) -> InstanceReport:
    # A regressed instance has a class that is slower; the shape of the rest is free.
    reason = draw(st.sampled_from(Reason).filter(lambda item: item is not Reason.SLOWER))
    timed = reason.outcome in MEASURED and draw(st.booleans())
    return InstanceReport(
        instance_id=instance_id,
        model=model,
        outcome=reason.outcome,
        reason=reason,
        detail=draw(texts),
        log_path=draw(texts),
        criteria=criteria,
        patch=draw(patches),
        arm=draw(st.sampled_from(Arm)),
        rounds_done=draw(whole),
        order_seed=draw(st.integers()),
        classes=tuple(draw(st.lists(verdicts, min_size=1, max_size=2))) if timed else (),
        overall=draw(verdicts) if timed else None,
        robust=draw(robust_judgements) if timed else None,
        peers=draw(peers) if timed else None,
        phases=tuple(draw(st.lists(st.builds(PhaseTime, phase=texts, seconds=reals), max_size=2))),
        provenance=draw(provenances),
        setting=draw(st.none() | settings_of_arms),
    )


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[InstanceReport], Criteria, set[str]]:
    ids = draw(st.sets(st.text("abc-_", min_size=1, max_size=4), max_size=5))
    criteria = draw(criteria_sets)
    reports = [draw(instance_reports(instance_id, "model", criteria)) for instance_id in ids]
    return reports, criteria, draw(st.sets(st.text("abc-_", min_size=1, max_size=4), max_size=5))


class TestOutcomesAddUp:
    """field.md row 23: disjoint statuses that sum to submitted."""

    @settings(max_examples=40, deadline=None)  # a run is large, and drawing it slow
    @given(run=runs())
    def test_sums(self, run: tuple[list[InstanceReport], Criteria, set[str]]) -> None:
        reports, criteria, dataset = run
        report = build_run_report(
            reports, run_id="r", model="model", criteria=criteria, dataset_ids=dataset
        )
        groups = list(report.outcome_ids.values())
        assert set(report.outcome_ids) == set(Outcome)
        assert sum(map(len, groups)) == report.submitted_instances == len(reports)
        assert set().union(*groups) == set(report.submitted_ids)
        assert report.resolved_ids == report.outcome_ids[Outcome.IMPROVED]
        assert report.coverage.numerator == sum(item.outcome in GRADED for item in reports)
        assert report.improved_rate.denominator == report.coverage.numerator
        assert report.improved_rate_of_submitted.denominator == report.submitted_instances
        assert not set(report.incomplete_ids) & set(report.submitted_ids)
        assert (exit_code(report) == 3) == (report.coverage.numerator == 0)
        assert (exit_code(report) == 0) == (
            0 < report.coverage.numerator == report.submitted_instances
        )

    @settings(max_examples=40, deadline=None)  # a run is large, and drawing it slow
    @given(run=runs())
    def test_order_of_reports_does_not_matter(
        self, run: tuple[list[InstanceReport], Criteria, set[str]]
    ) -> None:
        reports, criteria, dataset = run
        first, second = (
            build_run_report(
                given, run_id="r", model="model", criteria=criteria, dataset_ids=dataset
            )
            for given in (reports, reports[::-1])
        )
        assert first == second


class TestReportsSurviveTheirJson:
    """What is written is what is read."""

    @settings(max_examples=40, deadline=None)  # a run is large, and drawing it slow
    @given(run=runs())
    def test_round_trip(self, run: tuple[list[InstanceReport], Criteria, set[str]]) -> None:
        reports, criteria, dataset = run
        whole_run = build_run_report(
            reports, run_id="r", model="model", criteria=criteria, dataset_ids=dataset
        )
        assert run_report(to_json(whole_run), source="run") == whole_run
        for report in reports:
            text = to_json(report)
            assert instance_report(text, source="instance") == report
            assert to_json(instance_report(text.encode(), source="instance")) == text
            assert json.loads(text)["outcome"] == report.outcome.value
