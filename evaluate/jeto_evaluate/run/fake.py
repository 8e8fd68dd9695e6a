"""Arms without containers, for tests: yours of what you build on the harness, and our own.

A fake arm does what its script says. Its rounds give real Surefire reports as bytes, so that the
real reading, checking and judging run on them::

    base = FakeScript(round=FakeRound(classes={"acme.TextTest": FakeClass(milliseconds=400)}))
    faster = FakeScript(round=FakeRound(classes={"acme.TextTest": FakeClass(milliseconds=200)}))
    arms = FakeArms(scripts={Arm.BASE: base, Arm.CANDIDATE: faster})
    run_instance(record, prediction, factory=arms, settings=..., provenance=...)
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from jeto_bench.errors import SandboxError
from jeto_bench.records import EtipRecord
from jeto_evaluate.patching import PatchResult, Strategy
from jeto_evaluate.reports.provenance import Dataset, Host, Provenance, Setting
from jeto_evaluate.run.arm import BuildResult, RoundOutput
from jeto_evaluate.run.fake_round import FakeClass, FakeRound
from jeto_evaluate.samples import Arm

__all__ = [
    "FAKE_PROVENANCE",
    "FAKE_SETTING",
    "FakeArm",
    "FakeArms",
    "FakeClass",
    "FakeRound",
    "FakeScript",
]

FAKE_PROVENANCE = Provenance(
    harness_version="0.0.0",
    harness_commit="",
    dataset=Dataset(name="fake", version="0.0.0", sha256="0" * 64),
    host=Host(
        cpu_model="fake", cores=2, memory_bytes=8 * 1024**3, kernel="6.1", engine_version="fake"
    ),
    launcher_mode="fake",
    seed=0,
    started_at="2026-01-02T03:04:05+00:00",
)

FAKE_SETTING = Setting(
    image="fake:1",
    image_id="sha256:" + "0" * 64,
    image_digest="",
    jdk="17.0.0",
    maven="3.9.9",
    surefire="3.2.5",
    cpuset="0-1",
    memory_bytes=4 * 1024**3,
)
_APPLIED = PatchResult(
    applied=True, strategy=Strategy.STRICT, changed=("src/main/java/acme/Text.java",)
)
_STARTED_AT = 1_700_000_000.0
_Result = TypeVar("_Result")


@dataclass(frozen=True, kw_only=True, slots=True)
class FakeScript:
    """What one arm does.

    Attributes:
        tests: Why the fix's own tests cannot be added; empty if they can.
        patch: What becomes of a patch, or what applying raises.
        build: How the build ends, or what it raises; ``None`` for one that passes and whose
            output is its own, unlike that of every other arm.
        round: Every round not in ``rounds``.
        rounds: Rounds that differ, by their number in this arm; 0 is the first warm-up round.
    """

    tests: str = ""
    patch: PatchResult | Exception = _APPLIED
    build: BuildResult | Exception | None = None
    round: FakeRound = field(default_factory=FakeRound)
    rounds: Mapping[int, FakeRound] = field(default_factory=dict)


class FakeArm:
    """Satisfies ``ArmSession``.

    Attributes:
        arm: Which arm it is.
        tests: Tests that it was given.
        patches: Patches that it was given.
        builds: How often it was built.
        classes: Test classes that each round was asked for.
        seeds: Seed of the order of the classes that each round was given.
        closed: It was given back.
    """

    def __init__(self, arm: Arm, script: FakeScript, owner: FakeArms) -> None:
        self.arm = arm
        self.tests: list[bytes] = []
        self.patches: list[bytes] = []
        self.builds = 0
        self.classes: list[tuple[str, ...]] = []
        self.seeds: list[int] = []
        self.closed = False
        self._script = script
        self._owner = owner

    def add_tests(self, patch: bytes, *, deadline: float) -> str:
        """Give the script's result; see ``ArmSession.add_tests``."""
        del deadline
        self.tests.append(patch)
        return self._script.tests

    def apply(self, patch: bytes, *, deadline: float) -> PatchResult:
        """Give the script's result; see ``ArmSession.apply``."""
        del deadline
        self.patches.append(patch)
        return _given(self._script.patch)

    def build(self, *, deadline: float) -> BuildResult:
        """Give the script's result; see ``ArmSession.build``."""
        del deadline
        self.builds += 1
        outputs = {"./target/classes/acme/Text.class": f"{self.arm}"}
        passed = BuildResult(ok=True, seconds=1.0, output=b"BUILD SUCCESS", outputs=outputs)
        return passed if self._script.build is None else _given(self._script.build)

    def round(self, classes: Sequence[str], *, seed: int = 0, deadline: float) -> RoundOutput:
        """Give the script's result; see ``ArmSession.round``."""
        script = self._script.rounds.get(len(self.classes), self._script.round).only(classes)
        self.classes.append(tuple(classes))
        self.seeds.append(seed)
        self._owner.order.append(self.arm)
        if script.error is not None:
            raise script.error
        if script.hangs and self._owner.killed.wait(deadline):
            raise SandboxError("the fake arm was killed")
        started_at = _STARTED_AT + len(self._owner.order)
        return script.result(started_at=started_at, timed_out=script.hangs)

    def close(self) -> None:
        """Give the arm back."""
        self.closed = True


class FakeArms:
    """Satisfies ``ArmFactory``: makes fake arms and remembers what was asked of them.

    Args:
        scripts: What each arm does.
        setting: What ``prepare`` finds, or raises.
        refused: Raised when this arm is opened.

    Attributes:
        opened: Every arm, in the order they were opened.
        order: The arm of every round, in the order they ran.
        killed: Set once ``kill`` was called.
    """

    def __init__(
        self,
        *,
        scripts: Mapping[Arm, FakeScript],
        setting: Setting | Exception = FAKE_SETTING,
        refused: Mapping[Arm, Exception] | None = None,
    ) -> None:
        self.opened: list[FakeArm] = []
        self.order: list[Arm] = []
        self.killed = threading.Event()
        self._scripts = scripts
        self._setting = setting
        self._refused = refused or {}

    def prepare(self, record: EtipRecord) -> Setting:
        """Give the setting; see ``ArmFactory.prepare``."""
        del record
        return _given(self._setting)

    def open(self, record: EtipRecord, arm: Arm, image_id: str) -> FakeArm:
        """Make an arm; see ``ArmFactory.open``."""
        del record, image_id
        if arm in self._refused:
            raise self._refused[arm]
        self.opened.append(FakeArm(arm, self._scripts[arm], self))
        return self.opened[-1]

    def kill(self) -> None:
        """End every round that hangs, as removing its container would."""
        self.killed.set()


def _given(result: _Result | Exception) -> _Result:
    if isinstance(result, Exception):
        raise result
    return result
