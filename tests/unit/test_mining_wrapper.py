"""Wrappers of every kind, and Maven's option file in both styles (field.md rows 92, 93, 95)."""

from __future__ import annotations

import pytest

from jeto_mine.executable.maven_wrapper import (
    ArgumentStyle,
    WrapperKind,
    argument_style,
    read_wrapper,
)

PROPERTIES = ".mvn/wrapper/maven-wrapper.properties"
URL = "https://example.invalid/org/apache/maven/apache-maven"
SCRIPT = b"#!/bin/sh\n# only-script\n"
JAR_SCRIPT = b'#!/bin/sh\nexec java -jar "$D/.mvn/wrapper/maven-wrapper.jar"\n'
MVNW = frozenset({"mvnw"})


def tree(script: bytes, properties: str, **more: bytes) -> dict[str, bytes]:
    return {"mvnw": script, PROPERTIES: properties.encode(), **more}


def test_a_script_only_wrapper() -> None:
    text = f"distributionType=only-script\ndistributionUrl={URL}/3.9.9/apache-maven-3.9.9-bin.zip\n"
    found = read_wrapper(tree(SCRIPT, text), MVNW)
    assert found
    assert (found.kind, found.maven_version, found.problems) == (WrapperKind.SCRIPT, "3.9.9", ())


@pytest.mark.parametrize(
    ("present", "kind"), [(True, WrapperKind.JAR), (False, WrapperKind.FETCHED_JAR)]
)
def test_wrappers_with_a_jar_there_or_to_be_fetched(*, present: bool, kind: WrapperKind) -> None:
    files = tree(JAR_SCRIPT, f"distributionUrl={URL}/3.6.0/apache-maven-3.6.0-bin.tar.gz")
    if present:
        files[".mvn/wrapper/maven-wrapper.jar"] = b"PK"
    found = read_wrapper(files, MVNW)
    assert found
    assert (found.kind, found.maven_version) == (kind, "3.6.0")


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("apache-maven-4.0.0-rc-2-bin.zip", "4.0.0-rc-2"),
        ("apache-maven-3.8-bin.zip", "3.8"),
        ("maven-mvnd-1.0.2-linux-amd64.zip", ""),
    ],
)
def test_the_version_that_is_pinned(name: str, version: str) -> None:
    found = read_wrapper(tree(SCRIPT, f"distributionUrl = https\\://example.invalid/{name}\n"))
    assert found
    assert found.maven_version == version
    assert found.distribution_url == f"https://example.invalid/{name}"


@pytest.mark.parametrize(
    ("script", "properties", "executable", "problems"),
    [
        (SCRIPT, "a=b\n", MVNW, ()),
        (SCRIPT.replace(b"\n", b"\r\n"), "a=b\n", MVNW, ("line ends",)),
        (SCRIPT, "a=b\r\n", MVNW, ("line ends",)),
        (SCRIPT, "a=b\n", frozenset(), ("mode",)),
        (SCRIPT.replace(b"\n", b"\r\n"), "a=b\n", frozenset(), ("line ends", "mode")),
    ],
)
def test_why_a_wrapper_does_not_start_as_it_is(
    script: bytes, properties: str, executable: frozenset[str], problems: tuple[str, ...]
) -> None:
    found = read_wrapper(tree(script, properties), executable)
    assert found
    assert found.problems == problems


def test_windows_line_ends_are_no_part_of_the_url() -> None:
    text = f"distributionUrl={URL}/3.9.9/apache-maven-3.9.9-bin.zip\r\n"
    found = read_wrapper(tree(SCRIPT, text))
    assert found
    assert found.maven_version == "3.9.9"


@pytest.mark.parametrize("files", [{}, {"mvnw": SCRIPT}, {PROPERTIES: b""}])
def test_half_a_wrapper_is_none(files: dict[str, bytes]) -> None:
    assert read_wrapper(files) is None


@pytest.mark.parametrize(
    ("config", "style"),
    [
        (None, ArgumentStyle.NONE),
        (b"# nothing\n\n", ArgumentStyle.NONE),
        (b"-T2\n--fail-at-end\n", ArgumentStyle.LINES),
        (b"# a comment - with a dash -x\n-B\n", ArgumentStyle.LINES),
        (b"-B -T2\n", ArgumentStyle.WORDS),
        (b"-Dmessage=a-b\n", ArgumentStyle.LINES),
    ],
)
def test_both_styles_of_the_option_file(config: bytes | None, style: ArgumentStyle) -> None:
    """field.md row 92: one argument a line since Maven 3.9, several before."""
    assert argument_style(config) is style
