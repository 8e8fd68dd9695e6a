"""From changed files to the Maven modules whose tests are run. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from posixpath import dirname
from typing import Final

from jeto_mine.executable.pom import Project

__all__ = ["ChangedModules", "changed_modules", "changed_packages", "reactor", "upstream"]

_MAIN: Final = "src/main/java/"


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedModules:
    """The modules that a patch touches.

    Attributes:
        modules: Folders of modules that the root POM builds, ``.`` for the root, sorted.
        outside: Folders that have a POM which the root POM does not build, sorted.
        homeless: Changed files above which no folder has a POM, sorted.
    """

    modules: tuple[str, ...]
    outside: tuple[str, ...]
    homeless: tuple[str, ...]


def reactor(project: Project) -> frozenset[str]:
    """Return the folders that a build of the root POM reaches; empty if there is none.

    Modules of profiles are among them: whether such a profile is active is found out by building.
    """
    found: set[str] = set()
    todo = ["."]
    while todo:
        folder = todo.pop()
        pom = project.poms.get(folder)
        if pom is not None and folder not in found:
            found.add(folder)
            todo.extend(pom.modules)
    return frozenset(found)


def changed_modules(project: Project, changed_files: Iterable[str]) -> ChangedModules:
    """Return the modules of changed files: of each, the nearest folder above that has a POM.

    Args:
        project: The POMs of base.
        changed_files: Paths in the tree.
    """
    built = reactor(project)
    inside: set[str] = set()
    outside: set[str] = set()
    homeless: set[str] = set()
    for path in changed_files:
        folder = dirname(path) or "."
        while folder != "." and folder not in project.poms:
            folder = dirname(folder) or "."
        if folder not in project.poms:
            homeless.add(path)
        elif folder in built:
            inside.add(folder)
        else:
            outside.add(folder)
    return ChangedModules(
        modules=tuple(sorted(inside)),
        outside=tuple(sorted(outside)),
        homeless=tuple(sorted(homeless)),
    )


def upstream(project: Project, modules: Collection[str]) -> tuple[str, ...]:
    """Return modules with all modules of the same build that they need, sorted.

    Args:
        project: The POMs of base.
        modules: Folders of modules.
    """
    built = reactor(project)
    by_artifact = {project.poms[folder].artifact_id: folder for folder in built}
    found: set[str] = set()
    todo = list(modules)
    while todo:
        folder = todo.pop()
        if folder not in found and folder in built:
            found.add(folder)
            needed = (name for pom in project.ancestry(folder) for name in pom.dependencies)
            todo.extend(by_artifact[name] for name in needed if name in by_artifact)
    return tuple(sorted(found))


def changed_packages(changed_files: Collection[str]) -> frozenset[str]:
    """Return the packages of changed main code."""
    inside = [path.partition(_MAIN)[2] for path in changed_files if _MAIN in path]
    return frozenset(path.rpartition("/")[0].replace("/", ".") for path in inside)
