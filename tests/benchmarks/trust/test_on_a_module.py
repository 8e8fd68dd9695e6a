"""False alarms and power of both verdicts on a module, from its own noise on this machine.

``JETO_TRUST_RECORDS`` names a JSONL file of records whose images are there (the mini split if it is
not given); ``JETO_TRUST_FOLDER`` keeps what was measured, so that judging it again measures only
what is missing; ``JETO_TRUST_LOAD=1`` lets another program use the CPUs meanwhile. Figures are
printed (``pytest -s``). Nothing about time is asserted; that false alarms are as rare as claimed,
within what chance allows, is.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import fmean, median

import docker
import pytest
from scipy.stats import binom  # type: ignore[import-untyped]  # scipy ships no types

import jeto_bench
from jeto_bench.decode import decode_jsonl
from jeto_bench.records import EtipRecord
from jeto_evaluate.criteria import JETO
from jeto_evaluate.judging import judge
from jeto_evaluate.metrics import chosen_metrics
from jeto_evaluate.robust_judging import judge_stages, name_classes
from jeto_evaluate.run.arm import ArmSession
from jeto_evaluate.run.confirmation import confirm_classes
from jeto_evaluate.run.cpusets import plan_cpus
from jeto_evaluate.run.docker_arms import DockerArms
from jeto_evaluate.run.host import usable_cores
from jeto_evaluate.run.round_runner import RoundRunner
from jeto_evaluate.run.rounds import measure
from jeto_evaluate.run.schedule import confirmation_seed, instance_seed, pair_order
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.run.stopwatch import Stopwatch
from jeto_evaluate.samples import Arm, ClassTime, RoundResult, Samples
from jeto_evaluate.samples_io import read_samples, write_samples
from jeto_evaluate.statistics import ROBUST, PairedMetric
from jeto_evaluate.statistics.robust_class import noise_of

REPEATS = int(os.environ.get("JETO_TRUST_REPEATS", "10"))
DRAWS = int(os.environ.get("JETO_TRUST_DRAWS", "400"))
DRAWS_A_CLASS = int(os.environ.get("JETO_TRUST_DRAWS_A_CLASS", "20"))
LOADED = bool(os.environ.get("JETO_TRUST_LOAD"))
FILE = os.environ.get("JETO_TRUST_RECORDS", "")
PAIRS = ROBUST.rounds
EFFECTS = (0.05, 0.10, 0.20)
# Shorter classes are not measured alone: there would be too many.
ALONE_MS = float(os.environ.get("JETO_TRUST_ALONE_MS", "20"))
POWER_MS = 50
A_DAY = 86_400.0


def _records() -> Sequence[EtipRecord]:
    return decode_jsonl(Path(FILE).read_bytes()) if FILE else jeto_bench.load("mini")


RECORDS = _records()
EVERY_RECORD = pytest.mark.parametrize(
    "record", RECORDS, ids=[item.instance_id for item in RECORDS]
)
PairOfRounds = tuple[RoundResult, RoundResult]


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What one record's base showed against itself.

    Attributes:
        screens: One per independent evaluation.
        confirmations: Likewise.
        alone: Every class that is long enough, alone in its JVM; a round holds them all.
    """

    screens: Sequence[Samples]
    confirmations: Sequence[Samples]
    alone: Samples


@contextmanager
def _load() -> Iterator[None]:
    command = [sys.executable, "-c", "while True: pass"]
    with subprocess.Popen(command) if LOADED else ExitStack() as other:
        yield
        if isinstance(other, subprocess.Popen):
            other.kill()


