"""The paper's own set as an oracle: which of its fixes do steps 2 to 4 find, given their links?

``JETO_PAPER`` names a JSONL file with ``repo``, ``fix_commit``, ``issue_number`` and
``pull_number`` a line; ``JETO_SCAN_CLONES`` names clones, as
``OWNER/NAME=PATH``, separated by colons. For every fix of a
repository that is there it is told where it ends (``pytest -s``). The paper names the tip of a pull
request's own branch, which a default branch that squashes does not have; what the pull request
became is found by the number that forges put into messages.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from jeto_mine.identified.criteria import Criteria
from jeto_mine.identified.entries import Entry
from jeto_mine.identified.history import read_history
from jeto_mine.identified.linking import pull_of_subject
from jeto_mine.identified.object_store import ObjectStore, open_store
from jeto_mine.identified.selection import Candidate, select

PAPER = os.environ.get("JETO_PAPER", "")
CLONES = [item.partition("=") for item in os.environ.get("JETO_SCAN_CLONES", "").split(":") if item]
BUG = "bug"


class Fix(NamedTuple):
    """A row of the paper's set."""

    repo: str
    commit: str
    issue: int
    pull: int | None


def fixes() -> Mapping[str, list[Fix]]:
    found: dict[str, list[Fix]] = {}
    for line in Path(PAPER).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        fix = Fix(row["repo"], row["fix_commit"], row["issue_number"], row["pull_number"])
        found.setdefault(fix.repo.casefold(), []).append(fix)
    return found


class Seen:
    """What passes by while a history is read."""

    def __init__(self, pulls: set[int], commits: set[str]) -> None:
        self.pulls, self.commits = pulls, commits
        self.merged: dict[int, str] = {}
        self.there: set[str] = set()

    def watch(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        for entry in entries:
            commit = entry.commit.decode()
            if commit in self.commits:
                self.there.add(commit)
            text = entry.message.decode("utf-8", "replace")
            number = pull_of_subject(text, merge=b" " in entry.parents)
            if number in self.pulls:
                self.merged[number] = commit
            yield entry


def link_of(candidate: Candidate, fix: Fix) -> str:
    """How the messages link the issue."""
    links = {link.number: link.closes for link in candidate.links}
    if links.get(fix.issue):
        return "found, closed by the message"
    if fix.issue in links:
        return "found, named in the message (--link mention)"
    if fix.pull is not None:
        return "found, linked by the pull request only"
    return "found, not linked in the message"


def moved(store: ObjectStore, rows: list[Fix], seen: Seen) -> dict[str, str]:
    """Where a commit of a pull request went that the branch has under another id.

    A rebase keeps author and time; what is squashed without a number keeps the first line.
    """

    def facts(*arguments: str, stdin: bytes = b"") -> Iterator[tuple[str, str, str]]:
        form = "--format=tformat:%H%x00%ae %at%x00%s"
        output = store.run("log", "-z", "--no-mailmap", form, *arguments, stdin=stdin)
        fields = output.decode("utf-8", "replace").split("\0")
        yield from zip(fields[0::3], fields[1::3], fields[2::3], strict=False)

    lost = {fix.commit for fix in rows} - seen.there
    if not lost:
        return {}
    places: dict[str, str] = {}
    for commit, author, subject in facts(store.tip, "--"):
        places[author] = places[subject] = commit
    stdin = "".join(f"{commit}\n" for commit in sorted(lost)).encode()
    own = facts("--no-walk=unsorted", "--ignore-missing", "--stdin", stdin=stdin)
    found = {commit: places.get(author) or places.get(subject) for commit, author, subject in own}
    return {commit: place for commit, place in found.items() if place is not None}


def judged(clone: Path, rows: list[Fix]) -> Iterator[tuple[Fix, str]]:
    numbers = {fix.pull for fix in rows if fix.pull is not None}
    seen = Seen(numbers, {fix.commit for fix in rows})
    with open_store(clone) as store:
        # What a pull request became is known after a first reading only.
        for _ in seen.watch(read_history(store)):
            pass
        again = moved(store, rows, seen)
        watch = frozenset({*seen.there, *seen.merged.values(), *again.values()})
        found = select(read_history(store), Criteria(), tip=store.tip, watch=watch)
        asked = "".join(f"{fix.commit}\n" for fix in rows).encode()
        answers = store.run("cat-file", "--batch-check", stdin=asked).decode().splitlines()
    there = {line.split()[0] for line in answers if " commit " in line}
    by_commit = {
        commit: item for item in found.candidates for commit in (*item.brought, item.commit)
    }
    for fix in rows:
        target = seen.merged.get(fix.pull) if fix.pull is not None else None
        if target is None:
            target = fix.commit if fix.commit in seen.there else again.get(fix.commit)
        if target is None:
            known = fix.commit in there
            yield fix, "not on the default branch" if known else "not in the clone"
        elif target in by_commit:
            yield fix, link_of(by_commit[target], fix)
        elif target in found.watched:
            what = "its pull request" if target != fix.commit else "it"
            yield fix, f"criteria differ: {what} is {found.watched[target]}"
        else:
            yield fix, BUG


@pytest.mark.skipif(not (PAPER and CLONES), reason="name JETO_PAPER and JETO_SCAN_CLONES")
def test_where_the_papers_fixes_end() -> None:
    known = fixes()
    total: Counter[str] = Counter()
    repositories = 0
    for name, _, clone in CLONES:
        rows = known.get(name.casefold(), [])
        repositories += bool(rows)
        counts: Counter[str] = Counter()
        for fix, where in judged(Path(clone), rows) if rows else ():
            counts[where] += 1
            if not re.match("found", where):
                print(f"{fix.repo} {fix.commit[:12]} #{fix.issue}: {where}")  # noqa: T201
        total += counts
        if rows:
            print(f"{rows[0].repo}: {len(rows)} fixes: {dict(counts)}")  # noqa: T201
    print(f"\n{repositories} repositories, {total.total()} fixes")  # noqa: T201
    for where, count in total.most_common():
        print(f"{count:5d}  {where}")  # noqa: T201
    assert total[BUG] == 0
