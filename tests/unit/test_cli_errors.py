"""Errors as the command line shows them: text without a traceback, harmless to a terminal."""

from __future__ import annotations

import errno

import pytest
import typer

from jeto_bench.errors import InputError
from jeto_evaluate.cli.main import run_app


def _ended(error: Exception, capsys: pytest.CaptureFixture[str]) -> tuple[object, str]:
    app = typer.Typer(pretty_exceptions_enable=False)

    @app.command()
    def fail() -> None:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["fail"])
        with pytest.raises(SystemExit) as ended:
            run_app(app)
    return ended.value.code, capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_named_without_a_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`data export file/below` and others ended in a traceback."""
    code, said = _ended(NotADirectoryError(errno.ENOTDIR, "Not a directory", "file/below"), capsys)
    assert code == 2
    assert said.startswith("error: file/below: Not a directory\n  Name another place")


def test_a_place_that_is_a_folder_is_named_and_not_the_temporary_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    error = IsADirectoryError(errno.EISDIR, "Is a directory", ".out.x.part", None, "out")
    assert _ended(error, capsys)[1].startswith("error: out: Is a directory")


def test_a_full_disk_is_no_fault_of_the_input(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = _ended(OSError(errno.ENOSPC, "No space left on device", "out"), capsys)
    assert (code, said.split("\n")[0]) == (3, "error: out: No space left on device")


def test_what_errors_quote_from_files_cannot_drive_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Names in records and bundles come from strangers."""
    code, said = _ended(InputError("a\x1b]0;owned\x07b\u202e", advice="fix"), capsys)
    assert (code, said) == (2, "error: a\ufffd]0;owned\ufffdb\ufffd\n  fix\n")
