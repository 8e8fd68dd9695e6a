"""What two runs differ in: what was asked, where it ran, and what was found. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum

from jeto_evaluate.reports.provenance import Setting
from jeto_evaluate.reports.run import InstanceSummary, RunReport

__all__ = ["Difference", "Kind", "differences"]

_ABSENT = "(not there)"
_HOST = "provenance.host."
# When and under which name a run was made is no difference between two runs of the same thing.
_OWN = frozenset({"run_id", "provenance.started_at", "notes"})


class Kind(StrEnum):
    """What a difference is one of."""

    SETTING = "setting"
    HOST = "host"
    VERDICT = "verdict"


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One thing that is not the same in two runs.

    Attributes:
        kind: Setting, host or verdict.
        where: The instance; empty for the whole run.
        what: Path of the field, such as ``provenance.host.cores``.
        first: Its value in the first run, as text.
        second: Its value in the second run.
    """

    kind: Kind
    where: str
    what: str
    first: str
    second: str


def differences(first: RunReport, second: RunReport) -> tuple[Difference, ...]:
    """Name every difference of setting, host and verdict: settings first, then per instance.

    Times and p-values differ between any two runs and are not compared; what follows from them is:
    outcome, reason, and how many classes are faster or slower.
    """
    found = [
        Difference(kind=_kind(what), where="", what=what, first=one, second=other)
        for what, one, other in _unequal(_run_facts(first), _run_facts(second))
    ]
    ours, theirs = ({item.instance_id: item for item in run.instances} for run in (first, second))
    for name in sorted({*ours, *theirs}):
        sides = _facts(ours.get(name)), _facts(theirs.get(name))
        found += [
            Difference(
                kind=Kind.SETTING if what.startswith("setting") else Kind.VERDICT,
                where=name,
                what=what,
                first=one,
                second=other,
            )
            for what, one, other in _unequal(*sides)
        ]
    return tuple(found)


def _kind(what: str) -> Kind:
    return Kind.HOST if what.startswith(_HOST) else Kind.SETTING


def _run_facts(run: RunReport) -> Mapping[str, str]:
    facts = {
        "model": run.model,
        "decides": str(run.decides),
        **dict(_flat(run.robust_criteria, "robust_criteria")),
        **dict(_flat(run.criteria, "criteria")),
        **dict(_flat(run.provenance, "provenance")),
    }
    return {what: value for what, value in facts.items() if what not in _OWN}


def _facts(item: InstanceSummary | None) -> Mapping[str, str]:
    if item is None:
        return {"outcome": _ABSENT}
    setting = item.setting
    return {
        "outcome": str(item.outcome),
        "reason": str(item.reason),
        "faster classes": str(item.improved_classes),
        "slower classes": str(item.regressed_classes),
        "timed classes": str(item.timed_classes),
        **({} if setting is None else _setting_facts(setting)),
    }


def _setting_facts(setting: Setting) -> Mapping[str, str]:
    facts = dict(_flat(setting, "setting"))
    if setting.image_digest:
        # An image from a registry has another local id on each machine.
        del facts["setting.image_id"]
    return facts


def _flat(value: object, path: str) -> Iterator[tuple[str, str]]:
    if is_dataclass(value):
        for item in fields(value):
            yield from _flat(getattr(value, item.name), f"{path}.{item.name}")
    elif isinstance(value, tuple):
        yield path, ", ".join(map(str, value))
    else:
        yield path, str(value)


def _unequal(first: Mapping[str, str], second: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for what in dict.fromkeys([*first, *second]):
        one, other = first.get(what, _ABSENT), second.get(what, _ABSENT)
        if one != other:
            yield what, one, other
