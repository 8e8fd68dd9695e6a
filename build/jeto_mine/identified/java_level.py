"""What a tree says of its Java and its Maven wrapper, from few of its files. Pure.

Only the files that can say something are read: the POMs of the changed modules and of the folders
above them, the wrapper, and what tools and CI read their JDK from. The dynamic analysis looks at
the whole tree and decides; here it is told what is worth trying.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jeto_bench.errors import DecodeError
from jeto_mine.executable.jdk import jdk_ladder
from jeto_mine.executable.jdk_evidence import Says, gather_evidence
from jeto_mine.executable.maven_wrapper import read_wrapper
from jeto_mine.executable.pom import Project
from jeto_mine.executable.pom_reading import read_project
from jeto_mine.identified.reasons import ScanReason

__all__ = ["FOLDERS", "Level", "java_level", "places"]

FOLDERS: Final = (".github/workflows/",)
_FILES: Final = (
    *("mvnw", ".mvn/wrapper/maven-wrapper.properties", ".mvn/wrapper/maven-wrapper.jar"),
    *(".mvn/jvm.config", ".java-version", ".sdkmanrc", ".tool-versions", "mise.toml", ".mise.toml"),
    *("system.properties", ".travis.yml", ".circleci/config.yml", "appveyor.yml", "jitpack.yml"),
    *(".gitlab-ci.yml", "azure-pipelines.yml", "Jenkinsfile"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Level:
    """What a tree is to be built with.

    Attributes:
        reason: Why it is not taken; ``None`` if it is.
        java_version: The likeliest JDK: 8, 11, 17, 21 or 25; 0 if it is not taken.
        stated: Some file says which Java it is for.
        maven_version: Version that the wrapper pins; empty if there is none.
    """

    reason: ScanReason | None
    java_version: int = 0
    stated: bool = False
    maven_version: str = ""


def places(changed: Sequence[str]) -> tuple[str, ...]:
    """Return where to look in a tree whose given files are changed; a folder ends in ``/``."""
    folders = {""}
    for path in changed:
        parts = path.split("/")[:-1]
        folders |= {"".join(f"{part}/" for part in parts[:end]) for end in range(len(parts) + 1)}
    return (*FOLDERS, *_FILES, *(f"{folder}pom.xml" for folder in sorted(folders)))


def java_level(
    files: Mapping[str, bytes],
    changed: Sequence[str],
    *,
    executable: frozenset[str] = frozenset(),
    without_wrapper: bool = False,
    oldest: int = 8,
) -> Level:
    """Decide whether a tree can be built with a JDK of ours.

    Args:
        files: Contents by path, of those at ``places`` that there are.
        changed: Paths that the change touches.
        executable: Those of ``files`` with the execute bit.
        without_wrapper: Take a tree without a Maven wrapper too.
        oldest: A tree all of whose files speak of older Java than this is not taken.
    """
    if "pom.xml" not in files:
        return Level(reason=ScanReason.NO_MAVEN)
    wrapper = read_wrapper(files, executable)
    if wrapper is None and not without_wrapper:
        return Level(reason=ScanReason.NO_WRAPPER)
    try:
        project = read_project(files)
    except DecodeError:
        return Level(reason=ScanReason.BROKEN_POM)
    evidence = gather_evidence(project, files, _modules(project, changed))
    # What a level allows at most is a limit of compilers, and no sign of use.
    named = [item.release for item in evidence if item.says is not Says.AT_MOST]
    if named and max(named) < oldest:
        return Level(reason=ScanReason.JAVA_TOO_OLD)
    releases = jdk_ladder(evidence).releases
    if not releases:
        return Level(reason=ScanReason.NO_JDK)
    return Level(
        reason=None,
        java_version=releases[0],
        stated=bool(evidence),
        maven_version=wrapper.maven_version if wrapper is not None else "",
    )


def _modules(project: Project, changed: Sequence[str]) -> tuple[str, ...]:
    """Return the folders of the nearest POMs above the changed files."""
    found: set[str] = set()
    for path in changed:
        folder = path.rpartition("/")[0]
        while folder and folder not in project.poms:
            folder = folder.rpartition("/")[0]
        found.add(folder or ".")
    return tuple(sorted(found))
