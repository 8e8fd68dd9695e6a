"""The harness's own files that an instance image receives: Java sources, scripts, settings."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

from jeto_bench.errors import ImageError

__all__ = ["BUILD_SCRIPTS", "agent_files", "launcher_files", "script"]

BUILD_SCRIPTS = (
    "agent.sh",
    "commit.sh",
    "fetch-maven.sh",
    "finish.sh",
    "keep-downloads.sh",
    "launcher.sh",
    "maven.sh",
    "prove.sh",
    "setup-base.sh",
    "test.sh",
)
"""Scripts that decide what an instance image holds and whether it passes."""


def script(name: str) -> bytes:
    """A shell script of the image build."""
    return files("jeto_evaluate.images").joinpath("scripts", name).read_bytes()


def launcher_files() -> dict[str, bytes]:
    """All files of ``jeto_evaluate/launcher`` by relative path, sorted.

    Raises:
        ImageError: The installation lacks the Java sources or the wrapper of ``java``.
    """
    found = dict(sorted(_walk(files("jeto_evaluate").joinpath("launcher"), "")))
    sources = [path for path in found if path.startswith("java/") and path.endswith(".java")]
    wrappers = [path for path in found if path.startswith("java-wrapper.")]
    if not sources or len(wrappers) != 1:
        raise ImageError(
            f"the installed harness is incomplete: {len(sources)} Java sources and"
            f" {len(wrappers)} java-wrapper files in jeto_evaluate/launcher",
            advice="Install jeto-bench again.",
        )
    return found


def agent_files() -> dict[str, bytes]:
    """The agent's Maven project, ``jeto_evaluate/agent``, by relative path, sorted.

    Raises:
        ImageError: The installation lacks it.
    """
    found = dict(sorted(_walk(files("jeto_evaluate").joinpath("agent"), "")))
    if "pom.xml" not in found or not any(path.endswith(".java") for path in found):
        raise ImageError(
            "the installed harness is incomplete: jeto_evaluate/agent lacks its Maven project",
            advice="Install jeto-bench again.",
        )
    return found


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    if not folder.is_dir():
        return []
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        path = prefix + entry.name
        if entry.is_dir():
            if entry.name not in {"__pycache__", "target"}:
                found += _walk(entry, path + "/")
        elif not entry.name.endswith((".py", ".pyc")):
            found.append((path, entry.read_bytes()))
    return found
