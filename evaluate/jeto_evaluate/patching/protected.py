"""Which paths a prediction may change: rules over names, no input or output.

The measured code may change. What measures it may not: tests, build files, and every file that a
build tool, a test framework or the JVM loads by itself (field.md rows 12 to 15). Names are compared
without regard to case, so that a variant in other letters gains nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["DEFAULT_POLICY", "PathClass", "ProtectedPolicy", "classify"]


class PathClass(StrEnum):
    """What a path is to the harness."""

    SOURCE = "source"
    """Free to change."""
    TEST = "test"
    BUILD = "build"
    TEST_CONFIG = "test_config"
    JUNK = "junk"
    """Build output and editors' files: dropped, and the user is told."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProtectedPolicy:
    """What a record adds to the rules. All paths are relative to the repository.

    Attributes:
        paths: Files and directories that count as tests whatever their names say.
        must_be_absent: Paths that no candidate may have, such as tests added later (row 13).
        source_roots: Directories that are free although their names look like tests; build files
            and test configuration in them stay protected.
    """

    paths: tuple[str, ...] = ()
    must_be_absent: tuple[str, ...] = ()
    source_roots: tuple[str, ...] = ()


DEFAULT_POLICY = ProtectedPolicy()

_JUNK_DIRS = {"target", ".idea", ".gradle", ".settings", ".vscode", ".git", "node_modules"}
_JUNK_NAME = re.compile(
    r".*\.(?:class|iml|orig|rej|swp|pyc)|\.ds_store|\.classpath|\.project|hs_err_pid.*|.*~",
    re.DOTALL,
)
_BUILD_DIRS = {"gradle", "buildsrc", ".github"}
_BUILD_ANYWHERE = re.compile(
    r"pom\.xml|lombok\.config|\.mavenrc|\.git(?:attributes|ignore|modules|config|keep)"
)
_BUILD_NAME = re.compile(
    r"pom\.(?:ya?ml|json|groovy|kts|rb|scala|atom|clj|properties|xml\..*)|pom-.*\.xml|.*\.pom"
    r"|\.flattened-pom\.xml|dependency-reduced-pom\.xml|mvnw.*|settings.*\.xml|toolchains\.xml"
    r"|maven\.config|jvm\.config|gradlew.*|.*\.gradle|.*\.gradle\.kts|gradle\.properties"
    r"|build\.(?:xml|sbt|properties)|makefile|.*\.mk|\.java-version|\.sdkmanrc|\.tool-versions"
    r"|_?(?:jdk_)?java_(?:tool_)?options|\.jvmopts|jvm\.options|\.envrc|\.env"
    r"|.*\.(?:jar|war|zip|so|jnilib|dll)"
    r"|(?:checkstyle|pmd|spotbugs|findbugs|error-?prone|suppressions).*\.xml"
)
_TEST_CONFIG_NAME = re.compile(
    r"junit-platform\.properties|junit\.properties|.*testng.*\.(?:xml|ya?ml)"
    r"|(?:surefire|failsafe|jacoco).*\.(?:properties|xml|ya?ml|exec)"
    r"|logback-test\..*|log4j2?-test\..*|(?:simplelogger|allure|cucumber|jqwik)\.properties"
    r"|\.jqwik-database|spockconfig\.groovy|arquillian\.(?:xml|properties)"
)
# Services that the JVM's compiler, Maven or a test framework picks up from the class path.
_TEST_SERVICE = re.compile(
    r"(?:org\.junit|junit|org\.testng|org\.mockito|org\.spockframework|io\.cucumber|org\.assertj"
    r"|org\.opentest4j|org\.jboss\.arquillian|net\.jqwik|io\.qameta|org\.hamcrest)\..*"
)
_BUILD_SERVICE = re.compile(
    r"(?:javax\.annotation\.processing|com\.sun|jdk|javax\.tools|org\.apache\.maven|org\.codehaus"
    r"|org\.apache\.groovy|org\.gradle|org\.jetbrains\.kotlin|lombok|org\.eclipse\.(?:jdt|aether|sisu)"
    r"|net\.bytebuddy|org\.aspectj)\..*"
)
_TEST_DIR = re.compile(
    r"tests?|testing|its?|itests?|junit|e2e|test[-_]?(?:src|resources?|data|fixtures?|utils?|lib"
    r"|kit|support|common|helpers?|jar|suite)|(?:src|unit|int|integration|functional|system|perf)"
    r"[-_]?tests?|.*[-_](?:tests?|testing|its?|testkit|testutils?|testlib|test[-_]utils?"
    r"|test[-_]support)|tests?[-_].*"
)


