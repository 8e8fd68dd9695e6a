"""Which repositories are mined: from names, lists, a search; and why others are not."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from github_stub import Stub, api, repository

from jeto_bench.errors import DecodeError
from jeto_bench.github.client import GitHubClient
from jeto_bench.github.model import Repository
from jeto_bench.github.nodes import repository_of
from jeto_evaluate.cli.main import run_app
from jeto_mine.cli import repositories as command
from jeto_mine.cli.main import app
from jeto_mine.repositories.criteria import Criteria, Drop
from jeto_mine.repositories.listing import facts_to_jsonl, name_of_address, read_list
from jeto_mine.repositories.resolve import Candidate, resolve

CRITERIA = Criteria(pushed_since=date(2024, 1, 1))


def facts(name: str = "Acme/lib", number: int = 7, **changes: Any) -> Repository:
    return repository_of({**repository(name, number), **changes}, source="test")


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    monkeypatch.setattr(sys, "argv", ["jeto-mine", "repositories", *arguments])
    with pytest.raises(SystemExit) as caught:
        run_app(app)
    return caught.value.code


@pytest.mark.parametrize(
    ("changes", "files", "reason"),
    [
        ({}, {"mvnw"}, None),
        ({}, None, None),
        ({"language": "Kotlin"}, {"mvnw"}, Drop.LANGUAGE),
        ({"language": None}, {"mvnw"}, Drop.LANGUAGE),
        ({"stargazers_count": 19}, {"mvnw"}, Drop.STARS),
        ({"stargazers_count": 20}, {"mvnw"}, None),
        ({"pushed_at": "2023-12-31T23:59:59Z"}, {"mvnw"}, Drop.NOT_UPDATED),
        ({"pushed_at": "2024-01-01T00:00:00Z"}, {"mvnw"}, None),
        ({"archived": True}, {"mvnw"}, Drop.ARCHIVED),
        ({"fork": True}, {"mvnw"}, Drop.FORK),
        ({}, set(), Drop.NO_WRAPPER),
    ],
)
def test_criteria_name_the_first_reason_against_a_repository(
    changes: dict[str, Any], files: set[str] | None, reason: Drop | None
) -> None:
    found = None if files is None else frozenset(files)
    assert CRITERIA.refusal(facts(**changes), found) is reason


def test_the_query_says_what_the_criteria_say() -> None:
    assert CRITERIA.query() == "language:Java stars:>=20 pushed:>=2024-01-01 archived:false"


def test_a_list_has_names_comments_addresses_and_facts() -> None:
    data = b"# mine\nAcme/lib  # good\n\nhttps://github.com/acme/other.git\n" + facts_to_jsonl(
        [facts("Acme/third")]
    )
    assert read_list(data, source="x") == (
        ("Acme/lib", None),
        ("acme/other", None),
        ("Acme/third", facts("Acme/third")),
    )


@pytest.mark.parametrize("line", ["lib", "a/b/c", '{"full_name": "a/b"}', "https://x"])
def test_a_line_that_is_no_repository_is_named(line: str) -> None:
    with pytest.raises(DecodeError, match=r"repos\.txt:2: "):
        read_list(f"a/b\n{line}\n".encode(), source="repos.txt")


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/Acme/lib",
        "https://github.com/Acme/lib.git",
        "https://user@github.com/Acme/lib/",
        "git@github.com:Acme/lib.git",
        "ssh://git@github.com/Acme/lib.git",
    ],
)
def test_an_address_stands_for_its_name(url: str) -> None:
    assert name_of_address(url) == "Acme/lib"


def test_what_is_left_out_is_counted_and_the_numbers_sum_up() -> None:
    """field.md row 115: a vanished repository, and one under a former name, are told as such."""
    candidates = [
        Candidate(repo="Acme/lib", origin="--repo", facts=facts(), asked=True),
        Candidate(repo="old/lib", origin="x.txt", facts=facts(), asked=True),
        Candidate(repo="gone/lib", origin="x.txt", asked=True),
        Candidate(repo="acme/few", origin="x.txt", facts=facts("acme/few", 8, stargazers_count=1)),
        Candidate(repo="acme/none", origin="x.txt", facts=facts("acme/none", 9)),
        Candidate(repo="acme/late", origin="x.txt", facts=facts("acme/late", 10)),
    ]
    files = {"Acme/lib": frozenset({"mvnw"}), "acme/few": frozenset({"mvnw"})}
    resolved = resolve(candidates, criteria=CRITERIA, files={**files, "acme/none": frozenset()})
    assert [item.repo for item in resolved.kept] == ["Acme/lib"]
    assert {item.repo: (item.reason, item.detail) for item in resolved.dropped} == {
        "old/lib": (Drop.TWICE, "it is Acme/lib (--repo)"),
        "gone/lib": (Drop.VANISHED, ""),
        "acme/few": (Drop.STARS, "1"),
        "acme/none": (Drop.NO_WRAPPER, ""),
        "acme/late": (Drop.VANISHED, ""),
    }
    assert sum(count for _, count in resolved.reasons()) == len(candidates)


def test_what_is_named_is_taken_as_it_is_and_once() -> None:
    candidates = [Candidate(repo=name, origin="x") for name in ("a/b", "A/B", "c/d")]
    resolved = resolve(candidates, criteria=None, files=None)
    assert [item.repo for item in resolved.kept] == ["a/b", "c/d"]


def test_names_need_no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("c/d\na/b # again\n", encoding="utf-8")
    bare = tmp_path / "clones" / "e__f"
    (bare / "objects").mkdir(parents=True)
    to = tmp_path / "repos.txt"
    code = run(
        monkeypatch, "--to", str(to), "--repo", "a/b", "--list", str(names), "--clone", str(bare)
    )
    assert code == 0
    assert to.read_text(encoding="utf-8") == "a/b\nc/d\ne/f\n"
    (dropped,) = (tmp_path / "repos.dropped.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(dropped)["reason"] == "twice"


def test_facts_come_from_an_export(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "repositories.jsonl").write_bytes(facts_to_jsonl([facts("a/b")]))
    to = tmp_path / "out" / "repos.jsonl"
    code = run(
        monkeypatch, "--to", str(to), "--repo", "A/B", "--repo", "gone/x", "--github", str(tmp_path)
    )
    assert code == 0
    assert read_list(to.read_bytes(), source="x") == (("a/b", facts("a/b")),)


def test_a_search_is_checked_for_wrappers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = Stub(
        repositories={f"acme/lib{n}": repository(f"acme/lib{n}", n) for n in range(3)},
        files={"acme/lib1:mvnw"},
    )

    def opened(*, cache: Path, environ: object) -> GitHubClient:
        assert environ
        return GitHubClient(api(stub, cache))

    monkeypatch.setattr(command, "open_api", opened)
    to = tmp_path / "repos.jsonl"
    assert run(monkeypatch, "--to", str(to), "--search", "--work", str(tmp_path / "work")) == 0
    assert [name for name, _ in read_list(to.read_bytes(), source="x")] == ["acme/lib1"]
    told = capsys.readouterr().out
    assert "3 counted by GitHub, 3 received, 0 missing" in told
    assert [line.split() for line in told.splitlines()[-3:]] == [
        ["kept", "1"],
        ["no_wrapper", "2"],
        ["all", "3"],
    ]
    asked = len(stub.asked)
    again = ("--to", str(to), "--search", "--work", str(tmp_path / "work"))
    assert run(monkeypatch, *again) == 0
    assert len(stub.asked) == asked
    assert run(monkeypatch, *again, "--stars", "21") == 0
    assert len(stub.asked) == asked + 1
    (tmp_path / "work" / "cache" / "entries").rename(tmp_path / "gone")
    assert run(monkeypatch, *again, "--anew") == 0
    assert len(stub.asked) == asked + 1 + 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "nothing names a repository"),
        (("--search", "--github", "x"), "cannot be searched"),
        (("--repo", "x"), "'x' is no repository"),
        (("--clone", "nowhere"), "nowhere is no clone"),
    ],
)
def test_what_makes_no_sense_is_refused(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    told: str,
) -> None:
    assert run(monkeypatch, "--to", str(tmp_path / "x.txt"), *arguments) == 2
    assert told in capsys.readouterr().err
