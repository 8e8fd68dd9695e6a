"""The steps inside a build container, from an empty tree to files worth keeping."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from jeto_bench.errors import ImageError
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.launcher_files import BUILD_SCRIPTS, launcher_files, script
from jeto_evaluate.images.layout import HOME, REPO
from jeto_evaluate.images.maven_home import fetch_maven
from jeto_evaluate.images.mirror import refuse_other_sources
from jeto_evaluate.images.settings import maven_toolchains
from jeto_evaluate.images.sources import SourceTree, TreeFile
from jeto_evaluate.images.workshop import STAGE, Workshop
from jeto_evaluate.skipped_checks import SKIPPED_CHECKS

__all__ = [
    "ADDING",
    "APPLYING",
    "RUNNING",
    "Warmed",
    "add_own_tests",
    "apply_reference",
    "module_arguments",
    "warm_up",
]

APPLYING: Final = "applying the reference"
"""Name of that step in errors."""
ADDING: Final = "adding the fix's own tests"
"""Likewise."""
RUNNING: Final = "running"
"""How the names of the steps begin in which the project's own build is run, with network."""

_LAUNCHER: Final = "/opt/jeto/lib/jeto-launcher.jar"
_TEST_SECONDS: Final = 1800
_SUREFIRE: Final = f"{HOME}/.m2/repository/org/apache/maven/plugins/maven-surefire-plugin"


@dataclass(frozen=True, kw_only=True, slots=True)
class Warmed:
    """What a warm-up found out.

    Attributes:
        maven_command: What starts Maven in the tree.
        jdk: Version and vendor of the JDK.
        surefire: Version, several joined by ``,``.
    """

    maven_command: str
    jdk: str
    surefire: str


def module_arguments(record: EtipRecord) -> tuple[str, ...]:
    """Maven arguments that build the record's modules with what they need, and run their tests.

    Those of other modules are not run. A failing test does not end the run: which tests must pass
    is read from the reports.
    """
    arguments = (
        *SKIPPED_CHECKS,
        "-Dmaven.test.failure.ignore=true",
        "-DfailIfNoTests=false",
        "-Dsurefire.failIfNoSpecifiedTests=false",
    )
    if record.modules in {(), (".",)}:
        return (*arguments, "test")
    modules = ",".join(record.modules)
    own = (f"-Dmaven.ext.class.path={_LAUNCHER}", f"-Djeto.modules={modules}")
    return (*arguments, *own, "-pl", modules, "-am", "test")


def warm_up(
    workshop: Workshop,
    record: EtipRecord,
    tree: SourceTree,
    *,
    spare_wrapper: Callable[[], tuple[TreeFile, ...]],
    share_downloads: bool,
    mirrored: bool = False,
) -> Warmed:
    """Lay the tree, run the tests of base and reference online, and keep what offline use needs.

    Args:
        workshop: A build container with certificates and settings in place.
        record: The record.
        tree: The base tree, a generated wrapper included.
        spare_wrapper: Makes a wrapper for fetching Maven where the tree's own is not usable, or
            asks for an archive that is gone.
        share_downloads: Use kept distributions, and add this build's downloads to the cache.
        mirrored: Refuse what came from elsewhere than the mirror in the settings.

    Raises:
        ImageError: A step failed.
    """
    _stage(workshop, record, tree)
    lay = f"umask 022 && tar -xf {STAGE}/source.tar -C {REPO}"
    workshop.must("laying the tree", ["sh", "-c", lay])
    maven = fetch_maven(
        workshop, tree, record.maven_version, spare_wrapper=spare_wrapper, share=share_downloads
    )
    added = ["sh", f"{STAGE}/launcher.sh", maven.home]
    workshop.must("compiling the launcher", added, user="root")
    said = _run_tests(workshop, record, maven.command)
    if mirrored:
        refuse_other_sources(said)
    if share_downloads:
        workshop.must("keeping the downloads", ["sh", f"{STAGE}/keep-downloads.sh"], user="root")
    surefire = _surefire_versions(workshop)
    workshop.must("finishing", ["sh", f"{STAGE}/finish.sh", maven.home], user="root")
    workshop.must("committing the tree", ["sh", f"{STAGE}/commit.sh"])
    return Warmed(
        maven_command=maven.final_command,
        jdk=_jdk_version(workshop),
        surefire=surefire,
    )


def _stage(workshop: Workshop, record: EtipRecord, tree: SourceTree) -> None:
    staged = {name: script(name) for name in BUILD_SCRIPTS}
    staged |= {f"launcher/{name}": data for name, data in launcher_files().items()}
    staged["source.tar"] = tree.archive()
    staged["reference.patch"] = record.patch.encode("utf-8", "surrogateescape")
    staged["tests.patch"] = record.test_patch.encode("utf-8", "surrogateescape")
    staged["toolchains.xml"] = maven_toolchains(record.java_version)
    workshop.put(staged)
    place = ["cp", f"{STAGE}/toolchains.xml", f"{HOME}/.m2/toolchains.xml"]
    workshop.must("listing the JDK", place)


def _run_tests(workshop: Workshop, record: EtipRecord, command: str) -> str:
    """Run the tests of base and reference; return what Maven said."""
    tests = ["sh", f"{STAGE}/maven.sh", command, *module_arguments(record)]
    said = workshop.must(f"{RUNNING} base's tests", tests, seconds=_TEST_SECONDS)
    apply_reference(workshop)
    said += workshop.must(f"{RUNNING} the reference's tests", tests, seconds=_TEST_SECONDS)
    if record.test_patch:
        add_own_tests(workshop)
        said += workshop.must(f"{RUNNING} the fix's own tests", tests, seconds=_TEST_SECONDS)
    return said.decode("utf-8", "replace")


def apply_reference(workshop: Workshop) -> None:
    """Apply the reference, which was put beside the scripts, to the tree; errors as ``must``."""
    _apply(workshop, APPLYING, "reference.patch")


def add_own_tests(workshop: Workshop) -> None:
    """Add the tests that came with the fix, put beside the scripts, to the tree."""
    _apply(workshop, ADDING, "tests.patch")


def _apply(workshop: Workshop, what: str, patch: str) -> None:
    # In a repository new files must be tracked: what is not is removed before each run. The index
    # of an image knows its files by other inodes than those of the container.
    index = "$([ ! -d .git ] || { git update-index -q --refresh; echo --index; })"
    apply = f"cd {REPO} && git apply --whitespace=nowarn {index} {STAGE}/{patch}"
    workshop.must(what, ["sh", "-c", apply])


def _surefire_versions(workshop: Workshop) -> str:
    listing = workshop.must(
        "looking for Surefire", ["find", _SUREFIRE, "-name", "maven-surefire-plugin-*.jar"]
    )
    found = re.findall(r"maven-surefire-plugin-([^/]+)\.jar", listing.decode())
    if not found:
        raise ImageError("no version of Surefire was used, so no test ran")
    return ",".join(sorted(set(found)))


def _jdk_version(workshop: Workshop) -> str:
    shown = workshop.must(
        "asking the JDK", ["/opt/jdk/bin/java", "-XshowSettings:properties", "-version"]
    ).decode("utf-8", "replace")
    facts = dict(
        re.findall(r"^\s*(java\.runtime\.version|java\.vendor) = (.*)$", shown, re.MULTILINE)
    )
    if "java.runtime.version" not in facts:
        raise ImageError("the JDK does not say its version")
    return f"{facts['java.runtime.version']} ({facts.get('java.vendor', 'unknown vendor').strip()})"
