"""The report of one instance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from jeto_evaluate.agent_lines import Jvm
from jeto_evaluate.criteria import Criteria
from jeto_evaluate.judging import ClassVerdict, Judgement, outcome_of
from jeto_evaluate.outcomes import MEASURED, Outcome
from jeto_evaluate.patching.result import PatchResult
from jeto_evaluate.peers import PeerFigures
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.provenance import Provenance, Setting
from jeto_evaluate.robust_judging import RobustJudgement, robust_reason
from jeto_evaluate.rules import Decider, Rules
from jeto_evaluate.samples import Arm
from jeto_evaluate.statistics.censored import CensoredTest
from jeto_evaluate.statistics.robust_class import RobustClass

__all__ = ["INSTANCE_SCHEMA_VERSION", "InstanceReport", "PatchFacts", "PhaseTime"]

_Tested: TypeAlias = ClassVerdict | RobustClass | CensoredTest

INSTANCE_SCHEMA_VERSION = 5
"""Raised whenever a field or its meaning changes.

History: 1, the first; 2 added ``decides``, ``early_stop``, ``robust`` and ``peers``; 3 ``jvms``;
4 ``own``; 5 ``repeated``.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class PatchFacts:
    """What became of a prediction's patch on its way into the tree.

    Attributes:
        normalized: Repairs made while reading, such as ``final_newline``.
        raw_sha256: Hash of the patch as submitted, 64 hex digits.
        patch_sha256: Hash of the patch as applied.
        strategy: The strategy that applied it: ``strict``, ``tolerant``, or empty.
        changed: Paths that differ from base afterwards, sorted.
        junk_paths: Build output and ignored paths that were dropped.
        ignored_test_edits: Test files that were restored from base.
        protected_path_edits: Build files and test configuration that were restored from base.
    """

    normalized: tuple[str, ...] = ()
    raw_sha256: str = ""
    patch_sha256: str = ""
    strategy: str = ""
    changed: tuple[str, ...] = ()
    junk_paths: tuple[str, ...] = ()
    ignored_test_edits: tuple[str, ...] = ()
    protected_path_edits: tuple[str, ...] = ()

    def applied(self, result: PatchResult) -> PatchFacts:
        """Return these facts with what applying has added."""
        return replace(
            self,
            strategy=str(result.strategy),
            changed=result.changed,
            junk_paths=result.junk_paths,
            ignored_test_edits=result.ignored_test_edits,
            protected_path_edits=result.protected_path_edits,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PhaseTime:
    """How long one phase took.

    Attributes:
        phase: Its name.
        seconds: Wall time by the harness's clock.
    """

    phase: str
    seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class InstanceReport:
    """What happened to one prediction, and why.

    Attributes:
        instance_id: The record.
        model: ``model_name_or_path`` of the prediction.
        outcome: The one class that the instance ends in.
        reason: Why; it belongs to ``outcome``.
        detail: What happened in this case; may be empty.
        log_path: The instance's log, relative to the log directory.
        criteria: The paper's rule.
        early_stop: Rounds could end before all were run, and p-values pay for it.
        stopped: Why they did; empty if all were run.
        repeated: What failed by chance, and in which arm, for each pair that was run again.
        decides: Whether the paper's rule or the robust one decided the outcome.
        patch: What became of the patch.
        arm: The arm compared with base.
        rounds_done: Finished pairs, warm-up not counted.
        order_seed: Seed of the order inside the pairs.
        classes: The paper's verdict per test class, sorted by name; empty if nothing was timed.
        overall: The same test on the sums over classes; reported, decides nothing.
        robust: The robust verdict; there whenever ``classes`` are.
        peers: SWE-Perf's and GSO's figures of the same samples, likewise.
        phases: Phases in the order they ran.
        provenance: What is the same for the whole run.
        setting: What the arms ran in; ``None`` if no container was started.
        jvms: The kinds of test JVMs as they see themselves, the same in all arms; empty if nothing
            was measured or no agent was there to say.
        own: The tests that came with the fix, if the record has any: they may be cut off on base.
        schema_version: Version of this format.
    """

    instance_id: str
    model: str
    outcome: Outcome
    reason: Reason
    detail: str
    log_path: str
    criteria: Criteria
    patch: PatchFacts
    arm: Arm
    rounds_done: int
    order_seed: int
    classes: tuple[ClassVerdict, ...]
    overall: ClassVerdict | None
    phases: tuple[PhaseTime, ...]
    provenance: Provenance
    setting: Setting | None
    jvms: tuple[Jvm, ...] = ()
    own: tuple[CensoredTest, ...] = ()
    early_stop: bool = False
    stopped: str = ""
    repeated: tuple[str, ...] = ()
    decides: Decider = Decider.ROBUST
    robust: RobustJudgement | None = None
    peers: PeerFigures | None = None
    schema_version: int = INSTANCE_SCHEMA_VERSION

    def __post_init__(self) -> None:
        """Refuse a report that contradicts itself.

        Raises:
            ValueError: The reason belongs to another outcome, or only part of a judgement is there.
        """
        if self.reason.outcome is not self.outcome:
            raise ValueError(
                f"{self.instance_id}: reason {self.reason} leads to {self.reason.outcome}, "
                f"not {self.outcome}"
            )
        if {self.overall is None, self.robust is None} != {not self.classes}:
            raise ValueError(
                f"{self.instance_id}: classes, overall and robust must be there together"
            )
        if self.classes and self.outcome not in MEASURED:
            raise ValueError(f"{self.instance_id}: {self.outcome} must not carry verdicts")

    @property
    def improved_names(self) -> tuple[str, ...]:
        """Names of the classes that are faster under the rule that decides, sorted."""
        return self._names(lambda item: item.improved.significant)

    @property
    def regressed_names(self) -> tuple[str, ...]:
        """Names of the classes that are slower under the rule that decides, sorted."""
        return self._names(lambda item: item.regressed.significant)

    def _names(self, chosen: Callable[[_Tested], bool]) -> tuple[str, ...]:
        deciding: tuple[_Tested, ...] = self.classes
        if self.decides is Decider.ROBUST and self.robust is not None:
            deciding = self.robust.deciding
        return tuple(sorted(item.test_class for item in (*deciding, *self.own) if chosen(item)))

    def judged(self, judgement: Judgement, robust: RobustJudgement, rules: Rules) -> InstanceReport:
        """Return this report with another judgement of its samples."""
        if rules.decides is Decider.ROBUST:
            reason = robust_reason(robust)
        else:
            _, reason = outcome_of(judgement)
        reason = self._with_own(reason)
        return replace(
            self,
            outcome=reason.outcome,
            reason=reason,
            criteria=rules.jeto,
            decides=rules.decides,
            arm=judgement.other,
            classes=judgement.classes,
            overall=judgement.overall,
            robust=robust,
        )

    def _with_own(self, reason: Reason) -> Reason:
        """Return the reason that the fix's own tests lead to; else that of the others."""
        if any(item.improved.significant for item in self.own):
            return Reason.FASTER
        if reason is not Reason.FASTER and any(item.regressed.significant for item in self.own):
            return Reason.SLOWER
        return reason
