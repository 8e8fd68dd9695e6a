"""Maven in a build container: by the tree's own wrapper, or by one of ours beside the tree."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from jeto_evaluate.images.layout import HOME, REPO
from jeto_evaluate.images.sources import SourceTree, TreeFile
from jeto_evaluate.images.workshop import STAGE, StepError, Workshop

__all__ = ["DISTRIBUTION_MAVEN", "FETCHING", "MavenHome", "fetch_maven", "usable_wrapper"]

_LOG = logging.getLogger(__name__)

DISTRIBUTION_MAVEN: Final = "/opt/jeto/maven/bin/mvn"
FETCHING: Final = "fetching Maven"
"""How the name of the step begins."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MavenHome:
    """An unpacked Maven.

    Attributes:
        home: Its folder.
        by_tree: The tree's own wrapper starts it.
    """

    home: str
    by_tree: bool

    @property
    def command(self) -> str:
        """What starts it while building."""
        return "./mvnw" if self.by_tree else f"{self.home}/bin/mvn"

    @property
    def final_command(self) -> str:
        """What starts it in the image."""
        return "./mvnw" if self.by_tree else DISTRIBUTION_MAVEN


def fetch_maven(
    workshop: Workshop,
    tree: SourceTree,
    version: str,
    *,
    spare_wrapper: Callable[[], tuple[TreeFile, ...]],
    share: bool,
) -> MavenHome:
    """Let a wrapper unpack Maven.

    Args:
        workshop: A build container with the tree in place.
        tree: The tree.
        version: Version of Maven.
        spare_wrapper: Makes a wrapper where the tree's own is not usable, or asks for an archive
            that is gone.
        share: Use kept distributions.

    Raises:
        StepError: Neither gets at it.
    """
    by_tree = usable_wrapper(tree) and _fetched_by_tree(workshop, version, share=share)
    if not by_tree:
        _stage_spare(workshop, spare_wrapper())
        _fetch(workshop, version, f"{STAGE}/wrapper/mvnw", share=share)
    home = workshop.must("reading Maven's folder", ["cat", f"{HOME}/maven-home"])
    return MavenHome(home=home.decode().strip(), by_tree=by_tree)


def usable_wrapper(tree: SourceTree) -> bool:
    """Whether the tree's ``mvnw`` starts as it is and offline.

    It does not if it lacks the execute bit, has Windows line ends (field.md row 93), or wants a
    ``maven-wrapper.jar`` that is not in the tree. Tracked files are never mended for it: Maven
    is then started from its distribution.
    """
    mvnw = tree.get("mvnw")
    properties = tree.get(".mvn/wrapper/maven-wrapper.properties")
    if mvnw is None or properties is None or mvnw.kind != "executable" or b"\r" in mvnw.data:
        return False
    if b"\r" in properties.data:
        return False
    needs_jar = b"maven-wrapper.jar" in mvnw.data
    return not needs_jar or tree.get(".mvn/wrapper/maven-wrapper.jar") is not None


def _fetched_by_tree(workshop: Workshop, version: str, *, share: bool) -> bool:
    """Whether the tree's own wrapper gets at Maven; the archive that it pins may be gone."""
    try:
        _fetch(workshop, version, f"{REPO}/mvnw", share=share)
    except StepError as error:
        _LOG.warning("%s; trying a wrapper of ours", error.message)
        return False
    return True


def _fetch(workshop: Workshop, version: str, mvnw: str, *, share: bool) -> None:
    kept = "yes" if share else "no"
    fetch = ["sh", f"{STAGE}/fetch-maven.sh", mvnw, version, kept]
    workshop.must(f"{FETCHING} {version}", fetch)


def _stage_spare(workshop: Workshop, files: tuple[TreeFile, ...]) -> None:
    workshop.put({f"wrapper/{file.path}": file.data for file in files})
    executable = ["chmod", "755", f"{STAGE}/wrapper/mvnw"]
    workshop.must("preparing the wrapper", executable, user="root")
