"""What compiling an arm must have given before anything is measured."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from jeto_evaluate.patching import same_outputs
from jeto_evaluate.reasons import Reason
from jeto_evaluate.run.arm import BuildResult
from jeto_evaluate.run.ending import InstanceEnded, ours
from jeto_evaluate.run.module_outputs import module_intruders
from jeto_evaluate.samples import Arm

__all__ = ["refuse_build", "refuse_outputs"]

_LOG = logging.getLogger(__name__)


def refuse_build(arm: Arm, result: BuildResult) -> None:
    """End the instance if an arm did not build; only a candidate's fault is the prediction's.

    Raises:
        InstanceEnded: It did not.
    """
    if result.ok:
        return
    if result.timed_out:
        reason = ours(arm, Reason.BASE_TIMED_OUT) or Reason.DEADLINE_BUILD
    elif result.oom_killed:
        reason = ours(arm, Reason.BASE_OOM) or Reason.BUILD_OOM
    else:
        reason = ours(arm, Reason.BASE_BUILD_FAILED) or Reason.COMPILE_FAILED
    text = result.output.decode("utf-8", "replace")
    _LOG.info("the build of %s failed; the end of its log:\n%s", arm, text)
    raise InstanceEnded(reason, _first_error(text))


def refuse_outputs(base: BuildResult, candidate: BuildResult, *, changed: Sequence[str]) -> None:
    """End the instance if the candidate's classes reach where they must not, or equal base's.

    Args:
        base: Base, built.
        candidate: The candidate, built.
        changed: Paths that the patch changed, for the report.

    Raises:
        InstanceEnded: They do.
    """
    intruders = module_intruders(base.outputs, candidate.outputs)
    if intruders:
        raise InstanceEnded(Reason.SHADOWING_CLASS, ", ".join(intruders[:5]))
    if same_outputs(base.outputs, candidate.outputs):
        raise InstanceEnded(Reason.NO_BYTECODE_CHANGE, f"{len(changed)} files")


def _first_error(text: str) -> str:
    errors = [line for line in text.splitlines() if line.startswith("[ERROR]")]
    return (errors or text.splitlines()[-1:] or [""])[0].removeprefix("[ERROR]").strip()[:500]
