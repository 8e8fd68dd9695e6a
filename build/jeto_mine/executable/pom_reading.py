"""Reads POMs. Pure.

A POM is read as it stands in the tree. What a parent outside the repository adds is not known here;
whatever is decided from a POM is therefore tried, never taken for granted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from jeto_bench.errors import DecodeError
from jeto_mine.executable.pom import Parent, Plugin, Pom, Project, Repository

__all__ = ["read_pom", "read_project"]

_NAMESPACE: Final = re.compile(r"^\{[^}]*\}")


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
