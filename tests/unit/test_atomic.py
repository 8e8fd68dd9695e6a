from __future__ import annotations

import os
from pathlib import Path

import pytest

from jeto_bench.files import write_atomically


def test_content_and_ordinary_mode(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.json"
    write_atomically(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.json"
    write_atomically(path, b"old")

    def full_disk(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
