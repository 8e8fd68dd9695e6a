"""Unit tests start no process and open no connection; one that tries fails."""

from __future__ import annotations

import socket
import subprocess
from typing import NoReturn

import pytest


@pytest.fixture(autouse=True)
def _no_processes_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_kwargs: object) -> NoReturn:
        raise AssertionError("a unit test started a process or opened a connection")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
