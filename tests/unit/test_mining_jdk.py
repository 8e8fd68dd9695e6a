"""The JDK that a tree wants: what is read where, and the order in which JDKs are tried (row 88)."""

from __future__ import annotations

import pytest

from jeto_mine.executable.java_versions import JavaRange, feature_release, java_range
from jeto_mine.executable.jdk import jdk_ladder
from jeto_mine.executable.jdk_evidence import Evidence, Says, gather_evidence
from jeto_mine.executable.pom_reading import read_project


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("8", 8),
        ("1.8", 8),
        ("1.8.0_292", 8),
        ("17.0.2-tem", 17),
        ("21+35", 21),
        (" 11 ", 11),
        ("25-ea", 25),
        ("", None),
        ("${x}", None),
        ("latest", None),
    ],
)
def test_versions_of_every_style(text: str, release: int | None) -> None:
    assert feature_release(text) == release


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("11", JavaRange(11, None)),
        ("1.8", JavaRange(8, None)),
        ("1.8.0-40", JavaRange(8, None)),
        ("[11,12)", JavaRange(11, 11)),
        ("[1.8,)", JavaRange(8, None)),
        ("[1.8,1.9)", JavaRange(8, 8)),
        ("[11.0.3,)", JavaRange(11, None)),
        ("(,17]", JavaRange(None, 17)),
        ("[8,11.0.5)", JavaRange(8, 11)),
        ("[17]", JavaRange(17, 17)),
        ("[1.8,9),[11,)", JavaRange(11, None)),
        ("${java.range}", None),
        ("[x,y]", None),
        ("[", None),
    ],
)
def test_ranges_of_the_enforcer(text: str, expected: JavaRange | None) -> None:
    assert java_range(text) == expected


def compiler(settings: str) -> str:
    return (
        "<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId>"
        f"<configuration>{settings}</configuration></plugin></plugins></build>"
    )


def enforcer(version: str) -> str:
    return (
        "<build><plugins><plugin><artifactId>maven-enforcer-plugin</artifactId><configuration>"
        f"<rules><requireJavaVersion><version>{version}</version></requireJavaVersion></rules>"
        "</configuration></plugin></plugins></build>"
    )


def toolchain(version: str) -> str:
    return (
        "<build><plugins><plugin><artifactId>maven-toolchains-plugin</artifactId><configuration>"
        f"<toolchains><jdk><version>{version}</version></jdk></toolchains>"
        "</configuration></plugin></plugins></build>"
    )


def properties(**values: str) -> str:
    inside = "".join(f"<{name}>{text}</{name}>" for name, text in values.items())
    return f"<properties>{inside}</properties>"


WORKFLOW = ".github/workflows/build.yml"


@pytest.mark.parametrize(
    ("pom", "files", "ladder"),
    [
        # Nothing set: what every compiler plugin's default level needs.
        ("", {}, (8, 11, 17, 21, 25)),
        (compiler("<source>1.5</source><target>1.5</target>"), {}, (8, 11, 17, 21, 25)),
        (compiler("<source>1.6</source>"), {}, (8, 11, 17, 21, 25)),
        (compiler("<release>17</release>"), {}, (17, 21, 25)),
        (properties(**{"maven.compiler.release": "11"}), {}, (11, 17, 21, 25)),
        # Main code for 8, tests for 25.
        (compiler("<release>8</release><testRelease>25</testRelease>"), {}, (25,)),
        (enforcer("[11,12)"), {}, (11, 17, 21, 25)),
        (enforcer("[17,)"), {}, (17, 21, 25)),
        (toolchain("1.8"), {}, (8, 11, 17, 21, 25)),
        # What developers and their CI use comes first; what a file forbids, last or never.
        ("", {".java-version": "17\n"}, (17, 8, 11, 21, 25)),
        ("", {".sdkmanrc": "java=11.0.2-tem\n"}, (11, 8, 17, 21, 25)),
        ("", {".tool-versions": "java temurin-17.0.1+12\n"}, (17, 8, 11, 21, 25)),
        ("", {"mise.toml": '[tools]\njava = "25"\n'}, (25, 8, 11, 17, 21)),
        ("", {".travis.yml": "jdk:\n  - oraclejdk8\n  - openjdk11\n"}, (8, 11, 17, 21, 25)),
        ("", {WORKFLOW: "      java-version: ['11', '17']\n"}, (11, 17, 8, 21, 25)),
        ("", {WORKFLOW: "        java: [ 11, 17.0.3, 21-ea ]  # not 8\n"}, (11, 17, 21, 8, 25)),
        ("", {WORKFLOW: "          java-version: 1.8\n"}, (8, 11, 17, 21, 25)),
        ("", {"jitpack.yml": "jdk:\n  - openjdk11\n"}, (11, 8, 17, 21, 25)),
        # 14 is none of ours; 17 can do what it can.
        ("", {WORKFLOW: "java-version: 14\n"}, (17, 8, 11, 21, 25)),
        (compiler("<source>1.6</source>"), {WORKFLOW: "java: [17, 11]\n"}, (11, 8, 17, 21, 25)),
        (compiler("<release>17</release>"), {WORKFLOW: "java: [8, 21]\n"}, (21, 17, 25)),
        ("", {".mvn/jvm.config": "--add-exports java.base/x=ALL-UNNAMED"}, (11, 17, 21, 25)),
        # A version of something else is none of Java.
        ("", {WORKFLOW: "      node-version: 20\n      uses: actions/setup-java@v4\n"},
         (8, 11, 17, 21, 25)),
    ],
)  # fmt: skip
def test_the_order_in_which_jdks_are_tried(
    pom: str, files: dict[str, str], ladder: tuple[int, ...]
) -> None:
    """field.md row 88: old levels are refused by new JDKs, and ranges are misread."""
    tree = {"pom.xml": f"<project><artifactId>a</artifactId>{pom}</project>".encode()}
    tree |= {path: text.encode() for path, text in files.items()}
    evidence = gather_evidence(read_project(tree), tree, (".",))
    assert jdk_ladder(evidence).releases == ladder


def test_a_module_inherits_and_siblings_do_not_count() -> None:
    tree = {
        "pom.xml": b"<project><artifactId>r</artifactId><modules><module>a</module>"
        b"<module>b</module></modules><properties><level>11</level></properties></project>",
        "a/pom.xml": b"<project><parent><artifactId>r</artifactId></parent><artifactId>a"
        b"</artifactId><properties><java.version>${level}</java.version></properties></project>",
        "b/pom.xml": b"<project><parent><artifactId>r</artifactId></parent><artifactId>b"
        b"</artifactId><properties><java.version>21</java.version></properties></project>",
    }
    (only,) = gather_evidence(read_project(tree), tree, ("a",))
    assert only == Evidence(
        says=Says.AT_LEAST, release=11, path="a/pom.xml", what="java.version = 11"
    )


def test_contradicting_files_are_named_and_the_lower_bound_holds() -> None:
    evidence = [
        Evidence(says=Says.AT_LEAST, release=17, path="pom.xml", what="release = 17"),
        Evidence(says=Says.AT_MOST, release=8, path="old/pom.xml", what="source = 1.5"),
    ]
    found = jdk_ladder(evidence)
    assert found.contradiction == "wants at least 17 and at most 8"
    assert found.releases == (17, 21, 25)
    assert found.evidence == tuple(evidence)


def test_a_release_newer_than_every_image_leaves_nothing_to_try() -> None:
    evidence = [Evidence(says=Says.AT_LEAST, release=26, path="pom.xml", what="release = 26")]
    assert jdk_ladder(evidence).releases == ()
