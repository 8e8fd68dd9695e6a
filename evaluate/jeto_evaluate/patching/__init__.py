"""Applying a prediction's patch, and the paths it may not change."""

from __future__ import annotations

from jeto_evaluate.patching.apply import apply_patch
from jeto_evaluate.patching.outputs import output_intruders, same_outputs
from jeto_evaluate.patching.policy import policy_for
from jeto_evaluate.patching.protected import (
    DEFAULT_POLICY,
    PathClass,
    ProtectedPolicy,
    classify,
)
from jeto_evaluate.patching.result import ApplyReason, PatchResult, Strategy

__all__ = [
    "DEFAULT_POLICY",
    "ApplyReason",
    "PatchResult",
    "PathClass",
    "ProtectedPolicy",
    "Strategy",
    "apply_patch",
    "classify",
    "output_intruders",
    "policy_for",
    "same_outputs",
]
