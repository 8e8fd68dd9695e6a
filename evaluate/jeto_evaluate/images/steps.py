"""The steps inside a build container, from an empty tree to files worth keeping."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from jeto_bench.errors import ImageError
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.launcher_files import BUILD_SCRIPTS, launcher_files, script
from jeto_evaluate.images.layout import HOME, REPO
from jeto_evaluate.images.sources import SourceTree, TreeFile
from jeto_evaluate.images.workshop import STAGE, Workshop
from jeto_evaluate.skipped_checks import SKIPPED_CHECKS

__all__ = [
    "APPLYING",
    "FETCHING",
    "Warmed",
    "apply_reference",
    "module_arguments",
    "usable_wrapper",
    "warm_up",
]

DISTRIBUTION_MAVEN: Final = "/opt/jeto/maven/bin/mvn"
APPLYING: Final = "applying the reference"
"""Name of that step in errors."""

FETCHING: Final = "fetching Maven"
"""How the name of that step begins."""

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


def module_arguments(record: EtipRecord) -> tuple[str, ...]:
    """Maven arguments that run all tests of the record's modules and of what they need.

    A failing test does not end the run: which tests must pass is read from the reports.
    """
    arguments = (
        *SKIPPED_CHECKS,
        "-Dmaven.test.failure.ignore=true",
        "-DfailIfNoTests=false",
        "-Dsurefire.failIfNoSpecifiedTests=false",
    )
    if record.modules in {(), (".",)}:
        return (*arguments, "test")
    return (*arguments, "-pl", ",".join(record.modules), "-am", "test")


def warm_up(
    workshop: Workshop,
    record: EtipRecord,
    tree: SourceTree,
    *,
    spare_wrapper: tuple[TreeFile, ...],
    share_downloads: bool,
) -> Warmed:
    """Lay the tree, run the tests of base and reference online, and keep what offline use needs.

    Args:
        workshop: A build container with certificates and settings in place.
        record: The record.
        tree: The base tree, a generated wrapper included.
        spare_wrapper: A wrapper for fetching Maven where the tree's own is not usable.
        share_downloads: Use kept distributions, and add this build's downloads to the cache.

    Raises:
        ImageError: A step failed.
    """
    own = usable_wrapper(tree)
    _stage(workshop, record, tree, spare_wrapper)
    lay = f"umask 022 && tar -xf {STAGE}/source.tar -C {REPO}"
    workshop.must("laying the tree", ["sh", "-c", lay])
    mvnw = f"{REPO}/mvnw" if own else f"{STAGE}/wrapper/mvnw"
    kept = "yes" if share_downloads else "no"
    fetch = ["sh", f"{STAGE}/fetch-maven.sh", mvnw, record.maven_version, kept]
    workshop.must(f"{FETCHING} {record.maven_version}", fetch)
    maven_home = workshop.must("reading Maven's folder", ["cat", f"{HOME}/maven-home"])
    home = maven_home.decode().strip()
    command = "./mvnw" if own else f"{home}/bin/mvn"
    _run_tests(workshop, record, command)
    if share_downloads:
        workshop.must("keeping the downloads", ["sh", f"{STAGE}/keep-downloads.sh"], user="root")
    surefire = _surefire_versions(workshop)
    workshop.must("finishing", ["sh", f"{STAGE}/finish.sh", home], user="root")
    workshop.must("committing the tree", ["sh", f"{STAGE}/commit.sh"])
    return Warmed(
        maven_command="./mvnw" if own else DISTRIBUTION_MAVEN,
        jdk=_jdk_version(workshop),
        surefire=surefire,
    )


def _stage(
    workshop: Workshop, record: EtipRecord, tree: SourceTree, spare: tuple[TreeFile, ...]
) -> None:
    staged = {name: script(name) for name in BUILD_SCRIPTS}
    staged |= {f"launcher/{name}": data for name, data in launcher_files().items()}
    staged |= {f"wrapper/{file.path}": file.data for file in spare}
    staged["source.tar"] = tree.archive()
    staged["reference.patch"] = record.patch.encode("utf-8", "surrogateescape")
    workshop.put(staged)
    if spare:
        workshop.must(
            "preparing the wrapper", ["chmod", "755", f"{STAGE}/wrapper/mvnw"], user="root"
        )


def _run_tests(workshop: Workshop, record: EtipRecord, command: str) -> None:
    tests = ["sh", f"{STAGE}/maven.sh", command, *module_arguments(record)]
    workshop.must("running base's tests", tests, seconds=_TEST_SECONDS)
    apply_reference(workshop)
    workshop.must("running the reference's tests", tests, seconds=_TEST_SECONDS)


def apply_reference(workshop: Workshop) -> None:
    """Apply the reference, which was put beside the scripts, to the tree; errors as ``must``."""
    apply = f"cd {REPO} && git apply --whitespace=nowarn {STAGE}/reference.patch"
    workshop.must(APPLYING, ["sh", "-c", apply])


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
