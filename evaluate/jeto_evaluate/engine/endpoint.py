"""Where the Docker engine listens: the order the command line client uses, then usual sockets.

The Python SDK ignores the client's contexts, so that with Colima, Rancher Desktop or a recent
Docker Desktop it fails although ``docker ps`` works. Podman's socket is not tried: its answers
differ where the harness relies on Docker's.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jeto_bench.errors import EngineError

__all__ = ["Attempt", "Endpoint", "TlsFiles", "resolve_endpoint"]

_ADVICE = (
    "Start Docker, or name its endpoint with --docker-host or DOCKER_HOST. On Debian as root:"
    " `apt-get install docker.io`, then `service docker start`."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class TlsFiles:
    """Files of a TLS endpoint; any may be missing.

    Attributes:
        ca: Certificate of the authority that signed the engine's.
        cert: The client's certificate.
        key: The client's key.
        verify: Whether the engine's certificate is checked.
    """

    ca: Path | None
    cert: Path | None
    key: Path | None
    verify: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """One place that was looked at, and what was found there."""

    place: str
    found: str

    def __str__(self) -> str:
        return f"{self.place}: {self.found}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """Where the engine listens.

    Attributes:
        url: ``unix://``, ``tcp://``, ``ssh://`` or ``npipe://`` address.
        source: Who said so, for messages.
        tls: Files for TLS, if the endpoint asks for it.
        tried: Places looked at before, in order.
    """

    url: str
    source: str
    tls: TlsFiles | None = None
    tried: tuple[Attempt, ...] = ()


def resolve_endpoint(
    explicit: str | None, *, environ: Mapping[str, str], home: Path, root: Path = Path("/")
) -> Endpoint:
    """Find the engine's endpoint without connecting to it.

    Order: option, ``DOCKER_HOST``, the context of the command line client (``DOCKER_CONTEXT``,
    else ``currentContext`` of its configuration), then usual sockets.

    Args:
        explicit: Endpoint from the command line.
        environ: The environment.
        home: The user's home folder.
        root: Where absolute socket paths start; tests set it.

    Raises:
        EngineError: Nothing found; the message lists every place looked at. Or a context was
            chosen by name and cannot be read.
    """
    if explicit:
        return Endpoint(url=explicit, source="option", tls=_environment_tls(environ, explicit))
    tried = [Attempt(place="option --docker-host", found="not given")]
    if host := environ.get("DOCKER_HOST"):
        tls = _environment_tls(environ, host)
        return Endpoint(url=host, source="DOCKER_HOST", tls=tls, tried=tuple(tried))
    tried.append(Attempt(place="DOCKER_HOST", found="not set"))
    from_context = _context_endpoint(environ, home, tried)
    if from_context is not None:
        return from_context
    for path in _usual_sockets(environ, home, root):
        if _is_socket(path):
            return Endpoint(url=f"unix://{path}", source="usual socket", tried=tuple(tried))
        tried.append(Attempt(place=str(path), found="no socket"))
    places = "\n".join(f"  - {attempt}" for attempt in tried)
    raise EngineError(f"no Docker engine found. Tried:\n{places}", advice=_ADVICE)


def _environment_tls(environ: Mapping[str, str], url: str) -> TlsFiles | None:
    """What DOCKER_TLS_VERIFY and DOCKER_CERT_PATH say of a TCP endpoint."""
    folder = environ.get("DOCKER_CERT_PATH")
    verify = bool(environ.get("DOCKER_TLS_VERIFY"))
    if not url.startswith("tcp://") or not (folder or verify):
        return None
    return _tls_files(Path(folder) if folder else Path.home() / ".docker", verify=verify)


def _tls_files(folder: Path, *, verify: bool) -> TlsFiles:
    def existing(name: str) -> Path | None:
        path = folder / name
        return path if path.is_file() else None

    return TlsFiles(
        ca=existing("ca.pem"), cert=existing("cert.pem"), key=existing("key.pem"), verify=verify
    )


def _context_endpoint(
    environ: Mapping[str, str], home: Path, tried: list[Attempt]
) -> Endpoint | None:
    """The endpoint of the client's active context; ``None`` for the default context."""
    config = Path(environ.get("DOCKER_CONFIG") or home / ".docker")
    name = environ.get("DOCKER_CONTEXT", "")
    place = f"DOCKER_CONTEXT={name}" if name else f"currentContext in {config / 'config.json'}"
    if not name:
        name = str(_read_object(config / "config.json").get("currentContext") or "")
    if name in {"", "default"}:
        tried.append(Attempt(place=place, found="no context but the default one"))
        return None
    digest = hashlib.sha256(name.encode()).hexdigest()
    meta_path = config / "contexts" / "meta" / digest / "meta.json"
    endpoints = _read_object(meta_path).get("Endpoints")
    docker = endpoints.get("docker") if isinstance(endpoints, dict) else None
    url = docker.get("Host") if isinstance(docker, dict) else None
    if not isinstance(url, str) or not url:
        raise EngineError(
            f"{place} chooses the context {name!r}, but {meta_path} names no Docker endpoint",
            advice="Choose another with `docker context use`, or give --docker-host.",
        )
    verify = not (isinstance(docker, dict) and docker.get("SkipTLSVerify"))
    tls_folder = config / "contexts" / "tls" / digest / "docker"
    tls = _tls_files(tls_folder, verify=verify) if tls_folder.is_dir() else None
    return Endpoint(url=url, source=f"context {name}", tls=tls, tried=tuple(tried))


def _read_object(path: Path) -> dict[str, Any]:
    """A JSON object from a file; empty if there is no such file or it is not readable JSON."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _usual_sockets(environ: Mapping[str, str], home: Path, root: Path) -> tuple[Path, ...]:
    """Sockets of the usual installations, system first."""
    runtime = environ.get("XDG_RUNTIME_DIR")
    paths = [
        root / "var/run/docker.sock",
        home / ".docker/run/docker.sock",
        home / ".docker/desktop/docker.sock",
        home / ".colima/default/docker.sock",
        home / ".colima/docker.sock",
        home / ".rd/docker.sock",
        home / ".orbstack/run/docker.sock",
    ]
    if runtime:
        paths.append(Path(runtime) / "docker.sock")
    return tuple(paths)


def _is_socket(path: Path) -> bool:
    try:
        return stat.S_ISSOCK(path.stat().st_mode)
    except OSError:
        return False
