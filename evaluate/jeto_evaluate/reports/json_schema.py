"""JSON Schema of the reports, generated from the dataclasses that hold them.

The shipped files ``schema/instance.schema.json`` and ``schema/run.schema.json`` are the output of
``instance_schema`` and ``run_schema``; a test holds them equal.
"""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from inspect import getdoc
from typing import Any, Union, get_args, get_origin, get_type_hints

from jeto_evaluate.reports.encode import Json
from jeto_evaluate.reports.instance import INSTANCE_SCHEMA_VERSION, InstanceReport
from jeto_evaluate.reports.run import RUN_SCHEMA_VERSION, RunReport

__all__ = ["instance_schema", "run_schema"]

_ATTRIBUTE = re.compile(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)
_SCALARS: dict[type, dict[str, Json]] = {
    Fraction: {"type": "string", "pattern": "^[0-9]+(/[1-9][0-9]*)?$"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
}


def instance_schema() -> dict[str, Json]:
    """Return the schema of an instance's ``report.json``."""
    return _document(InstanceReport, {"schema_version": INSTANCE_SCHEMA_VERSION})


def run_schema() -> dict[str, Json]:
    """Return the schema of a run's report."""
    return _document(RunReport, {"schema_version": 2, "jeto_schema_version": RUN_SCHEMA_VERSION})


def _document(root: type, versions: Mapping[str, int]) -> dict[str, Json]:
    definitions: dict[str, Json] = {}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": root.__name__,
        **_object(root, definitions, versions),
        "$defs": dict(sorted(definitions.items())),
    }


def _object(
    target: Any,
    definitions: dict[str, Json],
    constants: Mapping[str, int] = types.MappingProxyType({}),
) -> dict[str, Json]:
    hints = get_type_hints(target)
    documented = dict(_ATTRIBUTE.findall(getdoc(target) or ""))
    properties: dict[str, Json] = {}
    for field in fields(target):
        if field.name in constants:
            schema: dict[str, Json] = {"const": constants[field.name]}
        else:
            schema = _schema(hints[field.name], definitions)
        if field.name in documented:
            schema["description"] = re.sub(r"\s+", " ", documented[field.name]).replace("``", "`")
        properties[field.name] = schema
    return {
        "type": "object",
        "description": (getdoc(target) or "").split("\n", maxsplit=1)[0],
        "properties": properties,
        "required": [field.name for field in fields(target)],
        "additionalProperties": False,
    }


def _schema(hint: Any, definitions: dict[str, Json]) -> dict[str, Json]:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (present,) = (option for option in arguments if option is not types.NoneType)
        return {"anyOf": [_schema(present, definitions), {"type": "null"}]}
    if origin is tuple:
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if origin is Mapping:
        names: list[Json] = [str(member) for member in arguments[0]]
        items = _schema(arguments[1], definitions)
        return {
            "type": "object",
            "properties": {str(name): items for name in names},
            "required": names,
            "additionalProperties": False,
        }
    if is_dataclass(hint):
        name = getattr(hint, "__name__", "")
        if name not in definitions:
            definitions[name] = None  # holds the place while the fields are walked
            definitions[name] = _object(hint, definitions)
        return {"$ref": f"#/$defs/{name}"}
    if issubclass(hint, StrEnum):
        return {"enum": [str(member) for member in hint]}
    return dict(_SCALARS[hint])
