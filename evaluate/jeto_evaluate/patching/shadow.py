"""Compiled classes of a candidate that would take the place of a library's. Pure.

A directory of classes precedes every archive on the class path, so a main class named
``org.junit.jupiter.api.Assertions`` replaces the real one. A source file's path does not show its
package (the compiler does not insist, and the package name may be written in escapes); the class
file's path does. So this is asked after the build.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["shadowing_classes"]

_FRAMEWORKS = (
    "org/junit/",
    "junit/",
    "org/testng/",
    "org/apache/maven/",
    "org/hamcrest/",
    "org/assertj/",
    "org/mockito/",
    "org/opentest4j/",
    "org/apiguardian/",
    "org/spockframework/",
    "net/jqwik/",
    "net/bytebuddy/",
    "com/google/common/truth/",
    "java/",
    "javax/annotation/processing/",
    "jdk/",
    "sun/",
)


def shadowing_classes(base: Iterable[str], candidate: Iterable[str]) -> tuple[str, ...]:
    """Name new classes that lie in a test framework's, the build tool's or the JDK's packages.

    Args:
        base: Class files of base's main output (``org/x/A.class``), relative to its directory.
        candidate: Likewise of the candidate.

    Returns:
        Sorted paths; a project that is itself such a framework has them in base already.
    """
    known = set(base)
    packages = {path.rpartition("/")[0] for path in known}
    return tuple(
        sorted(
            path
            for path in set(candidate) - known
            if path.endswith(".class")
            and path.startswith(_FRAMEWORKS)
            and path.rpartition("/")[0] not in packages
        )
    )
