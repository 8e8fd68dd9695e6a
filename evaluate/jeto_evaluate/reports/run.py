"""The report of a run: SWE-bench's version 2 keys, and what they leave open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jeto_evaluate.criteria import Criteria
from jeto_evaluate.judging import ClassVerdict
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.provenance import Provenance, Setting
from jeto_evaluate.rules import Decider
from jeto_evaluate.statistics.intervals import CONFIDENCE
from jeto_evaluate.statistics.robust_class import RobustClass
from jeto_evaluate.statistics.robust_criteria import RobustCriteria

__all__ = [
    "RUN_SCHEMA_VERSION",
    "InstanceSummary",
    "Rate",
    "RunReport",
]

RUN_SCHEMA_VERSION = 3
"""Version of our keys, raised whenever one or its meaning changes.

History: 1, the first; 2 added ``decides``, and the summaries' ``robust``; 3
``robust_criteria``.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """A share with its denominator and a two-sided interval.

    Attributes:
        numerator: Instances counted.
        denominator: Instances they are a share of.
        value: Numerator / denominator; ``None`` where no rate may be given.
        low: Lower end of Wilson's interval; ``None`` with ``value``.
        high: Upper end; ``None`` with ``value``.
        confidence: Nominal level of the interval.
    """

    numerator: int
    denominator: int
    value: float | None
    low: float | None
    high: float | None
    confidence: float = CONFIDENCE


@dataclass(frozen=True, kw_only=True, slots=True)
class InstanceSummary:
    """One line per instance: one reason code and one log path.

    Attributes:
        instance_id: The record.
        outcome: The class it ends in.
        reason: Why.
        detail: What happened in this case; may be empty.
        log_path: The instance's log, relative to the log directory.
        strongest: The paper's verdict on the class that speaks most clearly for the outcome;
            ``None`` if none was timed.
        robust: The robust verdict on the class that speaks most clearly for the outcome, in the
            stage that decided; ``None`` if there is none.
        improved_classes: Number of classes that are faster under the rule that decides.
        regressed_classes: Number of classes that are slower under it.
        timed_classes: Number of classes with a verdict.
        setting: What the arms ran in; ``None`` if no container was started.
    """

    instance_id: str
    outcome: Outcome
    reason: Reason
    detail: str
    log_path: str
    strongest: ClassVerdict | None
    robust: RobustClass | None
    improved_classes: int
    regressed_classes: int
    timed_classes: int
    setting: Setting | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RunReport:
    """All instances of one model in one run.

    The keys up to ``schema_version`` are SWE-bench's, with resolved = improved; completed, empty
    and error partition the submitted instances. ``error_ids`` holds what SWE-bench counts as an
    error: infrastructure, patches that do not apply, time-outs. ``outcome_ids`` tells them apart.

    Attributes:
        total_instances: Instances of the dataset that was chosen from.
        submitted_instances: Instances evaluated or asked for.
        completed_instances: Instances that reached their tests, or failed to build.
        resolved_instances: ``improved`` ones.
        unresolved_instances: Completed ones that are not improved.
        empty_patch_instances: Empty, null or absent patches.
        error_instances: See above.
        completed_ids: Sorted ids.
        incomplete_ids: Ids of the dataset that were not submitted.
        empty_patch_ids: Sorted ids.
        submitted_ids: Sorted ids.
        resolved_ids: Sorted ids.
        unresolved_ids: Sorted ids.
        error_ids: Sorted ids.
        schema_version: SWE-bench's version of these keys.
        jeto_schema_version: Version of the keys below.
        run_id: Name of the run.
        model: ``model_name_or_path`` of the predictions.
        criteria: The paper's rule.
        robust_criteria: The robust rule; ``None`` if nothing was measured.
        decides: Whether the paper's rule or the robust one decided the outcomes.
        outcome_ids: Sorted ids of every outcome; disjoint, together ``submitted_ids``.
        coverage: Graded / submitted.
        improved_rate: Improved / graded, the primary rate: infrastructure errors are left out.
        improved_rate_of_submitted: Improved / submitted.
        instances: One summary per submitted instance, sorted by id.
        provenance: Where the verdicts come from; ``None`` if nothing was submitted.
        notes: What a reader must know, such as that the run was judged again.
    """

    total_instances: int
    submitted_instances: int
    completed_instances: int
    resolved_instances: int
    unresolved_instances: int
    empty_patch_instances: int
    error_instances: int
    completed_ids: tuple[str, ...]
    incomplete_ids: tuple[str, ...]
    empty_patch_ids: tuple[str, ...]
    submitted_ids: tuple[str, ...]
    resolved_ids: tuple[str, ...]
    unresolved_ids: tuple[str, ...]
    error_ids: tuple[str, ...]
    schema_version: int = 2
    jeto_schema_version: int = RUN_SCHEMA_VERSION
    run_id: str
    model: str
    criteria: Criteria
    robust_criteria: RobustCriteria | None
    decides: Decider
    outcome_ids: Mapping[Outcome, tuple[str, ...]]
    coverage: Rate
    improved_rate: Rate
    improved_rate_of_submitted: Rate
    instances: tuple[InstanceSummary, ...]
    provenance: Provenance | None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse counts that do not add up.

        Raises:
            ValueError: An instance has no outcome or two, or a count is not the length of its list.
        """
        ids = [instance_id for group in self.outcome_ids.values() for instance_id in group]
        if sorted(ids) != list(self.submitted_ids) or len(set(ids)) != len(ids):
            raise ValueError("the outcomes do not partition the submitted instances")
        if [item.instance_id for item in self.instances] != list(self.submitted_ids):
            raise ValueError("the summaries are not those of the submitted instances")
        parts = (*self.completed_ids, *self.empty_patch_ids, *self.error_ids)
        if sorted(parts) != list(self.submitted_ids):
            raise ValueError("completed, empty and error do not partition the submitted instances")
        if sorted((*self.resolved_ids, *self.unresolved_ids)) != list(self.completed_ids):
            raise ValueError("resolved and unresolved do not partition the completed instances")
        counts = {
            "submitted": (self.submitted_instances, self.submitted_ids),
            "completed": (self.completed_instances, self.completed_ids),
            "resolved": (self.resolved_instances, self.resolved_ids),
            "unresolved": (self.unresolved_instances, self.unresolved_ids),
            "empty_patch": (self.empty_patch_instances, self.empty_patch_ids),
            "error": (self.error_instances, self.error_ids),
            "total": (self.total_instances, (*self.submitted_ids, *self.incomplete_ids)),
        }
        for name, (count, members) in counts.items():
            if count != len(members):
                raise ValueError(f"{name}_instances is {count}, but there are {len(members)} ids")
