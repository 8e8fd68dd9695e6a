"""One prediction from patch to report; every trouble becomes an outcome here."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from jeto_bench.errors import EngineError, ImageError, ImageMismatchError, SandboxError
from jeto_bench.predictions import Prediction
from jeto_bench.records import EtipRecord
from jeto_evaluate.pairing import SamplesError
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.instance import InstanceReport
from jeto_evaluate.reports.provenance import Provenance
from jeto_evaluate.run.confirmation import detectors_of
from jeto_evaluate.run.ending import InstanceEnded
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.run.steps import ArmFactory, Steps
from jeto_evaluate.samples import Samples
from jeto_evaluate.verdict import judge_report

__all__ = ["Evaluation", "run_instance"]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Evaluation:
    """The result of one instance.

    Attributes:
        report: The verdict.
        samples: Raw times; ``None`` if measuring was not finished.
        confirmation: Those of the second stage; ``None`` if it was not run.
        culprit: The test class over which measuring ended; empty if over none.
    """

    report: InstanceReport
    samples: Samples | None = None
    confirmation: Samples | None = None
    culprit: str = ""


def run_instance(
    record: EtipRecord,
    prediction: Prediction,
    *,
    factory: ArmFactory,
    settings: RunSettings,
    provenance: Provenance,
    log_path: str = "",
    progress: Callable[[str], None] = lambda _: None,
    stop: threading.Event | None = None,
) -> Evaluation:
    """Evaluate one prediction. This is the boundary at which every trouble becomes an outcome.

    Args:
        record: The ETIP.
        prediction: The patch for it.
        factory: Makes the arms.
        settings: How to measure, and the criteria that decide.
        provenance: Copied into the report.
        log_path: Named in the report.
        progress: Called with the name of every step.
        stop: When set, the instance ends as interrupted before its next step.
    """
    steps = Steps(
        record=record,
        prediction=prediction,
        factory=factory,
        settings=settings,
        progress=progress,
        stop=stop or threading.Event(),
    )
    culprit = ""
    try:
        steps.run()
        return _judged(steps, provenance, log_path)
    except InstanceEnded as ended:
        reason, detail, culprit = ended.reason, ended.detail, ended.test_class
    except ImageMismatchError as error:
        reason, detail = Reason.IMAGE_MISMATCH, str(error)
    except ImageError as error:
        reason, detail = Reason.IMAGE_MISSING, str(error)
    except EngineError as error:
        reason, detail = Reason.ENGINE_FAILED, str(error)
    except SandboxError as error:
        reason, detail = Reason.SANDBOX_DIED, str(error)
    except SamplesError as error:
        reason, detail = Reason.SAMPLES_INVALID, str(error)
    except Exception as error:  # noqa: BLE001  # the worker boundary
        _LOG.error("a fault of the harness\n%s", traceback.format_exc())
        reason, detail = Reason.HARNESS_ERROR, f"{type(error).__name__}: {error}"
    # Its containers are taken away from under it: whatever that looks like says nothing.
    if steps.stop.is_set() and steps.setting is not None:
        reason, detail, culprit = Reason.INTERRUPTED, "the run was stopped", ""
    return Evaluation(report=steps.report(provenance, log_path, reason, detail), culprit=culprit)


def _judged(steps: Steps, provenance: Provenance, log_path: str) -> Evaluation:
    if steps.samples is None:
        raise SamplesError("measuring ended without samples")
    judged = judge_report(
        # A reason that every measured instance may have, until it is judged.
        steps.report(provenance, log_path, Reason.NO_SIGNIFICANT_CLASS, ""),
        steps.samples,
        steps.confirmation,
        steps.settings.rules,
        detectors=detectors_of(steps.record),
    )
    return Evaluation(report=judged, samples=steps.samples, confirmation=steps.confirmation)
