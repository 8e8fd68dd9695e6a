"""Apply a prediction's patch to the tree of a sandbox: all of it, or none of it.

Each strategy starts from a tree verified byte by byte, checks the whole patch first, and is
followed by a comparison of what changed with what the diff names (field.md rows 3 and 4). The patch
comes from a hostile place; git is the only program that reads it besides our own parser.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from jeto_bench.patches import (
    FilePatch,
    PatchError,
    changed_paths,
    detect_prefix_depth,
    parse_patch,
)
from jeto_evaluate.patching.plan import (
    LINK,
    SUBMODULE,
    PatchPlan,
    PlanRefused,
    TreeEntry,
    plan_patch,
)
from jeto_evaluate.patching.protected import PathClass, ProtectedPolicy, classify
from jeto_evaluate.patching.result import ApplyReason, PatchResult, Strategy
from jeto_evaluate.patching.tree import ScratchTree
from jeto_evaluate.sandbox.protocol import Sandbox

__all__ = ["apply_patch"]

_STRATEGIES = (
    (Strategy.STRICT, ()),
    (Strategy.TOLERANT, ("-C1", "--ignore-whitespace")),
)
_MAX_LOG = 64 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class _Base:
    """The tree before anything was tried."""

    tree: str
    entries: Mapping[str, TreeEntry]


def _paths_of(dropped: Mapping[str, PathClass], *kinds: PathClass) -> tuple[str, ...]:
    return tuple(sorted(path for path, kind in dropped.items() if kind in kinds))


def _result(plan: PatchPlan, base: _Base) -> PatchResult:
    """A result that names what was left out and applies nothing yet."""
    return PatchResult(
        applied=False,
        junk_paths=_paths_of(plan.dropped, PathClass.JUNK),
        ignored_test_edits=_paths_of(plan.dropped, PathClass.TEST),
        protected_path_edits=_paths_of(plan.dropped, PathClass.BUILD, PathClass.TEST_CONFIG),
        prefix_depth=plan.depth,
        tree=base.tree,
    )


def _complaint(plan: PatchPlan, changes: Mapping[str, str]) -> tuple[ApplyReason, str]:
    """What is wrong with the changes that an apparently successful tool made."""
    missing = sorted(plan.expected - changes.keys())
    if missing:
        return ApplyReason.PATCH_NOT_APPLIED, f"unchanged although the diff names it: {missing[0]}"
    surplus = sorted(changes.keys() - plan.expected - plan.tolerated)
    if surplus:
        return ApplyReason.UNEXPECTED_CHANGE, f"changed although the diff does not: {surplus[0]}"
    for path, mode in changes.items():
        if mode == LINK:
            return ApplyReason.SYMLINK, f"{path!r} is a symbolic link"
        if mode == SUBMODULE:
            return ApplyReason.SUBMODULE, f"{path!r} is a submodule"
    return ApplyReason.NONE, ""


def _undo_protected(
    tree: ScratchTree, base: _Base, changes: Mapping[str, str], policy: ProtectedPolicy
) -> Mapping[str, str]:
    """Restore what must not change and return what still differs from base."""
    guarded = [path for path in changes if classify(path, policy) is not PathClass.SOURCE]
    if not guarded:
        return changes
    tree.restore_paths(base.tree, base.entries, guarded)
    return tree.differences(base.tree, tree.snapshot())


def _try_strategies(
    tree: ScratchTree, plan: PatchPlan, base: _Base, policy: ProtectedPolicy
) -> PatchResult:
    outcome = _result(plan, base)
    log = b""
    for strategy, options in _STRATEGIES:
        done = tree.apply(plan.patch, depth=plan.depth, options=options)
        log = (log + f"[{strategy.value}]\n".encode() + done.output)[-_MAX_LOG:]
        outcome = replace(outcome, log=log)
        if tree.timed_out:
            tree.restore(base.tree)
            return replace(outcome, reason=ApplyReason.TIMED_OUT, detail="the tool took too long")
        if not done.ok:
            # A check that fails writes nothing, yet that is verified and not believed.
            tree.restore(base.tree)
            continue
        changes = tree.differences(base.tree, tree.snapshot())
        reason, detail = _complaint(plan, changes)
        if reason is ApplyReason.NONE:
            left = _undo_protected(tree, base, changes, policy)
            return replace(
                outcome,
                applied=True,
                strategy=strategy,
                changed=tuple(sorted(left)),
                tree=tree.snapshot(),
                reason=ApplyReason.NONE if left else ApplyReason.NOTHING_LEFT,
                detail="" if left else "what was applied cancels out",
            )
        tree.restore(base.tree)
        return replace(outcome, reason=reason, detail=detail)
    first = log.decode("utf-8", "replace").partition("error: ")[2].partition("\n")[0]
    return replace(
        outcome,
        reason=ApplyReason.DOES_NOT_APPLY,
        detail=first + _stray_paths(plan, base.entries.keys()),
    )


def _stray_paths(plan: PatchPlan, known: Collection[str]) -> str:
    """Say so if the paths of a patch begin somewhere above the tree."""
    for path in sorted(plan.expected | plan.tolerated):
        parts = path.split("/")
        inner = ["/".join(parts[number:]) for number in range(1, len(parts))]
        if path not in known and any(item in known for item in inner):
            return f" ({path} begins above the tree: make the diff with git diff --relative)"
    return ""


def _plan(
    tree: ScratchTree,
    patch: bytes,
    files: tuple[FilePatch, ...],
    base: _Base,
    policy: ProtectedPolicy,
) -> PatchPlan:
    depth = detect_prefix_depth(files, base.entries.keys())
    new = [path for path in changed_paths(files, depth) if path not in base.entries]
    return plan_patch(
        patch, files, base.entries, depth=depth, policy=policy, ignored=tree.ignored(new)
    )


def _apply(tree: ScratchTree, patch: bytes, policy: ProtectedPolicy) -> PatchResult:
    tree.require_clean()
    base = _Base(tree=tree.snapshot(), entries=tree.entries())
    try:
        plan = _plan(tree, patch, parse_patch(patch), base, policy)
    except PatchError as error:
        return PatchResult(
            applied=False, tree=base.tree, reason=ApplyReason.MALFORMED, detail=str(error)
        )
    except PlanRefused as refusal:
        return PatchResult(
            applied=False, tree=base.tree, reason=refusal.reason, detail=refusal.detail
        )
    if not plan.patch:
        return replace(
            _result(plan, base),
            applied=True,
            reason=ApplyReason.NOTHING_LEFT,
            detail="the patch touches only tests, build files or junk",
        )
    return _try_strategies(tree, plan, base, policy)


def apply_patch(
    sandbox: Sandbox, patch: bytes, *, record_policy: ProtectedPolicy, deadline: float
) -> PatchResult:
    """Apply a patch to ``/jeto/repo``.

    Args:
        sandbox: A fresh sandbox at base, in which no code of others ran yet.
        patch: Normalised bytes (``jeto_bench.patches.normalize_patch``).
        record_policy: What the record adds to the rules for protected paths.
        deadline: Seconds for the attempts together; restoring the tree has its own limit.

    Returns:
        What became of it. Afterwards the tree is base plus ``changed``, or byte-identical to base.

    Raises:
        SandboxError: The tree was not at base, could not be brought back, or the sandbox failed.
    """
    tree = ScratchTree(sandbox, deadline=deadline)
    tree.open()
    try:
        return _apply(tree, patch, record_policy)
    finally:
        tree.close()
