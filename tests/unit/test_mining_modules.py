"""POMs of a tree, and the modules that changed files belong to."""

from __future__ import annotations

import pytest

from jeto_bench.errors import DecodeError
from jeto_mine.executable.modules import ChangedModules, changed_modules, reactor, upstream
from jeto_mine.executable.pom import Pom, Repository
from jeto_mine.executable.pom_reading import read_pom, read_project


def pom(
    artifact: str,
    *modules: str,
    parent: str = "",
    relative: str | None = None,
    more: str = "",
    namespace: str = ' xmlns="http://maven.apache.org/POM/4.0.0"',
) -> bytes:
    names = "".join(f"<module>{name}</module>" for name in modules)
    path = "" if relative is None else f"<relativePath>{relative}</relativePath>"
    above = (
        f"<parent><groupId>g</groupId><artifactId>{parent}</artifactId><version>1</version>"
        f"{path}</parent>"
        if parent
        else ""
    )
    return (
        f"<project{namespace}>{above}<artifactId>{artifact}</artifactId>"
        f"<modules>{names}</modules>{more}</project>"
    ).encode()


TREE = {
    "pom.xml": pom(
        "root",
        "core",
        "web/pom.xml",
        "tools/deep",
        more="<profiles><profile><modules><module>extra</module></modules></profile></profiles>"
        "<properties><level>8</level><java.version>${level}</java.version></properties>",
    ),
    "core/pom.xml": pom("core", parent="root"),
    "web/pom.xml": pom("web", "../shared", parent="base", relative="../parent"),
    "parent/pom.xml": pom("base", parent="root", more="<properties><level>11</level></properties>"),
    "shared/pom.xml": pom("shared", parent="other"),
    "tools/deep/pom.xml": pom("deep", parent="root", relative="../../pom.xml"),
    "extra/pom.xml": pom("extra"),
    "examples/pom.xml": pom("examples"),
    "core/src/test/resources/pom.xml": b"not XML",
}


def test_the_reactor_follows_modules_wherever_they_lie() -> None:
    found = reactor(read_project(TREE))
    assert found == {".", "core", "web", "shared", "tools/deep", "extra"}


def test_modules_that_name_each_other_end() -> None:
    project = read_project({"pom.xml": pom("a", "b"), "b/pom.xml": pom("b", "..")})
    assert reactor(project) == {".", "b"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("core/src/main/java/a/B.java", (("core",), (), ())),
        ("src/main/java/a/B.java", ((".",), (), ())),
        ("tools/deep/src/main/java/B.java", (("tools/deep",), (), ())),
        ("tools/src/main/java/B.java", ((".",), (), ())),
        ("parent/src/main/java/B.java", ((), ("parent",), ())),
        ("examples/src/main/java/B.java", ((), ("examples",), ())),
    ],
)
def test_a_file_belongs_to_the_nearest_folder_with_a_pom(
    path: str, expected: tuple[tuple[str, ...], ...]
) -> None:
    modules, outside, homeless = expected
    assert changed_modules(read_project(TREE), [path]) == ChangedModules(
        modules=modules, outside=outside, homeless=homeless
    )


def test_without_a_root_pom_nothing_is_built() -> None:
    project = read_project({"java/pom.xml": pom("java")})
    found = changed_modules(project, ["java/src/main/java/B.java", "docs/B.java"])
    assert found == ChangedModules(modules=(), outside=("java",), homeless=("docs/B.java",))


def test_properties_come_from_the_nearest_pom_of_the_tree() -> None:
    project = read_project(TREE)
    assert project.resolve("core", " ${java.version} ") == "8"
    assert project.resolve("web", "${java.version}") == "11"
    assert project.resolve("core", "${unknown}.1") is None
    assert project.resolve("core", "17") == "17"


def test_a_property_that_names_itself_is_unknown() -> None:
    project = read_project({"pom.xml": pom("a", more="<properties><x>${x}</x></properties>")})
    assert project.resolve(".", "${x}") is None


def test_a_parent_elsewhere_is_not_taken_for_the_file_above() -> None:
    def names(folder: str) -> list[str]:
        return [item.artifact_id for item in read_project(TREE).ancestry(folder)]

    assert names("shared") == ["shared"]
    assert names("web") == ["web", "base", "root"]
    assert names("tools/deep") == ["deep", "root"]
    assert names("nowhere") == []


def test_an_empty_path_means_no_parent_in_the_tree() -> None:
    project = read_project({**TREE, "core/pom.xml": pom("core", parent="root", relative="")})
    assert len(project.ancestry("core")) == 1


def test_plugins_are_read_with_their_executions_and_without_a_namespace() -> None:
    text = pom(
        "a",
        namespace="",
        more="""<packaging>pom</packaging>
        <repositories><repository><id>old</id><url>http://old.example</url></repository>
        </repositories>
        <build><pluginManagement><plugins><plugin><artifactId>maven-enforcer-plugin</artifactId>
        <executions><execution><configuration><rules><requireJavaVersion><version>[11,)</version>
        </requireJavaVersion></rules></configuration></execution></executions></plugin></plugins>
        </pluginManagement></build>""",
    )
    found = read_pom(text, "pom.xml")
    assert (found.packaging, found.repositories) == (
        "pom",
        (Repository(identifier="old", url="http://old.example"),),
    )
    (plugin,) = found.plugins
    assert plugin.configuration == {"rules/requireJavaVersion/version": ("[11,)",)}


@pytest.mark.parametrize(
    "data",
    [b"", b"<project>", b'<!DOCTYPE p [<!ENTITY a "b">]><project>&a;</project>'],
)
def test_what_is_no_pom_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(DecodeError, match=r"a/pom\.xml"):
        read_pom(data, "a/pom.xml")


def test_packaging_is_a_jar_unless_it_says_otherwise() -> None:
    found = read_pom(pom("a"), "deep/down/pom.xml")
    assert isinstance(found, Pom)
    assert (found.packaging, found.folder, found.parent) == ("jar", "deep/down", None)


def module(artifact: str, *needs: str, parent: str = "") -> bytes:
    above = f"<parent><artifactId>{parent}</artifactId></parent>" if parent else ""
    dependencies = "".join(
        f"<dependency><artifactId>{name}</artifactId></dependency>" for name in needs
    )
    return (
        f"<project>{above}<artifactId>{artifact}</artifactId>"
        f"<dependencies>{dependencies}</dependencies></project>"
    ).encode()


def test_upstream_follows_dependencies_of_the_same_build_to_the_end() -> None:
    root = (
        "<project><artifactId>root</artifactId><modules><module>api</module><module>core</module>"
        "<module>cli</module><module>other</module></modules></project>"
    )
    project = read_project(
        {
            "pom.xml": root.encode(),
            "api/pom.xml": module("api", "junit"),
            "core/pom.xml": module("core", "api"),
            "cli/pom.xml": module("cli", "core", "cli"),
            "other/pom.xml": module("other"),
            "apart/pom.xml": module("apart"),
        }
    )
    assert upstream(project, ["cli"]) == ("api", "cli", "core")
    assert upstream(project, ["api", "other"]) == ("api", "other")
    assert upstream(project, ["apart"]) == ()


def test_what_all_modules_inherit_is_needed_too() -> None:
    root = module("root", "tools").replace(
        b"</project>", b"<modules><module>tools</module><module>core</module></modules></project>"
    )
    project = read_project(
        {
            "pom.xml": root,
            "tools/pom.xml": module("tools"),
            "core/pom.xml": module("core", parent="root"),
        }
    )
    assert upstream(project, ["core"]) == ("core", "tools")
