from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from jeto_bench.errors import InputError
from jeto_bench.patches import parse_patch
from jeto_bench.records import CriteriaName, DetectorTest, Favours, Tier
from jeto_evaluate.outcomes import Outcome
from jeto_mine.mini.facts import Facts
from jeto_mine.mini.history import make_history
from jeto_mine.mini.records import build_record
from jeto_mine.mini.sources import MiniSource, SampleKind

MAIN = "src/main/java/A.java"
BASE_SHA = "93af47d415ab7d432315c8314690a5d1a0c62d96"
FIX_SHA = "72ff5c42e4696eda23f0506ff15bdc60b1f0375b"
SOURCE = MiniSource(
    slug="tiny",
    facts=Facts(
        instance_id="jeto-bench__tiny-7",
        repo="jeto-bench/tiny",
        issue_number=7,
        created_at="2024-05-06T07:08:09Z",
        author="Ada Example <ada@example.org>",
        java_version=17,
        maven_version="3.9.9",
        modules=(".",),
        commit_message="Join once\n\nThe loop was quadratic: \u00e9.\n",
        license="MIT",
    ),
    problem_statement="Slow\n\nIt is slow.\n",
    tree={
        ".gitignore": b"target/\n",
        MAIN: b"class A {\r\n  int a = 1;\r\n}\r\n",
        "pom.xml": b"<project/>\n",
    },
    reference=(
        f"diff --git a/{MAIN} b/{MAIN}\n--- a/{MAIN}\n+++ b/{MAIN}\n"
        "@@ -1,3 +1,3 @@\n class A {\r\n-  int a = 1;\r\n+  int a = 2;\r\n }\r\n"
    ).encode(),
    predictions=dict.fromkeys(SampleKind, b""),
    expected=dict.fromkeys(["gold", *SampleKind], Outcome.IMPROVED),
)


def test_the_history_is_the_same_on_every_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """field.md row 9: the user's git configuration changes neither SHA nor diff."""
    config = tmp_path / "gitconfig"
    config.write_text(
        "[core]\n autocrlf = true\n fileMode = true\n[commit]\n gpgSign = true\n"
        "[diff]\n noprefix = true\n mnemonicPrefix = true\n algorithm = patience\n"
        "[user]\n name = Other\n email = other@example.org\n"
        "[init]\n defaultObjectFormat = sha256\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    history = make_history(SOURCE, tmp_path / "repo")
    assert history.base_commit == BASE_SHA
    assert history.fix_commit == FIX_SHA
    assert history.patch.startswith(f"diff --git a/{MAIN} b/{MAIN}\nindex ".encode())
    assert parse_patch(history.patch)[0].added == 1


def test_the_history_is_two_commits_with_the_fix_on_top(tmp_path: Path) -> None:
    history = make_history(SOURCE, tmp_path / "repo")
    log = subprocess.run(
        ["git", "log", "--format=%H %an <%ae> %cI %s", "--all"],
        cwd=history.folder,
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout.splitlines()
    who = "Ada Example <ada@example.org>"
    assert log == [
        f"{history.fix_commit} {who} 2024-05-06T07:08:09+00:00 Join once",
        f"{history.base_commit} {who} 2024-05-05T07:08:09+00:00 State before #7",
    ]
    assert (history.folder / MAIN).read_bytes() == b"class A {\r\n  int a = 2;\r\n}\r\n"


def test_a_reference_that_does_not_apply_is_named(tmp_path: Path) -> None:
    wrong = replace(SOURCE, reference=SOURCE.reference.replace(b"int a = 1", b"int b = 1"))
    with pytest.raises(InputError, match="reference patch of tiny does not apply"):
        make_history(wrong, tmp_path / "repo")


def test_a_record_holds_what_the_source_and_the_measurement_say(tmp_path: Path) -> None:
    detector = DetectorTest(
        test_class="b.BTest",
        favours=Favours.REFERENCE,
        criteria=CriteriaName.DEFAULT,
        rounds=30,
        wins=30,
        p_value=1e-9,
        median_speedup=2.5,
    )
    record = build_record(
        SOURCE,
        make_history(SOURCE, tmp_path / "repo"),
        test_classes=["b.BTest", "a.ATest"],
        detector_tests=[detector],
    )
    assert record.instance_id == "jeto-bench__tiny-7"
    assert record.base_commit == BASE_SHA
    assert record.fix_commits == (FIX_SHA,)
    assert record.changed_files == (MAIN,)
    assert record.test_classes == ("a.ATest", "b.BTest")
    assert record.detector_tests == (detector,)
    assert record.image == "jeto-bench/tiny:0.1.0"
    assert record.tier is Tier.EXECUTABLE
