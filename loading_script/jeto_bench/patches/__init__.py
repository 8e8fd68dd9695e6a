"""Patches as bytes: what is repaired, what they touch, what is refused. Pure."""

from jeto_bench.patches.model import ChangeKind, FilePatch, PatchError, PatchProblem
from jeto_bench.patches.normalize import NormalizedPatch, Repair, normalize_patch
from jeto_bench.patches.parse import parse_patch
from jeto_bench.patches.prefix import changed_paths, detect_prefix_depth

__all__ = [
    "ChangeKind",
    "FilePatch",
    "NormalizedPatch",
    "PatchError",
    "PatchProblem",
    "Repair",
    "changed_paths",
    "detect_prefix_depth",
    "normalize_patch",
    "parse_patch",
]
