"""What a user may choose about a run, as one frozen object."""

from __future__ import annotations

from dataclasses import dataclass

from jeto_evaluate.criteria import JETO, Criteria

__all__ = ["Deadlines", "RunSettings"]

_GIB = 1024**3


@dataclass(frozen=True, kw_only=True, slots=True)
class Deadlines:
    """Seconds that each step may take, and all together.

    Attributes:
        apply: Applying one patch.
        build: Compiling one arm.
        round: One round of one arm.
        instance: A whole instance.
        run: The whole run; 0 for none.
    """

    apply: float = 120.0
    build: float = 900.0
    round: float = 600.0
    instance: float = 3 * 3600.0
    run: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSettings:
    """How instances are measured.

    Attributes:
        run_id: Name of the run; directory of its logs.
        criteria: The rule that decides; it also says how many rounds are run.
        seed: Seed of the run.
        cpus: CPUs per arm; ``None`` for two, or one on a machine with one.
        memory_bytes: Memory limit of an arm.
        network: Docker network mode of the arms.
        deadlines: Seconds per step.
    """

    run_id: str
    criteria: Criteria = JETO
    seed: int = 0
    cpus: int | None = None
    memory_bytes: int = 4 * _GIB
    network: str = "none"
    deadlines: Deadlines = Deadlines()
