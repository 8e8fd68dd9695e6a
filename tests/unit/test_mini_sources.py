from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jeto_bench.errors import DecodeError, InputError
from jeto_bench.predictions import PatchState, read_predictions
from jeto_evaluate.outcomes import Outcome
from jeto_mine.mini.facts import read_facts
from jeto_mine.mini.predictions import write_predictions
from jeto_mine.mini.records import test_command as command_for
from jeto_mine.mini.sources import SampleKind, read_source, read_sources

FACTS = """\
instance_id = "jeto-bench__tiny-7"
repo = "jeto-bench/tiny"
issue_number = 7
created_at = "2024-05-06T07:08:09Z"
author = "Ada Example <ada@example.org>"
java_version = 17
maven_version = "3.9.9"
modules = ["."]
commit_message = "Join once\\n"
license = "MIT"
"""
MAIN = "src/main/java/A.java"
PATCH = f"diff --git a/{MAIN} b/{MAIN}\n--- a/{MAIN}\n+++ b/{MAIN}\n@@ -1 +1 @@\n-a\n+b\n"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    (folder / "project" / "src/main/java").mkdir(parents=True)
    (folder / "predictions").mkdir()
    (folder / "project" / MAIN).write_bytes(b"a\n")
    (folder / "project" / "pom.xml").write_bytes(b"<project/>\n")
    (folder / "etip.toml").write_text(FACTS, encoding="utf-8")
    (folder / "issue.md").write_text("# Slow\n\nIt is slow.\n", encoding="utf-8")
    (folder / "reference.patch").write_text(PATCH, encoding="utf-8")
    expected = ['gold = "improved"']
    for kind in SampleKind:
        text = "" if kind is SampleKind.EMPTY else PATCH
        (folder / "predictions" / f"{kind.value}.patch").write_text(text, encoding="utf-8")
        expected.append(f'{kind.value} = "no_improvement"')
    (folder / "expected.toml").write_text("\n".join(expected), encoding="utf-8")
    return folder


def test_a_source_folder_is_read(tiny: Path) -> None:
    source = read_source(tiny)
    assert source.slug == "tiny"
    assert source.problem_statement == "Slow\n\nIt is slow.\n"
    assert list(source.tree) == ["pom.xml", MAIN]
    assert source.facts.fixed_at == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert source.facts.pull_number is None
    assert source.expected["gold"] is Outcome.IMPROVED
    assert read_sources(tiny.parent) == (source,)


def test_build_output_of_a_developer_is_left_out(tiny: Path) -> None:
    (tiny / "project" / "target").mkdir()
    (tiny / "project" / "target" / "A.class").write_bytes(b"x")
    assert list(read_source(tiny).tree) == ["pom.xml", MAIN]


def test_a_time_may_be_written_as_toml_writes_it() -> None:
    text = FACTS.replace('"2024-05-06T07:08:09Z"', "2024-05-06T09:08:09+02:00")
    assert read_facts(text.encode(), source="x").created_at == "2024-05-06T07:08:09Z"


def test_an_author_without_an_address_gets_a_neutral_one() -> None:
    facts = read_facts(FACTS.replace(" <ada@example.org>", "").encode(), source="x")
    assert facts.author == "Ada Example <dev@jeto-bench.invalid>"


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("java_version = 17", 'java_version = "17"', "java_version"),
        ("java_version = 17\n", "", "java_version"),
        ("license", "licence", "licence"),
        ("Ada Example <ada@example.org>", "<ada@example.org>", "author"),
        ("2024-05-06T07:08:09Z", "May", "created_at"),
    ],
)
def test_wrong_facts_are_named(tiny: Path, old: str, new: str, field: str) -> None:
    (tiny / "etip.toml").write_text(FACTS.replace(old, new), encoding="utf-8")
    with pytest.raises(DecodeError) as caught:
        read_source(tiny)
    assert caught.value.field == field
    assert "etip.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("issue.md", "Slow\nIt is slow.\n", "blank line"),
        ("reference.patch", PATCH.replace("/main/", "/test/"), "not main code"),
        ("reference.patch", "nothing", "not_a_patch"),
        ("expected.toml", 'gold = "improved"', "missing or unknown"),
        ("project/mvnw", "#!/bin/sh\n", "wrapper"),
    ],
)
def test_a_wrong_file_is_named(tiny: Path, name: str, content: str, message: str) -> None:
    (tiny / name).write_text(content, encoding="utf-8")
    with pytest.raises(DecodeError, match=message):
        read_source(tiny)


def test_an_outcome_must_be_one_of_the_design(tiny: Path) -> None:
    text = (tiny / "expected.toml").read_text("utf-8").replace("improved", "great", 1)
    (tiny / "expected.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DecodeError, match="not an outcome"):
        read_source(tiny)


def test_a_missing_sample_is_named(tiny: Path) -> None:
    (tiny / "predictions" / "noop.patch").unlink()
    with pytest.raises(DecodeError, match=r"noop\.patch"):
        read_source(tiny)


def test_a_folder_without_sources_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no mini ETIP"):
        read_sources(tmp_path)


def test_assembled_samples_are_predictions_that_our_reader_takes(
    tiny: Path, tmp_path: Path
) -> None:
    """field.md row 21: the empty sample is read as empty, the others as patches."""
    written = write_predictions([read_source(tiny)], tmp_path / "out")
    assert len(written) == len(SampleKind) + 1
    for kind in SampleKind:
        found = read_predictions(tmp_path / "out" / f"{kind.value}.jsonl")
        (item,) = found.predictions
        wanted = PatchState.EMPTY if kind is SampleKind.EMPTY else PatchState.OK
        assert (item.instance_id, item.state) == ("jeto-bench__tiny-7", wanted)
        assert found.model == f"sample-{kind.value}"
    expected = json.loads((tmp_path / "out" / "expected.json").read_bytes())["expected"]
    assert set(expected) == {"gold", *SampleKind}
    assert expected["gold"] == {"jeto-bench__tiny-7": "improved"}


@pytest.mark.parametrize(
    ("modules", "command"),
    [(["."], "./mvnw -B -o test"), (["core", "cli"], "./mvnw -B -o test -pl core,cli")],
)
def test_the_test_command_names_several_modules(modules: list[str], command: str) -> None:
    assert command_for(modules) == command
