"""A repository with one of everything that a scan meets, and the export of its forge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from made_history import GITHUB, START, Files, MadeHistory

from jeto_mine.classifiers.protocol import Classification, IssueText, Label

REPO = "acme/engine"
POM = """<project><modelVersion>4.0.0</modelVersion><artifactId>engine</artifactId>
<properties><maven.compiler.release>17</maven.compiler.release></properties></project>
"""
MAVEN = "https://repo.example/maven2/org/apache/maven/apache-maven/3.9.9/apache-maven-3.9.9-bin.zip"
BOT = b"dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>"
MAIN = "src/main/java/acme/"


def java(name: str, *lines: str) -> str:
    """A class with some statements, one a line."""
    body = "".join(f"        {line}\n" for line in lines)
    return f"package acme;\n\nclass {name} {{\n    void run() {{\n{body}    }}\n}}\n"


class Pull(NamedTuple):
    """A pull request of the export; commits by number or id."""

    number: int
    merge: int
    commits: tuple[int | str, ...]
    body: str
    told: tuple[int, ...]


@dataclass(kw_only=True)
class World:
    """The history, its commits by name, and what is expected of each that passes the criteria."""

    history: MadeHistory = field(default_factory=MadeHistory)
    names: dict[str, int] = field(default_factory=dict)
    pulls: list[Pull] = field(default_factory=list)
    issues: list[dict[str, object]] = field(default_factory=list)
    tip: int = 0

    def main(self, name: str, message: str | bytes, path: str | bytes = "", **more: bytes) -> int:
        """Add a commit to the main branch that edits one class of its own."""
        place = path or f"{MAIN}{name.title()}.java"
        return self.add(name, message, {place: java(name.title(), f"fast({self.tip});")}, **more)

    def add(self, name: str, message: str | bytes, files: Files, **more: bytes) -> int:
        """Add a commit to the main branch."""
        self.tip = self.history.commit(
            message,
            files,
            *([self.tip] if self.tip else []),
            author=more.get("author", b"Ada <ada@example.org>"),
            committer=more.get("committer", b""),
            encoding=more.get("encoding", b""),
        )
        self.names[name] = self.tip
        return self.tip

    def issue(self, number: int, title: str, *, pull: bool = False) -> None:
        """Let the forge know an issue."""
        self.issues.append(
            {
                "ref": {"repo": REPO, "number": number},
                "title": title,
                "body": "",
                "created_at": "2015-06-01T00:00:00Z",
                "labels": [],
                "is_pull_request": pull,
                "comments": [["2015-06-02T00:00:00Z", "me too"], ["2035-01-01T00:00:00Z", "late"]],
            }
        )

    def pull(
        self,
        number: int,
        merge: int,
        *,
        commits: Sequence[int | str] = (),
        body: str = "",
        told: Sequence[int] = (),
    ) -> None:
        """Let the forge know a merged pull request.

        Its own commits may be ids that no clone has; ``told`` are those that the forge itself
        counts to it, beside its own and the merge.
        """
        self.pulls.append(Pull(number, merge, tuple(commits), body, tuple(told)))
        self.issue(number, f"Pull {number}", pull=True)

    def write(self, folder: Path) -> dict[str, str]:
        """Write clone and export; return the ids of the named commits."""
        ids = self.history.write(folder / "acme__engine")
        export = folder / "export"
        export.mkdir()

        def text(commit: int | str) -> str:
            return commit if isinstance(commit, str) else ids[commit]

        lines = [
            {
                "ref": {"repo": REPO, "number": pull.number},
                "title": f"Pull {pull.number}",
                "body": pull.body,
                "created_at": "2016-01-01T00:00:00Z",
                "merged_at": "2016-01-02T00:00:00Z",
                "base_branch": "main",
                "base_commit": "0" * 40,
                "head_commit": "1" * 40,
                "merge_commit": text(pull.merge),
                "commits": [text(commit) for commit in pull.commits],
                "closing": [],
            }
            for pull in self.pulls
        ]
        write_lines(export / "pulls.jsonl", lines)
        told = [
            {"repo": REPO, "commit": text(commit), "pulls": [pull.number]}
            for pull in self.pulls
            for commit in pull.told
        ]
        write_lines(export / "commits.jsonl", told)
        write_lines(export / "issues.jsonl", self.issues)
        facts = {
            "full_name": REPO,
            "database_id": 7,
            "stars": 21,
            "archived": False,
            "fork": False,
            "license": "MIT",
            "language": "Java",
            "default_branch": "main",
            "pushed_at": "2020-01-01T00:00:00Z",
        }
        write_lines(export / "repositories.jsonl", [facts])
        return {name: ids[number] for name, number in self.names.items()}


def write_lines(file: Path, values: Sequence[object]) -> None:
    file.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")


class TitleClassifier:
    """An issue whose title says slow is about time; one that says hm is unclear."""

    name = "titles 1"

    def classify(self, issues: Sequence[IssueText]) -> Iterator[Classification]:
        for issue in issues:
            label = Label.YES if "slow" in issue.title else Label.NO
            label = Label.UNSURE if "hm" in issue.title else label
            yield Classification(ref=issue.ref, label=label, reason="title", classifier=self.name)


def made_world(folder: Path) -> tuple[World, dict[str, str]]:
    """Write everything; return it with the ids of its commits by name."""
    draft = World()
    _begin(draft)
    draft.history.point("refs/heads/main", draft.tip)
    world = World()
    _begin(world)
    _end(world, taken_back=draft.history.write(folder / "draft")[draft.names["taken back"]])
    return world, world.write(folder)


def _begin(world: World) -> None:
    history = world.history
    for number in (1, 3, 4, 5, 6, 7, 8, 9, 14, 15, 17, 18, 20, 22, 23):
        world.issue(number, f"slow {number}")
    world.issue(2, "wrong colour")
    world.issue(19, "hm")
    wrapper: Files = {
        "pom.xml": POM,
        "mvnw": "#!/bin/sh\n",
        ".mvn/wrapper/maven-wrapper.properties": f"distributionUrl={MAVEN}\n",
        f"{MAIN}Old.java": java("Old", "slow();", *"abcdef"),
    }
    world.tip = history.commit("Begin. Fixes #1", wrapper, committed=START - 10**8)
    world.names["root"] = world.tip
    around = {
        f"{MAIN}A.java": java("A", "x();"),
        f"{MAIN}Good.java": java("Good", "one();", "slow();", "two();"),
    }
    world.add("setup", "Build. Fixes #1", {"pom.xml": POM + "\n", **around})
    fork = world.tip
    better: Files = {f"{MAIN}Good.java": java("Good", "one();", "fast();", "two();")}
    world.add("good", "Cache the pattern\n\nFixes #1", better)
    world.main("colour", "Paint. Fixes #2")
    world.main("unlinked", "Paint, see #1 and `fixes #1`\n\n> fixes #1\n")
    squash = world.main("squash", "Parse faster (#10)", committer=GITHUB)
    world.pull(10, squash, commits=["a" * 40, "b" * 40], body="Closes #3\n\n```\nfixes #2\n```\n")
    _merge(world, "pull", "Merge pull request #11 from ada/x", 4)
    _merge(world, "branch", "Merge branch 'faster'", 5)
    _rebase(world, fork, 12, 6, f"{MAIN}Second.java")
    _rebase(world, fork, 13, 7, "src/test/java/acme/RebasedTest.java")
    # The good one picked to a release branch, other lines around it, and merged forward.
    other: Files = {
        f"{MAIN}A.java": java("A", "y();"),
        "CHANGES": "1\n",
        f"{MAIN}Good.java": java("Good", "uno();", "slow();", "due();"),
    }
    release = history.commit("Release branch", other, fork)
    better = {f"{MAIN}Good.java": java("Good", "uno();", "fast();", "due();")}
    picked = history.commit("Cache the pattern\n\nFixes #1", better, release)
    forward: Files = {"CHANGES": "1\n", f"{MAIN}A.java": java("A", "y();")}
    world.tip = history.commit("Merge branch '1.x'", forward, world.tip, picked)
    world.names |= {"release": release, "back-port": picked, "forward": world.tip}
    world.main("taken back", "Speed up. Fixes #8")


def _merge(world: World, name: str, message: str, fixes: int) -> None:
    """A merge of two commits."""
    history = world.history
    path = f"{MAIN}{name.title()}.java"
    first = history.commit("One", {path: java(name, "a();")}, world.tip)
    second = history.commit(f"Two, fixes #{fixes}", {path: java(name, "b();")}, first)
    trunk = world.main(f"beside {name}", "Meanwhile", f"{MAIN}Beside{name}.java")
    world.tip = history.commit(message, {path: java(name, "b();")}, trunk, second)
    world.names |= {
        f"merge of {name}": world.tip,
        f"first of {name}": first,
        f"second of {name}": second,
    }


def _rebase(world: World, fork: int, number: int, fixes: int, second: str) -> None:
    """A pull request of two commits, rebased onto the branch: authors and times are kept."""
    history = world.history
    changes: tuple[Files, Files] = (
        {f"{MAIN}Rebased{number}.java": java("R", "a();")},
        {second: java("S", f"b({number});")},
    )
    messages = (f"Rebased one of {number}, fixes #{fixes}", f"Rebased two of {number}")
    own, owned = fork, []
    for at, (text, files) in enumerate(zip(messages, changes, strict=True)):
        own = history.commit(text, files, own, authored=START + number * 1000 + at)
        owned.append(own)
    history.point(f"refs/pull/{number}/head", own)
    for at, (text, files) in enumerate(zip(messages, changes, strict=True)):
        authored = START + number * 1000 + at
        world.tip = history.commit(text, files, world.tip, authored=authored)
        world.names[f"rebased {number} {at}"] = world.tip
    world.pull(number, world.tip, commits=owned, told=[world.tip - 1, world.tip])


def _end(world: World, taken_back: str) -> None:
    history = world.history
    revert = f'Revert "Speed up"\n\nThis reverts commit {taken_back}.\n\nFixes #8'
    world.main("revert", revert, f"{MAIN}Taken Back.java")
    moved: Files = {f"{MAIN}Old.java": None, f"{MAIN}New.java": java("Old", "fast();", *"abcdef")}
    world.add("rename", "Move and speed up. Fixes #9", moved)
    latin = "Schneller f\xfcr alle. Fixes #14".encode("latin-1")
    world.main("latin header", latin, encoding=b"ISO-8859-1")
    world.main("latin", b"Plus vite, \xe9t\xe9. Fixes #18")
    world.main("latin path", "Name. Fixes #18", b"src/main/java/acme/\xc9t\xe9.java")
    world.add("latin content", "Content. Fixes #20", {f"{MAIN}Content.java": b"// \xe9\n"})
    for name, stem in (("5000 files", "C"), ("long names", "N" * 200)):
        many: Files = {f"{MAIN}many/{stem}{number}.java": "" for number in range(5000)}
        world.add(name, "Format. Fixes #1", many)
    world.main("bot", "Bump. Fixes #15", author=BOT)
    # A branch that was pushed over: what the forge calls the merge is only in a pull request's ref.
    quick: Files = {f"{MAIN}Quick.java": java("Quick", "a();")}
    orphan = history.commit("Quick. Fixes #17", quick, world.tip)
    history.point("refs/pull/16/head", orphan)
    pushed = world.main("quick", "Quick, again. Fixes #17")
    world.names["pushed over"] = orphan
    world.pull(16, orphan, commits=[orphan, pushed])
    world.main("closes a pull", "Fixes #10")
    world.main("closes nothing", "Fixes #99")
    world.main("elsewhere", "Fixes other/repo#1")
    world.main("unclear", "Fixes #19")
    with_test: Files = {
        f"{MAIN}T.java": java("T", "a();"),
        "src/test/java/acme/TTest.java": java("TTest", "a();"),
    }
    world.add("with test", "Fixes #22", with_test)
    world.main("latest", "Fixes #23", f"{MAIN}Latest.java")
    world.tip = world.names["empty"] = history.commit("Nothing. Fixes #1", {}, world.tip)
    # No parent, so that there is no version before it.
    alone: Files = {f"{MAIN}Alone.java": java("Alone", "a();")}
    other = history.commit("Alone. Fixes #1", alone)
    world.tip = history.commit("Merge branch 'alone' of here", alone, world.tip, other)
    world.names |= {"alone": other, "merge of alone": world.tip}
    history.point("refs/heads/main", world.tip)
