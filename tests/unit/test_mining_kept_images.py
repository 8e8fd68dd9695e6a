"""What is known of an image that was made before a run was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import jeto_bench
from jeto_mine.executable.kept_images import KeptImage, KeptImages

DRAFT = jeto_bench.load("mini")[0]
MADE = KeptImage(
    record=replace(DRAFT, test_classes=DRAFT.test_classes[:1], detector_tests=()),
    recipe={"Dockerfile": b"FROM x\n", "mnt/a b.sh": b"#!/bin/sh\n"},
)
MIRRORS = {"old": "https://old.example"}


@pytest.fixture
def kept(tmp_path: Path) -> KeptImages:
    found = KeptImages(tmp_path / "unmeasured", "0.1.0 abc")
    found.put(DRAFT, MIRRORS, MADE, image_id="sha256:1")
    return found


def test_what_was_settled_is_had_again(kept: KeptImages) -> None:
    assert kept.has(DRAFT.instance_id)
    assert kept.get(DRAFT, MIRRORS, image_id="sha256:1") == MADE
    kept.put(DRAFT, {}, replace(MADE, recipe={}), image_id="sha256:2")
    assert kept.get(DRAFT, {}, image_id="sha256:2") == replace(MADE, recipe={})


def test_another_image_draft_mirror_or_harness_is_another_one(kept: KeptImages) -> None:
    other = replace(DRAFT, java_version=DRAFT.java_version + 1)
    assert kept.get(DRAFT, MIRRORS, image_id="sha256:2") is None
    assert kept.get(other, MIRRORS, image_id="sha256:1") is None
    assert kept.get(DRAFT, {}, image_id="sha256:1") is None
    newer = KeptImages(kept.path, "0.1.0 abd")
    assert newer.get(DRAFT, MIRRORS, image_id="sha256:1") is None
    assert not kept.has("acme__other-1")
    unknown = replace(DRAFT, instance_id="acme__other-1")
    assert kept.get(unknown, MIRRORS, image_id="sha256:1") is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "settled.json").write_bytes(b'{"key": '),
        lambda folder: (folder / "record.jsonl").write_bytes(b"{}\n"),
        lambda folder: (folder / "record.jsonl").unlink(),
    ],
)
def test_what_is_damaged_is_told_and_made_again(
    kept: KeptImages, spoil: Callable[[Path], object], caplog: pytest.LogCaptureFixture
) -> None:
    spoil(kept.path / DRAFT.instance_id)
    assert kept.get(DRAFT, MIRRORS, image_id="sha256:1") is None
    assert f"{DRAFT.instance_id}: the image is made again" in caplog.text
