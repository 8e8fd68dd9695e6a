"""From the log of a Maven build that failed to the one reason why. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from jeto_mine.executable.reasons import DropReason

__all__ = ["BuildFailure", "build_failure"]

_LONGEST: Final = 300


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildFailure:
    """Why a build failed.

    Attributes:
        reason: The kind.
        detail: The line of the log that says so.
        another_jdk: It may go away with another JDK.
    """

    reason: DropReason
    detail: str
    another_jdk: bool


_MAYBE_JDK: Final = frozenset(
    {
        DropReason.WRONG_JDK,
        DropReason.NO_TOOLCHAIN,
        DropReason.COMPILE_FAILED,
        DropReason.PLUGIN_FAILED,
        DropReason.TEST_JVM_DIED,
        DropReason.BUILD_FAILED,
    }
)
_SIGNS: Final = {
    DropReason.WRONG_JDK: (
        r"invalid (?:target|source) release",
        r"release version \d+ not supported",
        r"(?:Source|Target) option \d+ is no longer supported",
        r"UnsupportedClassVersionError",
        r"class file has wrong version",
        r"Unsupported class file major version",
        r"Detected JDK .*is not in the allowed range",
        r"RequireJavaVersion",
        r"Unrecognized option: --",
        r"Unrecognized VM option",
        r"Unable to make .* accessible: module",
        # They left the JDK in 11.
        r"package javax\.(?:annotation|xml\.bind|activation|jws|xml\.ws)[\w.]* does not exist",
        r"package (?:com\.)?sun\.[\w.]* does not exist",
    ),
    DropReason.NO_TOOLCHAIN: (r"[Cc]annot find matching toolchain", r"Missing toolchain"),
    DropReason.HTTP_REPOSITORY: (
        r"maven-default-http-blocker",
        r"Blocked mirror for repositor",
    ),
    DropReason.SNAPSHOT_DEPENDENCY: (
        r"(?:Could not (?:find|resolve|transfer)|Non-resolvable|Failure to find).*-SNAPSHOT",
    ),
    DropReason.UNRESOLVED_DEPENDENCY: (
        r"Could not (?:find artifact|resolve dependencies|transfer artifact)",
        r"Non-resolvable (?:parent|import) POM",
        r"Failure to find ",
        r"could not be resolved",
    ),
    DropReason.BROKEN_POM: (
        r"Non-parseable POM",
        r"Malformed POM",
        r"The build could not read \d+ project",
    ),
    DropReason.OUT_OF_MEMORY: (
        r"OutOfMemoryError",
        r"GC overhead limit",
        r"Cannot allocate memory",
    ),
    DropReason.TEST_JVM_DIED: (r"The forked VM (?:terminated without|crashed)",),
    DropReason.COMPILE_FAILED: (r"COMPILATION ERROR", r"Compilation failure"),
    DropReason.PLUGIN_FAILED: (r"Failed to execute goal ",),
}
_PATTERNS: Final = {reason: re.compile("|".join(signs)) for reason, signs in _SIGNS.items()}


def build_failure(log: str) -> BuildFailure:
    """Return the one reason why a build failed.

    Args:
        log: What Maven printed.
    """
    # What tests print is no word of Maven's.
    lines = [line.strip() for line in log.splitlines() if line.startswith(("[ERROR]", "Error:"))]
    lines = lines or [line.strip() for line in log.splitlines()]
    for reason, pattern in _PATTERNS.items():
        found = next((line for line in lines if pattern.search(line)), None)
        if found is not None:
            return BuildFailure(
                reason=reason, detail=found[:_LONGEST], another_jdk=reason in _MAYBE_JDK
            )
    last = next((line for line in reversed(lines) if line), "")
    return BuildFailure(reason=DropReason.BUILD_FAILED, detail=last[:_LONGEST], another_jdk=True)
