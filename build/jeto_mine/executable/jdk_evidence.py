"""What a tree says about the JDK that it wants. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from jeto_mine.executable.java_versions import feature_release, java_range, newest_for_level
from jeto_mine.executable.pom import Pom, Project

__all__ = ["Evidence", "Says", "gather_evidence"]

_LEVEL_PROPERTIES: Final = (
    "maven.compiler.release",
    "maven.compiler.source",
    "maven.compiler.target",
    "maven.compiler.testRelease",
    "maven.compiler.testSource",
    "maven.compiler.testTarget",
    "java.version",
    "jdk.version",
    "javac.target",
    "java.level",
)
_LEVEL_SETTINGS: Final = (
    "release", "source", "target", "testRelease", "testSource", "testTarget",
)  # fmt: skip
_RANGE_SETTINGS: Final = {
    "maven-enforcer-plugin": "requireJavaVersion/version",
    "maven-toolchains-plugin": "jdk/version",
}
_CI_VERSION: Final = re.compile(
    r"""^\s*-?\s*["']?(?:java|jdk|java[-_]version|jdk[-_]version)["']?\s*:\s*(?P<values>\S.*)$""",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED: Final = re.compile(r"(?<![\w.])(?:1\.)?(\d{1,2})(?:\.[\w.+-]+|-ea)?(?![\w.])")
_NAMED_JDK: Final = re.compile(
    r"(?:openjdk|oraclejdk|temurin|zulu|corretto|liberica|adoptopenjdk|cimg/openjdk)[:-]?"
    r"(?:1\.)?(\d{1,2})(?!\d)",
    re.IGNORECASE,
)
_TOOL_FILES: Final = {
    ".java-version": re.compile(r"^\D*?((?:1\.)?\d{1,2}\S*)", re.MULTILINE),
    ".sdkmanrc": re.compile(r"^\s*java\s*=\s*(\S+)", re.MULTILINE),
    ".tool-versions": re.compile(r"^\s*java\s+(?:[a-z]+-)*(\S+)", re.MULTILINE),
    "mise.toml": re.compile(r"""^\s*java\s*=\s*["'](?:[a-z]+-)*([^"']+)["']""", re.MULTILINE),
    ".mise.toml": re.compile(r"""^\s*java\s*=\s*["'](?:[a-z]+-)*([^"']+)["']""", re.MULTILINE),
    "system.properties": re.compile(r"^\s*java\.runtime\.version\s*=\s*(\S+)", re.MULTILINE),
}
_CI_FILES: Final = re.compile(
    r"(\.github/workflows/[^/]+\.ya?ml|\.travis\.yml|\.circleci/config\.yml|appveyor\.yml|"
    r"jitpack\.yml|\.gitlab-ci\.yml|azure-pipelines\.yml|Jenkinsfile)"
)
_OLDEST, _NEWEST = 5, 30


class Says(StrEnum):
    """What a piece of evidence says."""

    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    USED = "used"
    """The project's developers or their CI use it."""


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Evidence:
    """One fact about the JDK.

    Attributes:
        says: What it says of ``release``.
        release: Feature release.
        path: File that it was found in.
        what: The setting and its value, for people.
    """

    says: Says
    release: int
    path: str
    what: str


def gather_evidence(
    project: Project, files: Mapping[str, bytes], modules: tuple[str, ...]
) -> tuple[Evidence, ...]:
    """Return all evidence, without repetitions, in order.

    Args:
        project: The POMs of the tree.
        files: Contents by path: POMs, and the files of tools and CI where there are such.
        modules: Folders of the modules whose tests are run.
    """
    found: list[Evidence] = []
    for module in modules:
        for pom in project.ancestry(module):
            found += _of_pom(project, pom, module)
    for path, data in sorted(files.items()):
        text = data.decode("utf-8", "replace")
        if path in _TOOL_FILES:
            found += _used(path, _TOOL_FILES[path].findall(text)[:1])
        elif path == ".mvn/jvm.config" and "--add-" in text:
            what = "an option that JDK 8 does not know"
            found.append(Evidence(says=Says.AT_LEAST, release=9, path=path, what=what))
        elif _CI_FILES.fullmatch(path):
            found += _used(path, _NAMED_JDK.findall(text))
            for line in _CI_VERSION.finditer(text):
                found += _used(path, _LISTED.findall(line["values"].partition(" #")[0]))
    return tuple(dict.fromkeys(found))


def _of_pom(project: Project, pom: Pom, module: str) -> Iterator[Evidence]:
    for name in _LEVEL_PROPERTIES:
        if name in pom.properties:
            yield from _level(project, pom, module, name, pom.properties[name])
    for plugin in pom.plugins:
        for place, texts in plugin.configuration.items():
            read = _reader(plugin.artifact_id, place)
            if read is not None:
                for text in texts:
                    yield from read(project, pom, module, place, text)


def _reader(plugin: str, place: str) -> Callable[..., Iterator[Evidence]] | None:
    """Return what reads a plugin's setting, if it says something of the JDK."""
    if plugin == "maven-compiler-plugin" and place in _LEVEL_SETTINGS:
        return _level
    ending = _RANGE_SETTINGS.get(plugin)
    return _range if ending and place.endswith(ending) else None


def _level(project: Project, pom: Pom, module: str, name: str, text: str) -> Iterator[Evidence]:
    value = project.resolve(module, text)
    level = feature_release(value) if value else None
    if level is None or not _OLDEST - 4 <= level <= _NEWEST:
        return
    what = f"{name} = {value}"
    yield Evidence(says=Says.AT_LEAST, release=level, path=pom.path, what=what)
    newest = newest_for_level(level)
    if newest is not None:
        yield Evidence(says=Says.AT_MOST, release=newest, path=pom.path, what=what)


def _range(project: Project, pom: Pom, module: str, place: str, text: str) -> Iterator[Evidence]:
    value = project.resolve(module, text)
    found = java_range(value) if value else None
    if found is None:
        return
    what = f"{place} = {value}"
    for says, release in ((Says.AT_LEAST, found.low), (Says.AT_MOST, found.high)):
        if release is not None:
            yield Evidence(says=says, release=release, path=pom.path, what=what)


def _used(path: str, texts: list[str]) -> Iterator[Evidence]:
    for text in texts:
        release = feature_release(text)
        if release is not None and _OLDEST <= release <= _NEWEST:
            yield Evidence(says=Says.USED, release=release, path=path, what=text)
