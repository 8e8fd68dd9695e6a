"""A client of the engine that waits long and tries again."""

from __future__ import annotations

import logging
import socket
from typing import Final

import docker
import requests
from docker.errors import APIError, DockerException
from docker.tls import TLSConfig
from tenacity import (
    before_sleep_log,
    retry,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential_jitter,
)

from jeto_bench.errors import EngineError
from jeto_evaluate.engine.endpoint import Endpoint, TlsFiles

__all__ = ["CALL_TIMEOUT_S", "connect", "is_transient", "retrying"]

_LOG = logging.getLogger(__name__)

CALL_TIMEOUT_S: Final = 600
"""Seconds one call may take: under load an engine answers minutes late (field.md row 36)."""

_KNOCK_TIMEOUT_S: Final = 30

_RETRY_STATUS: Final = frozenset({429, 502, 503, 504})


def connect(endpoint: Endpoint, *, timeout: int = CALL_TIMEOUT_S) -> docker.DockerClient:
    """Connect to the engine and check that it answers.

    Args:
        endpoint: Where it listens.
        timeout: Seconds that one call may take.

    Raises:
        EngineError: The engine does not answer; the message names endpoint and cause.
    """
    tls = _tls_config(endpoint.tls) if endpoint.tls else False
    try:
        _knock(endpoint.url)
        client = docker.DockerClient(
            base_url=endpoint.url,
            version="auto",
            timeout=timeout,
            tls=tls,
            use_ssh_client=endpoint.url.startswith("ssh://"),
        )
        client.ping()
    except (DockerException, requests.RequestException, OSError, ValueError) as error:
        raise EngineError(
            f"the Docker engine at {endpoint.url} (from {endpoint.source})"
            f" does not answer: {error}",
            advice=_advice(str(error)),
        ) from error
    return client


def _knock(url: str) -> None:
    """Open and close a socket: the SDK would leave its own open if nobody answers."""
    path = url.removeprefix("unix://")
    if path != url:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(_KNOCK_TIMEOUT_S)
            probe.connect(path)


def _advice(cause: str) -> str:
    if "Permission denied" in cause:
        return "Your user may not use the socket: join the group `docker`, or run as root."
    return "Is it running? `docker info` shows what the command line client sees."


def _tls_config(files: TlsFiles) -> TLSConfig:
    pair = (str(files.cert), str(files.key)) if files.cert and files.key else None
    return TLSConfig(
        client_cert=pair, ca_cert=str(files.ca) if files.ca else None, verify=files.verify
    )


def is_transient(error: BaseException) -> bool:
    """Whether a call that failed so is worth another try.

    Too many requests, gateway trouble and lost connections are; a refusal is not.
    """
    if isinstance(error, APIError):
        text = str(error.explanation or "").lower()
        return error.status_code in _RETRY_STATUS or "toomanyrequests" in text
    return isinstance(error, requests.ConnectionError | requests.Timeout)


retrying = retry(
    retry=retry_if_exception(is_transient),
    wait=wait_exponential_jitter(initial=1, max=30),
    stop=stop_after_attempt(5),
    before_sleep=before_sleep_log(_LOG, logging.WARNING),
    reraise=True,
)
"""Decorator for calls that may be repeated without harm."""
