"""What a user may choose about a run, as one frozen object."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from jeto_evaluate.criteria import JETO, Criteria
from jeto_evaluate.rules import Decider, Rules
from jeto_evaluate.samples import Arm
from jeto_evaluate.statistics.robust_criteria import ROBUST, RobustCriteria

__all__ = ["Deadlines", "RunSettings", "TestChoice"]

_GIB = 1024**3


@dataclass(frozen=True, kw_only=True, slots=True)
class Deadlines:
    """Seconds that each step may take, and all together.

    Attributes:
        apply: Applying one patch.
        build: Compiling one arm.
        round: One round of one arm.
        own_test: One launch of a test class that came with the fix; longer ones are cut off.
        instance: A whole instance.
        run: The whole run; 0 for none.
    """

    apply: float = 120.0
    build: float = 900.0
    round: float = 600.0
    own_test: float = 30.0
    instance: float = 3 * 3600.0
    run: float = 0.0


class TestChoice(StrEnum):
    """Which test classes are measured."""

    __test__ = False

    ALL = "all"
    DETECTORS = "detectors"


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSettings:
    """How instances are measured.

    Attributes:
        run_id: Name of the run; directory of its logs.
        criteria: The paper's rule; it also says how many rounds are run.
        robust: The robust rule; its own number of rounds is not read.
        decides: Which of the two the outcome follows from. Only where the robust one does, what
            the first stage names is measured a second time.
        tests: All test classes of the record, or only its detectors; those are named before
            anything is measured, so one stage is enough.
        reference: Measure the developers' patch in the same pairs, for the figures that compare a
            prediction with it.
        repeats: Pairs of an instance that may be run again since a test fails by chance.
        early_stop: End the rounds when no continuation can change the verdict that decides.
        seed: Seed of the run.
        cpus: CPUs per arm; ``None`` for two, or one on a machine with one.
        memory_bytes: Memory limit of an arm.
        network: Docker network mode of the arms.
        deadlines: Seconds per step.
    """

    run_id: str
    criteria: Criteria = JETO
    robust: RobustCriteria = ROBUST
    decides: Decider = Decider.ROBUST
    tests: TestChoice = TestChoice.ALL
    reference: bool = False
    repeats: int = 3
    early_stop: bool = False
    seed: int = 0
    cpus: int | None = None
    memory_bytes: int = 4 * _GIB
    network: str = "none"
    deadlines: Deadlines = Deadlines()

    @classmethod
    def under(cls, rules: Rules, *, run_id: str) -> Self:
        """Return the settings that measure what both rules need; the rest as by default."""
        return cls(run_id=run_id, criteria=rules.jeto, robust=rules.robust, decides=rules.decides)

    @property
    def confirms(self) -> bool:
        """Whether there is a second stage."""
        return self.decides is Decider.ROBUST and self.tests is TestChoice.ALL

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The versions to start, base first."""
        both = (Arm.BASE, Arm.CANDIDATE)
        return (*both, Arm.REFERENCE) if self.reference else both

    @property
    def rules(self) -> Rules:
        """Both rules for the pairs that are run."""
        return Rules(decides=self.decides, jeto=self.criteria, robust=self.robust_rule)

    @property
    def robust_rule(self) -> RobustCriteria:
        """The robust rule for the pairs that are run: both rules judge the same ones."""
        return replace(self.robust, rounds=self.criteria.rounds)