def _inside(path: str, roots: Sequence[str]) -> bool:
    return any(path == root or path.startswith(root.rstrip("/") + "/") for root in roots)


def _main_at(parts: Sequence[str]) -> int | None:
    """Index after the first ``src/main``, where names begin to be packages."""
    for at in range(len(parts) - 2):
        if parts[at] == "src" and parts[at + 1] == "main":
            return at + 2
    return None


def _loaded_by_itself(parts: Sequence[str]) -> PathClass | None:
    """Class of files that something loads for its own sake, wherever they lie."""
    name, main = parts[-1], _main_at(parts)
    outside = parts[:-1] if main is None else parts[: main - 2]
    if _TEST_CONFIG_NAME.fullmatch(name) or "mockito-extensions" in parts:
        return PathClass.TEST_CONFIG
    if _BUILD_ANYWHERE.fullmatch(name) or ".mvn" in parts or _BUILD_DIRS & set(outside):
        return PathClass.BUILD
    if main is None and _BUILD_NAME.fullmatch(name):
        return PathClass.BUILD
    return _in_meta_inf(parts) if "meta-inf" in parts[:-1] else None


def _in_meta_inf(parts: Sequence[str]) -> PathClass | None:
    """Class of files by which code registers itself with a tool."""
    name, folder = parts[-1], parts[parts.index("meta-inf") + 1]
    if folder == "services" and _TEST_SERVICE.fullmatch(name):
        return PathClass.TEST_CONFIG
    if folder == "services" and _BUILD_SERVICE.fullmatch(name):
        return PathClass.BUILD
    build = folder in {"maven", "plexus", "sisu", "gradle-plugins", "groovy"}
    return PathClass.BUILD if build else None


def _is_test(parts: Sequence[str]) -> bool:
    main = _main_at(parts)
    folders = parts[:-1] if main is None else parts[: main - 2]
    if any(_TEST_DIR.fullmatch(part) for part in folders):
        return True
    # "src/componentTest/...", and a file put where a directory of tests is, such as "src/test".
    below_src = (parts[at + 1] for at in range(len(parts) - 1) if parts[at] == "src")
    return main is None and any("test" in part for part in below_src)


def _is_junk(parts: Sequence[str]) -> bool:
    """``target`` below ``src`` is a package, not Maven's output."""
    outside = parts[: parts.index("src")] if "src" in parts[:-1] else parts
    return bool(_JUNK_DIRS & set(outside)) or bool(_JUNK_NAME.fullmatch(parts[-1]))


def classify(path: str, policy: ProtectedPolicy = DEFAULT_POLICY) -> PathClass:
    """Say what a path is.

    Args:
        path: Relative to the repository, ``/`` between directories.
        policy: What the record adds to the rules.
    """
    if _inside(path, policy.paths) or _inside(path, policy.must_be_absent):
        return PathClass.TEST
    parts = path.casefold().split("/")
    if (loaded := _loaded_by_itself(parts)) is not None:
        return PathClass.JUNK if _is_junk(parts) else loaded
    if _is_junk(parts):
        return PathClass.JUNK
    if _is_test(parts) and not _inside(path, policy.source_roots):
        return PathClass.TEST
    return PathClass.SOURCE
