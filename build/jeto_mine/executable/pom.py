"""The POMs of a tree, as far as the dynamic analysis reads them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from posixpath import dirname, join, normpath
from typing import Final

__all__ = ["Parent", "Plugin", "Pom", "Project", "Repository"]

_PLACEHOLDER: Final = re.compile(r"\$\{([^${}]+)\}")
_DEPTH: Final = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Parent:
    """The POM that one inherits from.

    Attributes:
        artifact_id: Its artifact.
        version: Its version.
        relative_path: Where the file points to, ``""`` for nowhere.
    """

    artifact_id: str
    version: str
    relative_path: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Repository:
    """Where artifacts are looked for.

    Attributes:
        identifier: Its id, by which mirrors know it.
        url: Its address.
    """

    identifier: str
    url: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Plugin:
    """A plugin with everything that is configured for it, its executions' settings included.

    Attributes:
        artifact_id: Its artifact.
        configuration: Texts by the element's path below ``configuration``, such as
            ``rules/requireJavaVersion/version``.
    """

    artifact_id: str
    configuration: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Pom:
    """One ``pom.xml``.

    Attributes:
        path: Where it lies in the tree.
        artifact_id: Its artifact.
        packaging: ``jar`` if it does not say.
        parent: What it inherits from, if anything.
        modules: Folders of its modules relative to the tree, those of profiles included.
        properties: Its own, profiles' left out.
        plugins: Those that it names, managed ones and profiles' included.
        dependencies: Artifacts that it depends on, managed ones left out.
        repositories: Repositories and plugin repositories.
    """

    path: str
    artifact_id: str
    packaging: str
    parent: Parent | None
    modules: tuple[str, ...]
    properties: Mapping[str, str]
    plugins: tuple[Plugin, ...]
    dependencies: tuple[str, ...]
    repositories: tuple[Repository, ...]

    @property
    def folder(self) -> str:
        """Its folder in the tree, ``.`` for the root."""
        return dirname(self.path) or "."


@dataclass(frozen=True, kw_only=True, slots=True)
class Project:
    """All POMs of a tree.

    Attributes:
        poms: By folder.
    """

    poms: Mapping[str, Pom]

    def ancestry(self, folder: str) -> tuple[Pom, ...]:
        """Return a module's POM and those in the tree that it inherits from, nearest first."""
        found: list[Pom] = []
        pom = self.poms.get(folder)
        while pom is not None and pom not in found:
            found.append(pom)
            pom = self._parent_of(pom)
        return tuple(found)

    def resolve(self, folder: str, text: str) -> str | None:
        """Return ``text`` with the properties of a module in place of ``${...}``.

        Returns:
            ``None`` where a property is not defined in the tree.
        """
        values: dict[str, str] = {}
        for pom in reversed(self.ancestry(folder)):
            values.update(pom.properties)
        for _ in range(_DEPTH):
            names = set(_PLACEHOLDER.findall(text))
            if not names:
                return text.strip()
            if not names <= set(values):
                return None
            text = _PLACEHOLDER.sub(lambda match: values[match[1]], text)
        return None

    def _parent_of(self, pom: Pom) -> Pom | None:
        if pom.parent is None or not pom.parent.relative_path:
            return None
        place = normpath(join(pom.folder, pom.parent.relative_path))
        folder = (dirname(place) or ".") if place.endswith(".xml") else place
        found = self.poms.get(folder)
        # Maven too looks whether the file is the parent that is meant.
        return found if found and found.artifact_id == pom.parent.artifact_id else None
