"""JSON text to reports, strictly: every key known, none missing, every type right."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from jeto_bench.errors import DecodeError, JetoError
from jeto_evaluate.calibration import CERTIFICATE_VERSION, HostCertificate
from jeto_evaluate.reports.instance import INSTANCE_SCHEMA_VERSION, InstanceReport
from jeto_evaluate.reports.run import RUN_SCHEMA_VERSION, RunReport

__all__ = ["certificate", "decode", "instance_report", "run_report", "versioned"]

T = TypeVar("T")
_FRACTION = re.compile(r"[0-9]+(/[1-9][0-9]*)?")


def instance_report(text: str | bytes, *, source: str) -> InstanceReport:
    """Decode an instance's ``report.json``.

    Raises:
        DecodeError: Not JSON, another schema version, or a field that is not as it should be.
    """
    return versioned(InstanceReport, text, source=source, version=INSTANCE_SCHEMA_VERSION)


def run_report(text: str | bytes, *, source: str) -> RunReport:
    """Decode a run's report.

    Raises:
        DecodeError: Not JSON, another schema version, or a field that is not as it should be.
    """
    return versioned(
        RunReport, text, source=source, version=RUN_SCHEMA_VERSION, key="jeto_schema_version"
    )


def certificate(text: str | bytes, *, source: str) -> HostCertificate:
    """Decode a host's certificate.

    Raises:
        DecodeError: Not JSON, another schema version, or a field that is not as it should be.
    """
    return versioned(HostCertificate, text, source=source, version=CERTIFICATE_VERSION)


def versioned(
    target: type[T], text: str | bytes, *, source: str, version: int, key: str = "schema_version"
) -> T:
    """Decode a JSON document that states the version of its format.

    Args:
        target: A dataclass of reports.
        text: The document.
        source: The file, for messages.
        version: The version that is read.
        key: Where the document states its own.

    Raises:
        DecodeError: Not JSON, another version, or a field that is not as it should be.
    """
    return decode(target, _document(text, source, key=key, version=version), source=source)


def decode(target: type[T], value: object, *, source: str) -> T:
    """Build ``target``, a dataclass of reports, from plain JSON values.

    Raises:
        DecodeError: The message names ``source`` and the field's path.
    """
    decoded = _dataclass(target, value, _Where(source, ""))
    if not isinstance(decoded, target):
        raise TypeError(f"{target} is no dataclass of the reports")
    return decoded


def _document(text: str | bytes, source: str, *, key: str, version: int) -> object:
    try:
        document = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"not JSON: {error}", source=source) from None
    if not isinstance(document, dict):
        raise DecodeError("not a JSON object", source=source)
    if document.get(key) != version:
        raise DecodeError(
            f"is {document.get(key)!r}, this program reads {version}", source=source, field=key
        )
    return document


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


class _Where:
    """A place in a document, for messages."""

    def __init__(self, source: str, path: str) -> None:
        self.source = source
        self.path = path

    def field(self, name: str) -> _Where:
        return _Where(self.source, f"{self.path}.{name}" if self.path else name)

    def item(self, index: int) -> _Where:
        return _Where(self.source, f"{self.path}[{index}]")

    def error(self, message: str) -> DecodeError:
        return DecodeError(message, source=self.source, field=self.path)


def _value(hint: Any, value: object, where: _Where) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _optional(get_args(hint), value, where)
    if origin is tuple:
        return _tuple(get_args(hint)[0], value, where)
    if origin is Mapping:
        return _mapping(get_args(hint), value, where)
    if is_dataclass(hint):
        return _dataclass(hint, value, where)
    for kind, read in _SCALARS.items():
        if issubclass(hint, kind):
            return read(hint, value, where)
    raise TypeError(f"no way to decode {hint}")


def _dataclass(target: Any, value: object, where: _Where) -> Any:
    if not isinstance(value, dict):
        raise where.error("expected an object")
    names = {field.name for field in fields(target)}
    if missing := sorted(names - set(value)):
        raise where.error(f"missing {', '.join(missing)}")
    if unknown := sorted(set(value) - names):
        raise where.error(f"unknown {', '.join(unknown)}")
    hints = get_type_hints(target)
    arguments = {name: _value(hints[name], value[name], where.field(name)) for name in names}
    try:
        return target(**arguments)
    except (ValueError, JetoError) as error:
        raise where.error(str(error)) from error


def _optional(options: tuple[Any, ...], value: object, where: _Where) -> Any:
    (hint,) = (option for option in options if option is not types.NoneType)
    return None if value is None else _value(hint, value, where)


def _tuple(hint: Any, value: object, where: _Where) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise where.error("expected an array")
    return tuple(_value(hint, item, where.item(index)) for index, item in enumerate(value))


def _mapping(hints: tuple[Any, ...], value: object, where: _Where) -> Mapping[Any, Any]:
    key_hint, item_hint = hints
    if not isinstance(value, dict):
        raise where.error("expected an object")
    return {
        _value(key_hint, key, where.field(str(key))): _value(item_hint, item, where.field(str(key)))
        for key, item in value.items()
    }


def _enum(hint: Any, value: object, where: _Where) -> Any:
    if value not in [member.value for member in hint]:
        raise where.error(f"{value!r} is none of {', '.join(hint)}")
    return hint(value)


def _fraction(_hint: Any, value: object, where: _Where) -> Fraction:
    if not isinstance(value, str) or not _FRACTION.fullmatch(value):
        raise where.error(f"expected a fraction such as 1/20, not {value!r}")
    return Fraction(value)


def _scalar(kinds: tuple[type, ...], hint: Any, value: object, where: _Where) -> Any:
    # bool is an int to Python, and never a number here.
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise where.error(f"expected {hint.__name__}, not {value!r}")
    return hint(value)


_SCALARS: dict[type, Callable[[Any, object, _Where], Any]] = {
    StrEnum: _enum,
    Fraction: _fraction,
    str: partial(_scalar, (str,)),
    bool: partial(_scalar, (bool,)),
    int: partial(_scalar, (int,)),
    float: partial(_scalar, (int, float)),
}
