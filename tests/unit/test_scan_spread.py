"""Scanning on a cluster: the same function, whatever runs it; and what one commit may take."""

from __future__ import annotations

import importlib
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jeto_bench.errors import UsageError
from jeto_mine.identified.entries import split_entries
from jeto_mine.identified.scan import ScanOptions
from jeto_mine.identified.spread import scan_here, scan_on_ray
from jeto_mine.identified.work import Done, Sources, Task


def task(name: str, folder: Path) -> Task:
    return Task(
        repo=f"acme/{name}",
        clone=None,
        clones=None,
        origin="",
        update=False,
        output=folder,
        options=ScanOptions(),
        sources=Sources(),
    )


class FakeRay:
    """Runs what it is given at once, and remembers that it was begun and ended."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def init(self, *, address: str, log_to_driver: bool) -> None:
        assert not log_to_driver
        if address == "nowhere":
            raise ConnectionError("nobody there")
        self.said.append(f"init {address}")

    def remote(self, *, num_cpus: int) -> Callable[[Callable[[Task], Done]], Any]:
        assert num_cpus == 1
        return lambda function: SimpleNamespace(remote=function)

    def wait(self, waiting: list[Done]) -> tuple[list[Done], list[Done]]:
        return waiting[-1:], waiting[:-1]

    def get(self, done: Done) -> Done:
        return done

    def shutdown(self) -> None:
        self.said.append("shutdown")


def test_a_cluster_does_what_this_machine_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = FakeRay()
    monkeypatch.setattr(importlib, "import_module", lambda name: {"ray": ray}[name])
    tasks = [task("a", tmp_path), task("b", tmp_path)]
    here = {item.repo: item.error for item in scan_here(tasks, jobs=1)}
    there = {item.repo: item.error for item in scan_on_ray(tasks, address="auto")}
    assert here == there
    assert all("no clone of acme/" in error for error in here.values())
    assert ray.said == ["init auto", "shutdown"]


def test_a_cluster_that_is_not_there_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib, "import_module", lambda _: FakeRay())
    with pytest.raises(UsageError, match="no Ray cluster answers at nowhere"):
        list(scan_on_ray([task("a", tmp_path)], address="nowhere"))


def test_without_ray_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(UsageError, match=r"jeto-bench\[ray\]"):
        list(scan_on_ray([task("a", tmp_path)], address="auto"))


class Endless:
    """Git telling a commit of many files, in portions that are made when asked for."""

    def __init__(self, files: int) -> None:
        self.left = files
        self.head = b"\x01mark\0" + b"\0".join(
            [b"a", b"", b"1", b"", b"A", b"a", b"c", b"m", b"\0\n"]
        )

    def read1(self, size: int, /) -> bytes:
        head, self.head = self.head, b""
        if head or not self.left:
            return head
        count = min(self.left, size // 200)
        self.left -= count
        line = b":100644 100644 %b %b M\0src/main/java/acme/%b.java\0" % (
            b"0" * 40,
            b"1" * 40,
            b"N" * 60,
        )
        return line * count


def test_a_commit_of_50000_files_takes_no_more_memory_than_any() -> None:
    """field.md row 108: such a commit took a peer gigabytes, or never ended."""
    tracemalloc.start()
    (entry,) = split_entries(Endless(50_000), b"\x01mark\0")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert entry.oversized
    assert entry.commit == b"a"
    assert peak < 8_000_000, "the whole is 9 MB, several times over where it is cut and joined"
