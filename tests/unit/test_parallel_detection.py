from __future__ import annotations

import pytest

from jeto_evaluate.surefire import ParallelKind, find_parallel

POM = "<project><build><plugin><configuration>{}</configuration></plugin></build></project>"
Kind = ParallelKind


@pytest.mark.parametrize(
    ("inner", "kind"),
    [
        ("<parallel>methods</parallel>", Kind.THREADS),
        ("<parallel>none</parallel>", None),
        ("<parallel>${mode}</parallel>", Kind.THREADS),
        ("<forkCount>1</forkCount>", None),
        ("<forkCount>2C</forkCount>", Kind.FORKS),
        ("<forkMode>perthread</forkMode>", Kind.FORKS),
        ("<property><name>parallel</name><value>tests</value></property>", Kind.THREADS),
        ("<property><name>other</name><value>tests</value></property>", None),
        (
            "<parameters>\n junit.jupiter.execution.parallel.enabled = true\n</parameters>",
            Kind.JUNIT_PLATFORM,
        ),
        (
            "<{0}>true</{0}>".format("junit.jupiter.execution.parallel.enabled"),
            Kind.JUNIT_PLATFORM,
        ),
        ("<argLine>-Djunit.jupiter.execution.parallel.enabled=true</argLine>", Kind.JUNIT_PLATFORM),
        ("<argLine>-Djunit.jupiter.execution.parallel.enabled=false</argLine>", None),
        ("<usePhrasedTestCaseClassName>true</usePhrasedTestCaseClassName>", Kind.PHRASED_NAMES),
    ],
)
def test_settings_in_a_pom(inner: str, kind: ParallelKind | None) -> None:
    """field.md row 72: parallel settings of plugin, forks, TestNG and JUnit are found."""
    found = find_parallel({"m/pom.xml": POM.format(inner).encode()})
    assert [(item.path, item.kind) for item in found] == ([("m/pom.xml", kind)] if kind else [])


def test_settings_in_other_files() -> None:
    """field.md row 72: JUnit's own properties and TestNG's suite file."""
    found = find_parallel(
        {
            "a/junit-platform.properties": b"# junit.jupiter.execution.parallel.enabled=true\n",
            "b/junit-platform.properties": b"junit.jupiter.execution.parallel.enabled : true\n",
            "c/testng.xml": b'<suite name="s" parallel="classes"><test parallel="none"/></suite>',
            "d/.mvn/maven.config": b"-Djunit.jupiter.execution.parallel.enabled=true\n",
            "e/other.xml": b"<parallel>methods</parallel>",
        }
    )
    assert [(item.path[0], item.kind) for item in found] == [
        ("b", Kind.JUNIT_PLATFORM),
        ("c", Kind.TESTNG_SUITE),
        ("d", Kind.JUNIT_PLATFORM),
    ]


@pytest.mark.parametrize("data", [b"", b"<a", b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', b"\0"])
def test_file_that_is_no_sound_xml_gives_nothing(data: bytes) -> None:
    assert find_parallel({"pom.xml": data}) == ()
