"""What a build produced, held against base's: nothing that measures may come out of it. Pure.

A source file's path does not show its package: the compiler does not insist, and a package name may
be written in escapes. An annotation processor that base uses anyway may write service files. The
output's paths show both, so this is asked after the build. A directory of classes precedes every
archive on the class path: a main class named ``org.junit.jupiter.api.Assertions`` replaces the real
one.
"""

from __future__ import annotations

from collections.abc import Mapping

from jeto_evaluate.patching.protected import PathClass, classify

__all__ = ["output_intruders", "same_outputs"]

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


def _shadows(path: str, base_packages: set[str]) -> bool:
    folder = path.rpartition("/")[0]
    return path.endswith(".class") and path.startswith(_FRAMEWORKS) and folder not in base_packages


def output_intruders(base: Mapping[str, str], candidate: Mapping[str, str]) -> tuple[str, ...]:
    """Name output files by which a candidate reaches into what measures it.

    Args:
        base: Hash of every file of base's main output (``target/classes``), by path relative to
            that directory.
        candidate: Likewise of the candidate.

    Returns:
        Sorted paths: new classes in packages of test frameworks, build tools or the JDK that base
        does not populate itself, and new or changed service and configuration files that these
        load by themselves.
    """
    packages = {path.rpartition("/")[0] for path in base}
    guarded = {PathClass.TEST_CONFIG, PathClass.BUILD}
    changed = (path for path, digest in candidate.items() if base.get(path) != digest)
    return tuple(
        sorted(path for path in changed if _shadows(path, packages) or classify(path) in guarded)
    )


def same_outputs(base: Mapping[str, str], candidate: Mapping[str, str]) -> bool:
    """Whether the build produced the same bytes, so that no time can differ (field.md row 97)."""
    return dict(base) == dict(candidate)
