"""Raw images bootstrapped from Debian, for machines whose engine reaches no registry."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

import docker
import requests
from docker.errors import DockerException

from jeto_bench.errors import ImageError
from jeto_evaluate.images.layout import BASE_REPOSITORY, FORMAT

__all__ = ["SUITES", "DebianProvider"]

SUITES: Final = {8: "sid", 11: "sid", 17: "bookworm", 21: "trixie", 25: "trixie"}
"""Suite that has each JDK: the oldest stable release, else the unstable suite."""

_PACKAGES: Final = (
    "ca-certificates",
    "curl",
    "fontconfig",  # some of the JDKs depend on it and some do not; text is drawn without a screen
    "fonts-dejavu-core",
    "git",
    "passwd",
    "patch",
    "unzip",
    "xz-utils",
)

_EXCLUDED: Final = (
    "/usr/share/man/*",
    "/usr/share/doc/*",
    "/usr/share/info/*",
    "/usr/share/locale/*",
    "/usr/share/lintian/*",
    "/usr/share/bash-completion/*",
    "/usr/lib/jvm/*/jmods/*",  # 70 MB for jlink; compiling and running read lib/modules
    "/usr/lib/jvm/*/man/*",
    "/usr/lib/jvm/*/lib/src.zip",
)

_TIMEOUT_S: Final = 1800


class DebianProvider:
    """Runs ``mmdebstrap``, which picks the mirror itself, and imports the result."""

    name = "debian"

    @staticmethod
    def available() -> bool:
        """Whether ``mmdebstrap`` is installed."""
        return shutil.which("mmdebstrap") is not None

    def raw_image(self, client: docker.DockerClient, java: int, log_path: Path) -> str:
        """Bootstrap and import, unless that was done before; returns the raw image's name.

        Raises:
            ImageError: ``mmdebstrap`` is missing or failed, or the engine refused the import.
        """
        if not self.available():
            raise ImageError(
                "mmdebstrap is not installed",
                advice="`apt-get install mmdebstrap`, or use --provider registry.",
            )
        repository = f"{BASE_REPOSITORY}/raw-debian-jdk{java}"
        tag = _tag(java)
        name = f"{repository}:{tag}"
        if client.images.list(name):
            return name
        with tempfile.TemporaryDirectory(prefix="jeto-base-") as folder:
            target = Path(folder) / "root.tar"
            _bootstrap(java, target, log_path)
            try:
                client.api.import_image(str(target), repository=repository, tag=tag)
            except (DockerException, requests.RequestException) as error:
                raise ImageError(f"the engine refused the base of JDK {java}: {error}") from error
        return name


def _tag(java: int) -> str:
    """Another list of packages is another image."""
    contents = "\n".join((SUITES[java], *_PACKAGES, *_EXCLUDED))
    return f"{FORMAT}-{hashlib.sha256(contents.encode()).hexdigest()[:12]}"


def _bootstrap(java: int, target: Path, log_path: Path) -> None:
    packages = ",".join((f"openjdk-{java}-jdk-headless", *_PACKAGES))
    command = [
        "mmdebstrap",
        "--variant=apt",
        f"--include={packages}",
        # A frozen mirror of the unstable suite is past its date and still the right one.
        '--aptopt=Acquire::Check-Valid-Until "false"',
        *(f"--dpkgopt=path-exclude={pattern}" for pattern in _EXCLUDED),
        SUITES[java],
        str(target),
    ]
    log_path.parent.mkdir(parents=True, exist_ok=True)
    with log_path.open("ab") as log:
        try:
            subprocess.run(  # noqa: S603  # a fixed program and arguments
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                check=True,
                timeout=_TIMEOUT_S,
            )
        except subprocess.SubprocessError as error:
            raise ImageError(
                f"bootstrapping Debian {SUITES[java]} with JDK {java} failed: {error}",
                advice=f"The whole output is in {log_path}.",
            ) from error
