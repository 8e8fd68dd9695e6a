"""Plain HTTP repositories are asked by HTTPS (field.md row 87)."""

from __future__ import annotations

import pytest

from jeto_mine.executable.mirrors import blocked_mirrors, https_mirrors
from jeto_mine.executable.pom_reading import read_project

POM = """<project>
  <repositories>
    <repository><id>old</id><url>http://old.example/maven/</url></repository>
    <repository><id>new</id><url>https://new.example/maven</url></repository>
    <repository><id>here</id><url>http://127.0.0.1:8081/maven</url></repository>
    <repository><id>files</id><url>file:///srv/maven</url></repository>
    <repository><url>http://nameless.example/maven</url></repository>
  </repositories>
  <pluginRepositories>
    <pluginRepository><id>plugins</id><url>http://old.example:8080/p</url></pluginRepository>
  </pluginRepositories>
</project>"""


def test_only_plain_http_of_other_machines_is_mirrored() -> None:
    assert https_mirrors(read_project({"pom.xml": POM.encode()})) == {
        "old": "https://old.example/maven/",
        "plugins": "https://old.example:8080/p",
    }


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("[ERROR] Could not find artifact a:b:jar:1 in central", {}),
        (
            "Blocked mirror for repositories: [old (http://old.example/m, default, releases)]",
            {"old": "https://old.example/m"},
        ),
        (
            (
                "x: Blocked mirror for repositories: [a (http://a.example, default, snapshots),"
                " b (http://b.example/m/, default, releases+snapshots)] -> [Help 1]\n"
                "y: Blocked mirror for repository: [c (http://c.example/, default, releases)]"
            ),
            {
                "a": "https://a.example",
                "b": "https://b.example/m/",
                "c": "https://c.example/",
            },
        ),
    ],
)
def test_mavens_message_names_what_it_blocked(said: str, found: dict[str, str]) -> None:
    assert blocked_mirrors(said) == found
