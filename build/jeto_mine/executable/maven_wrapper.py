"""The wrapper that a tree brings, and the Maven that it pins. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

__all__ = ["ArgumentStyle", "WrapperFacts", "WrapperKind", "argument_style", "read_wrapper"]

_PROPERTIES: Final = ".mvn/wrapper/maven-wrapper.properties"
_JAR: Final = ".mvn/wrapper/maven-wrapper.jar"
_SETTING: Final = re.compile(r"^[ \t]*([\w.]+)[ \t]*[=:][ \t]*(\S+)[ \t]*\r?$", re.MULTILINE)
_DISTRIBUTION: Final = re.compile(
    r"/apache-maven-(?P<version>\d+(?:\.\d+)+(?:-[\w-]+?)?)-bin\.(?:zip|tar\.gz)$"
)
_OPTION: Final = re.compile(r"(?:^|\s)-")


class WrapperKind(StrEnum):
    """How a wrapper gets at Maven."""

    SCRIPT = "script"
    """Script only (``distributionType=only-script``): the script downloads by itself."""
    JAR = "jar"
    """A jar in the tree downloads."""
    FETCHED_JAR = "fetched_jar"
    """The script first downloads or compiles what fetches the jar."""


class ArgumentStyle(StrEnum):
    """How ``.mvn/maven.config`` is written; Maven reads it differently from 3.9 on."""

    NONE = "none"
    LINES = "lines"
    """One argument a line, as Maven 3.9 wants it."""
    WORDS = "words"
    """Several on a line, which Maven 3.9 takes for one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WrapperFacts:
    """A Maven wrapper.

    Attributes:
        kind: How it gets at Maven.
        maven_version: Version of Maven that it pins; empty if its URL does not name one.
        distribution_url: Where from.
        problems: Why its script cannot be started as it is: ``line ends``, ``mode``; a normalised
            copy can.
    """

    kind: WrapperKind
    maven_version: str
    distribution_url: str
    problems: tuple[str, ...]


def read_wrapper(
    files: Mapping[str, bytes], executable: frozenset[str] = frozenset()
) -> WrapperFacts | None:
    """Return the facts of the wrapper at a tree's root; ``None`` if it has none.

    Args:
        files: Contents by path.
        executable: Paths of files with the execute bit.
    """
    script = files.get("mvnw")
    properties = files.get(_PROPERTIES)
    if script is None or properties is None:
        return None
    settings = dict(_SETTING.findall(properties.decode("utf-8", "replace")))
    # A colon may be escaped in a properties file.
    url = settings.get("distributionUrl", "").replace("\\", "")
    pinned = _DISTRIBUTION.search(url)
    if b"maven-wrapper.jar" not in script:
        kind = WrapperKind.SCRIPT
    else:
        kind = WrapperKind.JAR if _JAR in files else WrapperKind.FETCHED_JAR
    checks = {
        "line ends": b"\r" in script or b"\r" in properties,
        "mode": "mvnw" not in executable,
    }
    return WrapperFacts(
        kind=kind,
        maven_version=pinned["version"] if pinned else "",
        distribution_url=url,
        problems=tuple(name for name, wrong in checks.items() if wrong),
    )


def argument_style(config: bytes | None) -> ArgumentStyle:
    """Return how ``.mvn/maven.config`` is written (field.md row 92)."""
    lines = [
        line.strip()
        for line in (config or b"").decode("utf-8", "replace").splitlines()
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        return ArgumentStyle.NONE
    several = any(len(_OPTION.findall(line)) > 1 for line in lines)
    return ArgumentStyle.WORDS if several else ArgumentStyle.LINES