class Host:
    """Base in two arms, measured as an evaluation measures base and candidate."""

    def __init__(self, record: EtipRecord) -> None:
        self._record = record
        self._client = docker.from_env(timeout=600)
        self._watch = Stopwatch(A_DAY)

    def compare(self, number: int) -> tuple[Samples, Samples]:
        """Both stages of one evaluation."""
        settings = RunSettings(run_id="trust", seed=number)
        seed = instance_seed(settings.seed, self._record.instance_id)
        with ExitStack() as stack:
            arms = self._open(settings, stack)
            done = measure(
                arms,
                self._record.test_classes,
                settings=settings,
                seed=seed,
                watch=self._watch,
                checkpoint=lambda _: None,
            )
            screen = Samples(
                instance_id=self._record.instance_id, order_seed=seed, rounds=done.rounds
            )
            named = name_classes(screen, settings.robust_rule, (), rounds=PAIRS)
            fresh = confirm_classes(
                arms,
                screen,
                named,
                settings=settings,
                watch=self._watch,
                checkpoint=lambda _: None,
            )
        return screen, fresh

    def alone(self, classes: Collection[str]) -> Samples:
        """All pairs of each class alone in its JVM."""
        settings = RunSettings(run_id="trust", seed=REPEATS)
        seed = confirmation_seed(settings.seed)
        rounds: list[RoundResult] = []
        with ExitStack() as stack:
            arms = self._open(settings, stack)
            runners = [
                RoundRunner(arms, [name], settings, self._watch, lambda _: None) for name in classes
            ]
            for runner in runners:
                runner.warm_up(1, seed)
            for number, order in enumerate(pair_order(PAIRS, seed), start=1):
                for runner in runners:
                    runner.pair(number, order, seed)
                for arm in order:
                    parts = [runner.last(arm) for runner in runners]
                    together = tuple(entry for part in parts for entry in part.classes)
                    rounds.append(replace(parts[0], classes=together))
        return Samples(instance_id=self._record.instance_id, order_seed=seed, rounds=tuple(rounds))

    def _open(self, settings: RunSettings, stack: ExitStack) -> Mapping[Arm, ArmSession]:
        cpus = plan_cpus(usable_cores(), slots=1, cpus=None).sets[0]
        factory = DockerArms(client=self._client, cpus=cpus, settings=settings)
        image = factory.prepare(self._record).image_id
        arms: dict[Arm, ArmSession] = {}
        for arm in settings.arms:
            arms[arm] = factory.open(self._record, arm, image)
            stack.callback(arms[arm].close)
            assert arms[arm].build(deadline=900).ok
        return arms


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    named = os.environ.get("JETO_TRUST_FOLDER")
    return Path(named) if named else tmp_path_factory.mktemp("trust")


def measured(record: EtipRecord, folder: Path) -> Measured:
    """Measure what the folder does not have yet."""
    place = folder / (record.instance_id + ("-loaded" if LOADED else ""))
    place.mkdir(parents=True, exist_ok=True)
    host = Host(record)
    screens, confirmations = [], []
    for number in range(REPEATS):
        files = [place / f"{stage}-{number}.parquet" for stage in ("screen", "confirmation")]
        if not all(file.exists() for file in files):
            with _load():
                stages = host.compare(number)
            for file, samples in zip(files, stages, strict=True):
                write_samples(file, samples)
        screens.append(read_samples(files[0]))
        confirmations.append(read_samples(files[1]))
    file = place / "alone.parquet"
    if not file.exists():
        names = _at_least(screens, ALONE_MS)
        assert names, f"no class takes {ALONE_MS:g} ms: give less as JETO_TRUST_ALONE_MS"
        with _load():
            write_samples(file, host.alone(names))
    return Measured(screens=screens, confirmations=confirmations, alone=read_samples(file))


def _at_least(screens: Sequence[Samples], milliseconds: float) -> Sequence[str]:
    """The classes whose median CPU time or wait over the rounds is as long."""
    typical: dict[str, list[float]] = {}
    for screen in screens:
        for name, values in chosen_metrics(screen, rounds=PAIRS).items():
            typical.setdefault(name, []).append(values.typical / 1e6)
    return sorted(name for name, items in typical.items() if median(items) >= milliseconds)


def _pairs_of(samples: Samples) -> list[PairOfRounds]:
    rounds = [item for item in samples.rounds if item.round > 0]
    return list(zip(rounds[::2], rounds[1::2], strict=True))


def _drawn(
    pool: Sequence[PairOfRounds], random: Random, *, test_class: str = "", saved: float = 0.0
) -> Samples:
    """Pairs at random, the arms of each named at random; one class of the candidate made faster."""
    rounds: list[RoundResult] = []
    for number, pair in enumerate(random.sample(pool, PAIRS), start=1):
        arms = random.sample((Arm.BASE, Arm.CANDIDATE), 2)
        for position, (arm, item) in enumerate(zip(arms, pair, strict=True)):
            classes = item.classes
            if arm is Arm.CANDIDATE and saved:
                classes = tuple(
                    _faster(entry, 1 - saved) if entry.test_class == test_class else entry
                    for entry in classes
                )
            rounds.append(replace(item, arm=arm, round=number, position=position, classes=classes))
    return Samples(instance_id="drawn", order_seed=0, rounds=tuple(rounds))


def _faster(entry: ClassTime, factor: float) -> ClassTime:
    agent = entry.agent
    assert agent is not None
    assert agent.thread_cpu_ns is not None
    assert agent.java_cpu_ns is not None
    return replace(
        entry,
        milliseconds=round(entry.milliseconds * factor),
        agent=replace(
            agent,
            wall_ns=round(agent.wall_ns * factor),
            thread_cpu_ns=round(agent.thread_cpu_ns * factor),
            java_cpu_ns=round(agent.java_cpu_ns * factor),
        ),
    )


def _paper(screen: Samples) -> Sequence[str]:
    return [
        item.test_class
        for item in judge(screen, JETO).classes
        if item.improved.significant or item.regressed.significant
    ]


