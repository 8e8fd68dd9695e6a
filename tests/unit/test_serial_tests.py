from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest

from jeto_bench.errors import ImageError
from jeto_evaluate.images.instance import BuildOptions, build_from_tree
from jeto_evaluate.images.serial import require_serial_tests
from jeto_evaluate.images.sources import SourceTree, TreeFile

POM = "<project><build><plugin><configuration>{}</configuration></plugin></build></project>"
PROPERTY = "<property><name>parallel</name><value>tests</value></property>"
SUITE = '<suite name="s" parallel="classes"/>'
NAMED = "<suiteXmlFiles><suiteXmlFile>testng.xml</suiteXmlFile></suiteXmlFiles>"


def tree(inner: str, **more: str) -> SourceTree:
    files = {"pom.xml": POM.format(inner), **{k.replace("_", "/"): v for k, v in more.items()}}
    return SourceTree(
        tuple(TreeFile(path=k, kind="file", data=v.encode()) for k, v in files.items())
    )


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (tree(PROPERTY), "pom.xml runs tests at the same time .parallel = tests."),
        (tree(NAMED, **{"testng.xml": SUITE}), "testng.xml .* .suite parallel = classes."),
    ],
)
def test_what_a_round_cannot_switch_off_is_refused_before_the_build(
    source: SourceTree, said: str
) -> None:
    """field.md row 72: if it is impossible, the row has no class-level timing."""
    record = Mock(instance_id="acme__lib-1", image="x:1")
    with pytest.raises(ImageError, match=said):
        build_from_tree(Mock(), record, source, options=BuildOptions(), log_dir=Mock())


@pytest.mark.parametrize(
    "source",
    [
        tree("<parallel>methods</parallel><forkCount>2</forkCount>"),
        tree("", **{"src_test_resources_junit-platform.properties": "x = true"}),
        tree("", **{"testng.xml": SUITE}),
        tree("", **{"src_test_resources_p_pom.xml": POM.format(PROPERTY)}),
    ],
    ids=[
        "switched off",
        "other properties",
        "a suite that no POM names",
        "a POM that is test data",
    ],
)
def test_what_a_round_switches_off_or_nothing_reads_is_let_pass(source: Any) -> None:
    """field.md row 72: such settings go in both arms, so the row keeps its times."""
    require_serial_tests(source, "acme__lib-1")
