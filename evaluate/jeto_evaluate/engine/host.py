"""What to check of this machine: its own files, read, and rules over what they say.

Settings of the machine are reported and never changed: a tool that tuned a machine left it slow
(field.md row 63).
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_evaluate.engine.doctor import Check, Status
from jeto_evaluate.images.settings import BUNDLE_PATHS

__all__ = ["HostFacts", "check_host", "gather_host"]

_BUSY_SHARE: Final = 0.25


@dataclass(frozen=True, kw_only=True, slots=True)
class HostFacts:
    """What this machine says.

    Attributes:
        governors: Distinct frequency governors of the CPUs; empty if not shown.
        turbo: Whether turbo is on; ``None`` if not shown.
        load: Processes that wanted a CPU, mean of the last minute; ``None`` if unknown.
        cpus: CPUs of this machine.
        mmdebstrap: Whether Debian can be bootstrapped.
        git: Whether git is installed.
        certificates: Path of the certificate store; empty if none was found.
    """

    governors: tuple[str, ...]
    turbo: bool | None
    load: float | None
    cpus: int
    mmdebstrap: bool
    git: bool
    certificates: str


def check_host(facts: HostFacts) -> tuple[Check, ...]:
    """Judge this machine; nothing here is a ``fail``, as images may be pulled."""
    return (_governor(facts), _load(facts), _building(facts))


def _governor(facts: HostFacts) -> Check:
    if not facts.governors and facts.turbo is None:
        return Check(name="frequency", status=Status.OK, found="not shown (virtual machine?)")
    governors = ", ".join(facts.governors) or "not shown"
    turbo = {True: "on", False: "off", None: "not shown"}[facts.turbo]
    found = f"governor {governors}; turbo {turbo}"
    if set(facts.governors) <= {"performance"}:
        return Check(name="frequency", status=Status.OK, found=found)
    return Check(
        name="frequency",
        status=Status.WARN,
        found=found,
        advice="Times are steadier with the governor `performance`; set it yourself if you wish.",
    )


def _load(facts: HostFacts) -> Check:
    if facts.load is None:
        return Check(name="load", status=Status.OK, found="unknown")
    found = f"{facts.load:.1f} on {facts.cpus} CPUs"
    if facts.load <= _BUSY_SHARE * facts.cpus:
        return Check(name="load", status=Status.OK, found=found)
    return Check(
        name="load",
        status=Status.WARN,
        found=found,
        advice="Other work is running; what is measured meanwhile is noisy.",
    )


def _building(facts: HostFacts) -> Check:
    have = [("mmdebstrap", facts.mmdebstrap), ("git", facts.git)]
    missing = [name for name, there in have if not there]
    certificates = facts.certificates or "no certificate store"
    if missing or not facts.certificates:
        return Check(
            name="building",
            status=Status.WARN,
            found=f"without {', '.join(missing) or 'nothing'}; {certificates}",
            advice="Only for building images: mmdebstrap makes bases where no registry is"
            " reachable, git reads clones, --ca-bundle gives certificates.",
        )
    return Check(name="building", status=Status.OK, found=f"mmdebstrap, git; {certificates}")


def gather_host(*, root: Path = Path("/")) -> HostFacts:
    """Read this machine's own files and commands.

    Args:
        root: Where ``sys`` and ``etc`` are; tests set it.
    """
    system = root / "sys/devices/system/cpu"
    governors = {_text(path) for path in system.glob("cpu*/cpufreq/scaling_governor")}
    bundles = [root / path.lstrip("/") for path in BUNDLE_PATHS]
    return HostFacts(
        governors=tuple(sorted(governors - {""})),
        turbo=_turbo(system),
        load=os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        cpus=os.cpu_count() or 1,
        mmdebstrap=shutil.which("mmdebstrap") is not None,
        git=shutil.which("git") is not None,
        certificates=next((str(path) for path in bundles if path.is_file()), ""),
    )


def _turbo(system: Path) -> bool | None:
    """Whether turbo is on: Intel's file says whether it is off, others whether it is on."""
    no_turbo = _text(system / "intel_pstate/no_turbo")
    if no_turbo:
        return no_turbo == "0"
    boost = _text(system / "cpufreq/boost")
    return boost == "1" if boost else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
