"""What a run is asked to evaluate, and which predictions that comes to. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jeto_bench.errors import UsageError
from jeto_bench.predictions import PatchState, Prediction, PredictionSet, match_ids
from jeto_bench.records import EtipRecord

__all__ = ["Request", "chosen_predictions"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What to evaluate.

    Attributes:
        records: The dataset.
        dataset_name: As the user named it.
        predictions: Of one model.
        instance_ids: Only these; empty for every instance that has a prediction.
        strict: Refuse predictions for unknown instances instead of leaving them out.
        overwrite: Replace what a run of the same name has measured with other settings.
        logs: Directory that holds ``run_evaluation/``.
        report_dir: Where ``MODEL.RUN.json`` goes.
    """

    records: tuple[EtipRecord, ...]
    dataset_name: str
    predictions: PredictionSet
    instance_ids: tuple[str, ...] = ()
    strict: bool = False
    overwrite: bool = False
    logs: Path = Path("logs")
    report_dir: Path = Path()


def chosen_predictions(request: Request) -> tuple[tuple[Prediction, ...], tuple[str, ...]]:
    """Return the predictions to evaluate and what the user should know about the rest. Pure.

    An instance that was asked for by name and has no prediction is evaluated as ``missing``.

    Raises:
        UsageError: Nothing is left, or ``strict`` and a prediction is for an unknown instance.
    """
    known = [record.instance_id for record in request.records]
    wrong = sorted(set(request.instance_ids) - set(known))
    if wrong:
        raise UsageError(f"no such instance in {request.dataset_name}: {', '.join(wrong)}")
    match = match_ids(request.predictions.predictions, known)
    unknown = tuple(item.describe() for item in match.unknown)
    if unknown and request.strict:
        raise UsageError("; ".join(unknown))
    by_id = {item.instance_id: item for item in match.known}
    wanted = tuple(dict.fromkeys(request.instance_ids)) or tuple(
        name for name in known if name in by_id
    )
    if not wanted:
        raise UsageError(
            f"no prediction is for an instance of {request.dataset_name}"
            + "".join(f"\n  {line}" for line in unknown[:5]),
            advice="`jeto-bench check-predictions` compares a file with a dataset.",
        )
    chosen = tuple(by_id.get(name) or _absent(name, request.predictions.model) for name in wanted)
    return chosen, (*request.predictions.warnings, *unknown)


def _absent(instance_id: str, model: str) -> Prediction:
    return Prediction(
        instance_id=instance_id,
        model_name_or_path=model,
        patch=b"",
        state=PatchState.MISSING,
        raw_sha256="",
        patch_sha256="",
        detail="asked for, but there is no prediction",
    )