@EVERY_RECORD
def test_a_version_against_itself(record: EtipRecord, folder: Path) -> None:
    """Independent evaluations of both stages, each of base against base."""
    found = measured(record, folder)
    alarms = {"robust": 0, "paper": 0}
    lines = []
    for number, (screen, fresh) in enumerate(zip(found.screens, found.confirmations, strict=True)):
        robust = judge_stages(screen, fresh, ROBUST)
        named = [*robust.improved, *robust.regressed]
        paper = _paper(screen)
        alarms["robust"] += bool(named)
        alarms["paper"] += bool(paper)
        lines.append(f"  {number}: robust {named or 'none'}; paper {len(paper)} classes")
    noise = {
        stage: _noise(samples)
        for stage, samples in (("in the module", found.screens[0]), ("alone", found.alone))
    }
    _print(
        f"{record.instance_id}{' loaded' if LOADED else ''}, {len(record.test_classes)} classes,"
        f" {REPEATS} comparisons of base with itself: robust {alarms['robust']} with an alarm,"
        f" paper {alarms['paper']}",
        *lines,
        *(f"  noise of a pair {stage}: {text}" for stage, text in noise.items()),
    )
    assert binom.sf(alarms["robust"] - 1, REPEATS, float(ROBUST.alpha)) > 0.001


def _noise_of(values: PairedMetric) -> float:
    found = noise_of(values)
    assert found is not None
    return found


def _noise(samples: Samples) -> str:
    metrics = chosen_metrics(samples, rounds=PAIRS)
    sizes = sorted(
        _noise_of(values) for values in metrics.values() if values.typical >= ALONE_MS * 1e6
    )
    tenth = len(sizes) // 10
    return (
        f"median {median(sizes):.3f}, from {sizes[tenth]:.3f} to {sizes[-1 - tenth]:.3f}"
        f" in the middle 80 % of {len(sizes)} classes of {ALONE_MS:g} ms and more"
    )


@EVERY_RECORD
def test_false_alarms_among_drawn_pairs(record: EtipRecord, folder: Path) -> None:
    """Thousands of evaluations that could have been, drawn from the pairs that were."""
    found = measured(record, folder)
    pool = [pair for screen in found.screens for pair in _pairs_of(screen)]
    alone = _pairs_of(found.alone)
    random = Random(1)  # noqa: S311  # draws of pairs
    one_stage = two_stages = paper = 0
    for _ in range(DRAWS):
        screen = _drawn(pool, random)
        judgement = judge_stages(screen, _drawn(alone, random), ROBUST)
        two_stages += bool(judgement.improved or judgement.regressed)
        one_stage += any(item.significant_sides for item in judgement.screen.classes)
        paper += bool(_paper(screen))
    _print(
        f"{record.instance_id}{' loaded' if LOADED else ''}: {DRAWS} draws of {PAIRS} of"
        f" {len(pool)} pairs with an alarm: robust {two_stages / DRAWS:.3f} in two stages,"
        f" {one_stage / DRAWS:.3f} in the screen alone; paper {paper / DRAWS:.3f}"
    )
    for alarms in (one_stage, two_stages):
        assert binom.sf(alarms - 1, DRAWS, float(ROBUST.alpha)) > 0.001


@EVERY_RECORD
def test_power_by_scaling_times(record: EtipRecord, folder: Path) -> None:
    """One class of the candidate made faster by so much in both stages: how often it is found."""
    found = measured(record, folder)
    pool = [pair for screen in found.screens for pair in _pairs_of(screen)]
    alone = _pairs_of(found.alone)
    known = {entry.test_class for entry in alone[0][0].classes}
    classes = [name for name in _at_least(found.screens, POWER_MS) if name in known]
    metrics = chosen_metrics(found.alone, rounds=PAIRS)
    quiet = sorted(classes, key=lambda name: _noise_of(metrics[name]))[: (len(classes) + 1) // 2]
    random = Random(2)  # noqa: S311  # draws of pairs
    _print(f"{record.instance_id}: {len(classes)} classes of {POWER_MS} ms and more")
    for saved in EFFECTS:
        robust: dict[str, float] = {}
        paper: dict[str, float] = {}
        for name in classes:
            hits = theirs = 0
            for _ in range(DRAWS_A_CLASS):
                screen = _drawn(pool, random, test_class=name, saved=saved)
                fresh = _drawn(alone, random, test_class=name, saved=saved)
                hits += name in judge_stages(screen, fresh, ROBUST).improved
                theirs += name in _paper(screen)
            robust[name], paper[name] = hits / DRAWS_A_CLASS, theirs / DRAWS_A_CLASS
        _print(
            f"  {saved:.0%} faster found: robust {fmean(robust.values()):.2f}, in the quieter half"
            f" {fmean(robust[name] for name in quiet):.2f}; paper {fmean(paper.values()):.2f};"
            f" by class {', '.join(f'{share:.2f}' for share in sorted(robust.values()))}"
        )


def _print(*lines: str) -> None:
    print("\n" + "\n".join(lines))  # noqa: T201  # a benchmark's result
