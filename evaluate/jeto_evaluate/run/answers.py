"""What the programs inside an arm print, as values."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass

from jeto_bench.errors import ContentError
from jeto_evaluate.run.fork_server import NAMED
from jeto_evaluate.sandbox.archive import read_archive
from jeto_evaluate.sandbox.protocol import ExecResult

__all__ = ["Said", "parse_hashes", "parse_round"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What ``conductor.pl`` says of a round.

    Attributes:
        wall_ms: What the tests took, launch included, by the conductor's clock; ``None`` if it
            did not get to say.
        cpu_ms: Processor time of the container meanwhile; ``None`` likewise.
        left: Names of processes that were still running.
        clean: The fork server has removed everything.
        files: The reports.
    """

    wall_ms: int | None
    cpu_ms: int | None
    left: tuple[str, ...]
    clean: bool
    files: dict[str, bytes]


def parse_round(ended: ExecResult) -> Said:
    """Read the conductor's answer to a round.

    Raises:
        ContentError: The reports arrived damaged.
    """
    head, _, archive = (b"\n" + ended.output).partition(b"\nreports\n")
    lines = head.decode("utf-8", "replace").split("\n")
    left = [line.removeprefix("left ") for line in lines if line.startswith("left ")]
    try:
        files = read_archive(archive) if archive and ended.exit_code in {0, 1} else {}
    except tarfile.TarError as error:
        raise ContentError(f"the round's reports are damaged: {error}") from error
    return Said(
        wall_ms=_figure("wall", lines),
        cpu_ms=_figure("cpu", lines),
        left=tuple(left[:NAMED]),
        clean="unclean" not in lines,
        files=files,
    )


def _figure(name: str, lines: Sequence[str]) -> int | None:
    found = (re.fullmatch(rf"{name} (\d+)", line) for line in lines)
    return next((int(match[1]) for match in found if match), None)


def parse_hashes(listing: bytes) -> dict[str, str]:
    r"""Read ``sha256sum`` output; a name with special characters begins its line with ``\``."""
    lines = listing.decode("utf-8", "surrogateescape").splitlines()
    found = [re.fullmatch(r"\\?([0-9a-f]{64}) [ *](.+)", line) for line in lines]
    return {match[2]: match[1] for match in found if match}
