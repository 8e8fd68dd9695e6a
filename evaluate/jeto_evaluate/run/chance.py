"""Tests that fail by chance: their pair is run again, a few times an instance."""

from __future__ import annotations

from jeto_evaluate.run.ending import TestFailed
from jeto_evaluate.samples import Arm

__all__ = ["Chance"]


class Chance:
    """What has failed by chance so far.

    Base and the reference pass their tests, or there would be no record, and base has passed them
    in the warm-up: what fails in them later is the test's own doing. A candidate's failure is taken
    for such only in a class that has failed so before; else it is the candidate's, however rare.

    Args:
        limit: How many pairs may be run again.

    Attributes:
        repeated: What failed, for each pair that was run again.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._flaky: set[str] = set()
        self.repeated: list[str] = []

    def explains(self, failed: TestFailed) -> bool:
        """Whether the pair is to be run again; then that is noted."""
        if failed.arm is not Arm.CANDIDATE:
            self._flaky.add(failed.test_class)
        if failed.test_class not in self._flaky or len(self.repeated) >= self._limit:
            return False
        self.repeated.append(failed.detail)
        return True
