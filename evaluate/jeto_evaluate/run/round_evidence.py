"""What a round leaves behind besides its times: reports, dumps, the end of Maven's log."""

from __future__ import annotations

import logging
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from jeto_evaluate.run.arm import RoundOutput
from jeto_evaluate.surefire import RoundReport, read_round

__all__ = ["end_of", "log_end", "read_reports", "why_no_report"]

_LOG = logging.getLogger(__name__)
_TAIL = 2000
_DUMP_TAIL = 500


def read_reports(output: RoundOutput) -> RoundReport:
    """Surefire's reports among the files of a round: right in the folder of each module.

    TestNG writes reports of the same kind and name itself, into a folder below.
    """
    return read_round(
        {
            path: data
            for path, data in output.files.items()
            if fnmatchcase(PurePosixPath(path).name, "TEST-*.xml") and path.count("/") <= 1
        }
    )


def why_no_report(output: RoundOutput) -> str:
    """Maven's status and the end of what Surefire dumped: why a fork died stands only there.

    Without a dump no fork died; then the end of Maven's log says what stopped it.
    """
    said = _dumps(output, _DUMP_TAIL)[:1] or [_text(output.output[-_DUMP_TAIL:])]
    return "; ".join(part for part in (f"status {output.exit_code}", *said) if part)


def _dumps(output: RoundOutput, length: int) -> list[str]:
    return [
        f"{PurePosixPath(path).name}: {_text(data[-length:])}"
        for path, data in sorted(output.files.items())
        if path.endswith((".dump", ".dumpstream"))
    ]


def log_end(where: str, output: RoundOutput) -> None:
    """Keep what may say why a round failed in the instance's log."""
    for dump in _dumps(output, _TAIL):
        _LOG.info("%s left a dump, %s", where, dump)
    _LOG.info("%s failed; the end of its log:\n%s", where, end_of(output))


def end_of(output: RoundOutput) -> str:
    """The end of Maven's log."""
    return _text(output.output[-_TAIL:])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip()
