"""A POM as far as the dynamic analysis reads it. Pure.

It is read as it stands in the tree. What a parent outside the repository adds is not known here;
whatever is decided from a POM is therefore tried, never taken for granted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from posixpath import dirname, join, normpath
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from jeto_bench.errors import DecodeError

__all__ = ["Parent", "Plugin", "Pom", "Project", "Repository", "read_pom", "read_project"]

_PLACEHOLDER: Final = re.compile(r"\$\{([^${}]+)\}")
_DEPTH: Final = 10
_NAMESPACE: Final = re.compile(r"^\{[^}]*\}")


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


def read_project(files: Mapping[str, bytes]) -> Project:
    """Read every POM of a tree, those of test resources left out.

    Args:
        files: Contents by path; other files are not looked at.

    Raises:
        DecodeError: A POM is not XML.
    """
    poms = [
        read_pom(data, path)
        for path, data in sorted(files.items())
        if f"/{path}".endswith("/pom.xml") and "/src/" not in f"/{path}"
    ]
    return Project(poms={pom.folder: pom for pom in poms})


def read_pom(data: bytes, path: str) -> Pom:
    """Read one POM.

    Raises:
        DecodeError: Not XML, or XML with a document type.
    """
    try:
        root = fromstring(data, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise DecodeError(f"not a POM: {error or type(error).__name__}", source=path) from error
    folder = dirname(path)
    profiles = _all(root, "profiles/profile")
    own = _child(root, "properties")
    parent = _child(root, "parent")
    return Pom(
        path=path,
        artifact_id=_text(root, "artifactId"),
        packaging=_text(root, "packaging") or "jar",
        parent=None if parent is None else _parent(parent),
        modules=tuple(
            dict.fromkeys(
                _module_folder(folder, (entry.text or "").strip())
                for part in (root, *profiles)
                for entry in _all(part, "modules/module")
            )
        ),
        properties={_name(item): (item.text or "").strip() for item in own or ()},
        plugins=tuple(
            _plugin(entry)
            for part in (root, *profiles)
            for place in ("build/plugins/plugin", "build/pluginManagement/plugins/plugin")
            for entry in _all(part, place)
        ),
        dependencies=tuple(
            _text(entry, "artifactId")
            for part in (root, *profiles)
            for entry in _all(part, "dependencies/dependency")
        ),
        repositories=tuple(
            Repository(identifier=_text(entry, "id"), url=_text(entry, "url"))
            for part in (root, *profiles)
            for place in ("repositories/repository", "pluginRepositories/pluginRepository")
            for entry in _all(part, place)
        ),
    )


def _module_folder(folder: str, text: str) -> str:
    place = normpath(join(folder, text))
    return (dirname(place) or ".") if place.endswith(".xml") else place


def _parent(element: Element) -> Parent:
    relative = _child(element, "relativePath")
    return Parent(
        artifact_id=_text(element, "artifactId"),
        version=_text(element, "version"),
        relative_path="../pom.xml" if relative is None else (relative.text or "").strip(),
    )


def _plugin(element: Element) -> Plugin:
    found: dict[str, list[str]] = {}
    for part in (element, *_all(element, "executions/execution")):
        configuration = _child(part, "configuration")
        for place, text in _leaves(configuration) if configuration is not None else ():
            found.setdefault(place, []).append(text)
    return Plugin(
        artifact_id=_text(element, "artifactId"),
        configuration={place: tuple(texts) for place, texts in found.items()},
    )


def _leaves(element: Element, above: str = "") -> Iterator[tuple[str, str]]:
    for child in element:
        place = f"{above}{_name(child)}"
        if len(child):
            yield from _leaves(child, f"{place}/")
        else:
            yield place, (child.text or "").strip()


def _name(element: Element) -> str:
    return _NAMESPACE.sub("", str(element.tag))


def _child(element: Element, name: str) -> Element | None:
    return next((child for child in element if _name(child) == name), None)


def _all(element: Element, place: str) -> list[Element]:
    found = [element]
    for name in place.split("/"):
        found = [child for one in found for child in one if _name(child) == name]
    return found


def _text(element: Element, name: str) -> str:
    child = _child(element, name)
    return "" if child is None else (child.text or "").strip()
