"""``jeto-mine execute`` on Maven wrappers of every kind and in every state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import docker
import pytest
from toy_projects import make_toy, make_wrapper, project

from jeto_evaluate.images.maven_home import DISTRIBUTION_MAVEN
from jeto_mine.executable.execute import Executed
from jeto_mine.executable.maven_wrapper import WrapperKind
from jeto_mine.executable.reasons import Dropped, DropReason

Mine = Callable[..., Executed]
Wrappers = Callable[[str, str], dict[str, bytes]]


@pytest.fixture(scope="module")
def wrappers(client: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory) -> Wrappers:
    logs = tmp_path_factory.mktemp("wrappers")
    return lambda kind, version: make_wrapper(client, logs, kind, version)


def test_no_wrapper_is_a_reason_unless_it_may_be_missing(mine: Mine, tmp_path: Path) -> None:
    toy = make_toy(tmp_path, "bare", project("SumTest"))
    with pytest.raises(Dropped) as caught:
        mine(toy, without_wrapper=False)
    assert caught.value.reason is DropReason.NO_WRAPPER


def test_a_wrapper_with_a_jar_starts_offline_as_it_is(
    mine: Mine, wrappers: Wrappers, tmp_path: Path
) -> None:
    toy = make_toy(tmp_path, "jar", project("SumTest", **wrappers("bin", "3.8.8")))
    done = mine(toy, without_wrapper=False)
    assert (done.record.maven_version, done.facts.maven_command) == ("3.8.8", "./mvnw")
    assert done.plan.wrapper is not None
    assert done.plan.wrapper.kind is WrapperKind.JAR


@pytest.mark.parametrize("kind", ["bin", "only-script"])
def test_an_archive_that_is_gone_is_had_in_its_other_form(
    mine: Mine, wrappers: Wrappers, tmp_path: Path, kind: str
) -> None:
    """field.md row 91: a wrapper pins an archive of 3.8.8 that never was, for one that is gone."""
    files = wrappers(kind, "3.8.8")
    properties = ".mvn/wrapper/maven-wrapper.properties"
    files[properties] = files[properties].replace(b"/maven/apache-maven/", b"/maven/gone/")
    toy = make_toy(tmp_path, kind, project("SumTest", **files))
    done = mine(toy, without_wrapper=False)
    assert done.record.maven_version == "3.8.8"
    assert done.facts.maven_command == DISTRIBUTION_MAVEN


def test_a_wrapper_that_a_shell_cannot_read_is_not_needed(
    mine: Mine, wrappers: Wrappers, tmp_path: Path
) -> None:
    """field.md row 93: Windows line ends and no execute bit; the tree stays as it is."""
    files = wrappers("only-script", "3.8.8")
    files["mvnw"] = files["mvnw"].replace(b"\n", b"\r\n")
    toy = make_toy(tmp_path, "crlf", project("SumTest", **files), executable=False)
    done = mine(toy, without_wrapper=False)
    assert done.facts.maven_command == DISTRIBUTION_MAVEN
    assert done.plan.wrapper is not None
    assert done.plan.wrapper.problems == ("line ends", "mode")


@pytest.mark.parametrize(
    ("config", "version"), [("-B -Dx=y\n", "3.8.8"), ("# settings\n-B\n-Dx=y\n", "3.9.9")]
)
def test_the_option_file_is_read_by_the_maven_that_it_was_written_for(
    mine: Mine,
    wrappers: Wrappers,
    tmp_path: Path,
    config: str,
    version: str,
) -> None:
    """field.md row 92: several options on a line before 3.9; one a line and comments since."""
    files = {**wrappers("only-script", version), ".mvn/maven.config": config.encode()}
    done = mine(make_toy(tmp_path, "options", project("SumTest", **files)), without_wrapper=False)
    assert done.record.test_classes == ("toy.SumTest",)
