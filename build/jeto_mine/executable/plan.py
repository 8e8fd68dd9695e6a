"""What a tree is built and run with, decided from its files alone. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from jeto_bench.errors import DecodeError
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.layout import image_name
from jeto_evaluate.images.sources import SourceTree
from jeto_mine.executable.jdk import JdkLadder, jdk_ladder
from jeto_mine.executable.jdk_evidence import gather_evidence
from jeto_mine.executable.maven_wrapper import WrapperFacts, read_wrapper
from jeto_mine.executable.mirrors import https_mirrors
from jeto_mine.executable.modules import changed_modules, upstream
from jeto_mine.executable.pom import Project
from jeto_mine.executable.pom_reading import read_project
from jeto_mine.executable.reasons import Dropped, DropReason

__all__ = ["DEFAULT_MAVEN", "BuildPlan", "plan_build"]

DEFAULT_MAVEN: Final = "3.9.9"
"""Where a tree without a wrapper is allowed."""

_BUILD_FILES: Final = ("pom.xml", "mvnw", "mvnw.cmd")


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildPlan:
    """How to build and run a record.

    Attributes:
        modules: Modules whose tests are run, ``.`` for the root.
        maven_version: Version of Maven.
        wrapper: The wrapper that pins it; ``None`` if there is none.
        jdks: JDKs to try, and why.
        mirrors: HTTPS addresses by the ids of plain HTTP repositories.
    """

    modules: tuple[str, ...]
    maven_version: str
    wrapper: WrapperFacts | None
    jdks: JdkLadder
    mirrors: Mapping[str, str] = field(default_factory=dict)

    def draft(self, record: EtipRecord, jdk: int) -> EtipRecord:
        """Return the record as it is built with one of the JDKs, nothing measured yet."""
        return replace(
            record,
            image=image_name(record),
            modules=self.modules,
            java_version=jdk,
            maven_version=self.maven_version,
            test_command=developer_command(self.modules, wrapper=self.wrapper is not None),
            test_classes=(),
            quarantined_tests=(),
            detector_tests=(),
        )


def developer_command(modules: Sequence[str], *, wrapper: bool) -> str:
    """Return what a developer would type to run the tests of the modules."""
    maven = "./mvnw" if wrapper else "mvn"
    chosen = "" if tuple(modules) == (".",) else f" -pl {','.join(modules)} -am"
    return f"{maven} -B -o{chosen} test"


def plan_build(
    record: EtipRecord,
    tree: SourceTree,
    *,
    without_wrapper: bool = False,
    also_upstream: bool = False,
) -> BuildPlan:
    """Decide how to build a record's base tree.

    Args:
        record: The record.
        tree: Its base tree.
        without_wrapper: Take a tree without a Maven wrapper, which the paper's rule leaves out.
        also_upstream: Count the modules that changed ones need among them, as the paper's
            published harness did; its text does not.

    Raises:
        Dropped: It cannot be built here; the reason says why.
    """
    touched = [path for path in record.changed_files if _is_build_file(path)]
    if touched:
        raise Dropped(DropReason.TOUCHES_BUILD, ", ".join(touched))
    files = {file.path: file.data for file in tree.files if file.kind != "link"}
    try:
        project = read_project(files)
    except DecodeError as error:
        raise Dropped(DropReason.BROKEN_POM, error.message) from error
    modules = _modules(project, record.changed_files)
    if also_upstream:
        modules = upstream(project, modules)
    executable = frozenset(file.path for file in tree.files if file.kind == "executable")
    wrapper = read_wrapper(files, executable)
    if wrapper is None and not without_wrapper:
        raise Dropped(DropReason.NO_WRAPPER, "mvnw or its properties file is not at the root")
    version = DEFAULT_MAVEN if wrapper is None else wrapper.maven_version
    if wrapper is not None and not version:
        raise Dropped(DropReason.NO_MAVEN_VERSION, wrapper.distribution_url or "no distributionUrl")
    jdks = jdk_ladder(gather_evidence(project, files, modules))
    if not jdks.releases:
        newest = max(jdks.evidence, key=lambda item: item.release)
        raise Dropped(DropReason.NO_JDK, f"{newest.path}: {newest.what}")
    return BuildPlan(
        modules=modules,
        maven_version=version,
        wrapper=wrapper,
        jdks=jdks,
        mirrors=https_mirrors(project),
    )


def _modules(project: Project, changed_files: Sequence[str]) -> tuple[str, ...]:
    if "." not in project.poms:
        raise Dropped(DropReason.NO_ROOT_POM, "the root has no pom.xml")
    found = changed_modules(project, changed_files)
    astray = (*found.outside, *found.homeless)
    if astray or not found.modules:
        raise Dropped(DropReason.OUTSIDE_REACTOR, ", ".join(astray) or "no file is changed")
    return found.modules


def _is_build_file(path: str) -> bool:
    return path.rpartition("/")[2] in _BUILD_FILES or path.startswith(".mvn/")
