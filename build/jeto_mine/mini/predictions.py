"""Assembles the sample predictions, and what each is expected to end in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from jeto_bench.files import write_atomically
from jeto_mine.mini.sources import GOLD, MiniSource, SampleKind

__all__ = ["assemble_predictions", "expected_outcomes", "write_predictions"]


def assemble_predictions(sources: Sequence[MiniSource], kind: SampleKind) -> bytes:
    """Return one JSONL file: the samples of a kind, one instance a line, sorted by id."""
    lines = [
        json.dumps(
            {
                "instance_id": source.facts.instance_id,
                "model_name_or_path": f"sample-{kind.value}",
                "model_patch": source.predictions[kind].decode("utf-8"),
            },
            ensure_ascii=False,
        )
        for source in _by_id(sources)
    ]
    return ("\n".join(lines) + "\n").encode()


def expected_outcomes(sources: Sequence[MiniSource]) -> bytes:
    """Return a JSON document: kind (and ``gold``), then instance id, then outcome."""
    kinds = [GOLD, *(kind.value for kind in SampleKind)]
    data = {
        kind: {item.facts.instance_id: item.expected[kind].value for item in _by_id(sources)}
        for kind in kinds
    }
    return (json.dumps({"schema_version": 1, "expected": data}, indent=2) + "\n").encode()


def write_predictions(sources: Sequence[MiniSource], folder: Path) -> tuple[Path, ...]:
    """Write ``<kind>.jsonl`` for every kind, and ``expected.json``; return the files."""
    contents = {f"{kind.value}.jsonl": assemble_predictions(sources, kind) for kind in SampleKind}
    contents["expected.json"] = expected_outcomes(sources)
    for name, content in contents.items():
        write_atomically(folder / name, content)
    return tuple(folder / name for name in contents)


def _by_id(sources: Sequence[MiniSource]) -> list[MiniSource]:
    return sorted(sources, key=lambda item: item.facts.instance_id)
