"""The Dockerfile beside a record: what was done, without what belongs to this host."""

from __future__ import annotations

from pathlib import Path

from jeto_bench.decode import decode_jsonl
from jeto_evaluate.images.recipe import recipe
from jeto_evaluate.images.workshop import Done

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
DONE = Done(
    files={
        "maven.sh": b"#!/bin/sh\n",
        "reference.patch": b"diff",
        "source.tar": b"not ours",
        "ca.pem": b"this host's",
        "trust.jks": b"this host's",
        "settings.xml": b"<password>secret</password>",
    },
    steps=[
        ("jeto", ("sh", "-c", 'echo "a b"')),
        ("jeto", ("sh", "/mnt/maven.sh")),
        ("root", ("sh", "/mnt/finish.sh", "/x")),
    ],
)


def test_steps_are_told_in_their_order_and_as_their_user() -> None:
    text = recipe(RECORD, base="base:1", done=DONE, mirrors={})["Dockerfile"].decode()
    lines = [line for line in text.splitlines() if line.startswith(("FROM", "USER", "RUN ["))]
    assert [line for line in lines if not line.startswith("RUN [ -e")] == [
        "FROM base:1 AS warm",
        "USER root",
        "USER jeto",
        'RUN ["env", "HOME=/home/jeto", "sh", "-c", "echo \\"a b\\""]',
        'RUN ["env", "HOME=/home/jeto", "sh", "/mnt/maven.sh"]',
        "USER root",
        'RUN ["env", "HOME=/root", "sh", "/mnt/finish.sh", "/x"]',
        "FROM base:1",
        "USER jeto",
    ]
    assert RECORD.base_commit in text
    assert RECORD.repo in text


def test_nothing_of_this_host_or_of_the_project_is_in_it() -> None:
    files = recipe(RECORD, base="base:1", done=DONE, mirrors={"old": "https://old.example"})
    assert set(files) == {
        "Dockerfile",
        "attributes",
        "mnt/maven.sh",
        "mnt/reference.patch",
        "mnt/settings.xml",
    }
    assert b"secret" not in files["mnt/settings.xml"]
    assert b"https://old.example" in files["mnt/settings.xml"]
