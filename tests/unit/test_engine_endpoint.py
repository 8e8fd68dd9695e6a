from __future__ import annotations

import hashlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from jeto_bench.errors import EngineError
from jeto_evaluate.engine.endpoint import resolve_endpoint


@pytest.fixture
def listening() -> Iterator[list[socket.socket]]:
    sockets: list[socket.socket] = []
    yield sockets
    for one in sockets:
        one.close()


def _listen(path: Path, sockets: list[socket.socket]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    one = socket.socket(socket.AF_UNIX)
    one.bind(str(path))
    sockets.append(one)


def _context(config: Path, name: str, endpoint: dict[str, object]) -> Path:
    digest = hashlib.sha256(name.encode()).hexdigest()
    folder = config / "contexts" / "meta" / digest
    folder.mkdir(parents=True)
    meta = {"Name": name, "Endpoints": {"docker": endpoint}}
    (folder / "meta.json").write_text(json.dumps(meta))
    return config / "contexts" / "tls" / digest / "docker"


def test_option_comes_before_the_environment(tmp_path: Path) -> None:
    found = resolve_endpoint(
        "unix:///chosen.sock", environ={"DOCKER_HOST": "tcp://other:1"}, home=tmp_path
    )
    assert (found.url, found.source) == ("unix:///chosen.sock", "option")


def test_docker_host_comes_before_the_context(tmp_path: Path) -> None:
    _context(tmp_path / ".docker", "colima", {"Host": "unix:///colima.sock"})
    environ = {"DOCKER_HOST": "tcp://engine:2375", "DOCKER_CONTEXT": "colima"}
    found = resolve_endpoint(None, environ=environ, home=tmp_path)
    assert (found.url, found.source, found.tls) == ("tcp://engine:2375", "DOCKER_HOST", None)


def test_current_context_of_the_client_is_followed(tmp_path: Path) -> None:
    """field.md row 35: the SDK ignores contexts; with Colima only the context knows the socket."""
    config = tmp_path / ".docker"
    _context(config, "colima", {"Host": "unix:///home/me/.colima/default/docker.sock"})
    (config / "config.json").write_text('{"currentContext": "colima"}')
    found = resolve_endpoint(None, environ={}, home=tmp_path, root=tmp_path)
    assert found.url == "unix:///home/me/.colima/default/docker.sock"
    assert found.source == "context colima"


def test_context_named_in_the_environment_and_config_folder_elsewhere(tmp_path: Path) -> None:
    config = tmp_path / "elsewhere"
    _context(config, "desk", {"Host": "unix:///desk.sock"})
    _context(config, "other", {"Host": "unix:///other.sock"})
    (config / "config.json").write_text('{"currentContext": "other"}')
    environ = {"DOCKER_CONTEXT": "desk", "DOCKER_CONFIG": str(config)}
    assert resolve_endpoint(None, environ=environ, home=tmp_path).url == "unix:///desk.sock"


def test_context_with_tls_brings_its_files(tmp_path: Path) -> None:
    config = tmp_path / ".docker"
    tls = _context(config, "far", {"Host": "tcp://far:2376", "SkipTLSVerify": False})
    tls.mkdir(parents=True)
    for name in ("ca.pem", "cert.pem", "key.pem"):
        (tls / name).write_text("x")
    found = resolve_endpoint(None, environ={"DOCKER_CONTEXT": "far"}, home=tmp_path)
    assert found.tls is not None
    assert (found.tls.ca, found.tls.verify) == (tls / "ca.pem", True)


def test_context_that_is_not_there_is_an_error_and_not_skipped(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="'gone'"):
        resolve_endpoint(None, environ={"DOCKER_CONTEXT": "gone"}, home=tmp_path)


def test_default_context_and_damaged_config_lead_to_the_usual_sockets(
    tmp_path: Path, listening: list[socket.socket]
) -> None:
    (tmp_path / ".docker").mkdir()
    (tmp_path / ".docker/config.json").write_text("{not json")
    _listen(tmp_path / ".rd/docker.sock", listening)
    found = resolve_endpoint(None, environ={}, home=tmp_path, root=tmp_path / "nowhere")
    assert found.url == f"unix://{tmp_path}/.rd/docker.sock"


def test_runtime_folder_is_tried_for_rootless_engines(
    tmp_path: Path, listening: list[socket.socket]
) -> None:
    _listen(tmp_path / "run/docker.sock", listening)
    environ = {"XDG_RUNTIME_DIR": str(tmp_path / "run")}
    found = resolve_endpoint(None, environ=environ, home=tmp_path / "h", root=tmp_path / "n")
    assert found.url == f"unix://{tmp_path}/run/docker.sock"


def test_nothing_found_lists_everything_tried_and_says_what_to_do(tmp_path: Path) -> None:
    """field.md row 35: print what was tried."""
    (tmp_path / ".rd").mkdir()
    (tmp_path / ".rd/docker.sock").write_text("a file is no socket")
    with pytest.raises(EngineError) as caught:
        resolve_endpoint(None, environ={}, home=tmp_path, root=tmp_path)
    text = str(caught.value)
    for place in ("--docker-host", "DOCKER_HOST", "currentContext", ".colima", ".rd/docker.sock"):
        assert place in text
    assert "podman" not in text
    assert "apt-get install docker.io" in text
