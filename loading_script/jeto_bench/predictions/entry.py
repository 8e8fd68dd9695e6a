"""Turns one decoded entry into a ``Prediction``, or says what is wrong and how to mend it."""

from __future__ import annotations

import hashlib

from jeto_bench.errors import DecodeError
from jeto_bench.json_text import JsonValue
from jeto_bench.patches import normalize_patch
from jeto_bench.predictions.model import UNNAMED_MODEL, PatchState, Prediction
from jeto_bench.predictions.shapes import Entry

__all__ = ["MAX_PATCH_BYTES", "make_prediction", "read_entry"]

MAX_PATCH_BYTES = 16 * 1024 * 1024

_WRONG_KEYS = {
    "model_patch": ("prediction", "patch", "diff", "model_diff", "git_patch"),
    "instance_id": ("id", "instance", "task_id", "instance_ids"),
    "model_name_or_path": ("model_name", "model", "name", "model_path"),
}


def read_entry(entry: Entry, *, source: str) -> Prediction:
    """Return the prediction of one entry.

    Raises:
        DecodeError: A key is missing, misnamed or of the wrong type.
    """
    value: JsonValue = entry.value
    if isinstance(value, str) and entry.key is not None:
        value = {"instance_id": entry.key, "model_patch": value}
    if value is None and entry.key is not None:
        value = {"instance_id": entry.key, "model_patch": None}
    if not isinstance(value, dict):
        raise DecodeError(
            f"a prediction is an object, not {_kind(value)}",
            source=source,
            line=entry.line,
            advice='{"instance_id": "...", "model_name_or_path": "...", "model_patch": "diff ..."}',
        )
    for key in _WRONG_KEYS:
        if not (key == "instance_id" and entry.key is not None):
            _refuse_wrong_key(value, key, entry, source)
    instance_id = _instance_id(value, entry, source)
    model = value.get("model_name_or_path")
    if model is not None and not isinstance(model, str):
        raise _wrong_type("model_name_or_path", model, entry, source)
    patch = value.get("model_patch")
    if patch is not None and not isinstance(patch, str):
        raise _wrong_type("model_patch", patch, entry, source)
    if patch is not None and len(patch) > MAX_PATCH_BYTES:
        raise DecodeError(
            f"the patch has {len(patch)} characters, more than {MAX_PATCH_BYTES}",
            source=source,
            line=entry.line,
            field="model_patch",
            advice="Leave build output and generated files out of the diff.",
        )
    return make_prediction(
        instance_id=instance_id, model=model or UNNAMED_MODEL, patch=patch, line=entry.line
    )


def make_prediction(
    *, instance_id: str, model: str, patch: str | None, line: int | None
) -> Prediction:
    """Return a prediction with its patch as normalised bytes and its state."""
    state, raw, detail = PatchState.OK, b"", ""
    if patch is None:
        state = PatchState.MISSING
    else:
        try:
            raw = patch.encode("utf-8")
        except UnicodeEncodeError as error:
            state = PatchState.UNENCODABLE
            raw = patch.encode("utf-8", "surrogatepass")
            detail = (
                f"unpaired surrogate U+{ord(patch[error.start]):04X} at character {error.start}"
            )
        else:
            state = PatchState.OK if patch.strip() else PatchState.EMPTY
    normalized = normalize_patch(raw) if state is PatchState.OK else None
    return Prediction(
        instance_id=instance_id,
        model_name_or_path=model,
        patch=b"" if normalized is None else normalized.patch,
        state=state,
        raw_sha256="" if patch is None else hashlib.sha256(raw).hexdigest(),
        patch_sha256="" if normalized is None else hashlib.sha256(normalized.patch).hexdigest(),
        normalized=() if normalized is None else tuple(r.value for r in normalized.repairs),
        line=line,
        detail=detail,
    )


def _refuse_wrong_key(value: dict[str, JsonValue], key: str, entry: Entry, source: str) -> None:
    if key in value:
        return
    wrong = next((name for name in _WRONG_KEYS[key] if name in value), None)
    if wrong is not None:
        raise DecodeError(
            f'the key "{key}" is missing; "{wrong}" is not read',
            source=source,
            line=entry.line,
            field=key,
            advice=f'Rename the key: sed -i \'s/"{wrong}":/"{key}":/\' FILE',
        )


def _instance_id(value: dict[str, JsonValue], entry: Entry, source: str) -> str:
    found = value.get("instance_id", entry.key)
    if found is None:
        raise DecodeError(
            'the key "instance_id" is missing',
            source=source,
            line=entry.line,
            field="instance_id",
            advice='Add "instance_id": "<owner>__<name>-<number>" to the object.',
        )
    if not isinstance(found, str) or not found:
        raise _wrong_type("instance_id", found, entry, source)
    if entry.key is not None and found != entry.key:
        raise DecodeError(
            f"the map's key is {entry.key!r} but the object says {found!r}",
            source=source,
            line=entry.line,
            field="instance_id",
            advice="Make both the same, or leave instance_id out of the object.",
        )
    return found


def _wrong_type(key: str, value: JsonValue, entry: Entry, source: str) -> DecodeError:
    return DecodeError(
        f"expected a string, found {_kind(value)}",
        source=source,
        line=entry.line,
        field=key,
        advice=f'Write "{key}" as a JSON string.',
    )


def _kind(value: JsonValue) -> str:
    names = {dict: "an object", list: "a list", bool: "a boolean", str: "an empty string"}
    return "null" if value is None else names.get(type(value), "a number")
