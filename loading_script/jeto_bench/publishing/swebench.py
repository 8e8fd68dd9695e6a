"""Rows for agents made for SWE-bench: its field names, in a folder that ``load_dataset`` reads.

Field names and their types are SWE-bench's (``FAIL_TO_PASS`` and ``PASS_TO_PASS`` are JSON lists in
a string); ``image_name`` and ``docker_image`` are where mini-swe-agent and others look for the
image before they make up a name. What an agent writes is graded by ``jeto-bench eval``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa

from jeto_bench.card.front_matter import front_matter, hub_licences
from jeto_bench.encode import row_to_dict, table_to_parquet
from jeto_bench.errors import InputError
from jeto_bench.files import write_atomically
from jeto_bench.folders import new_folder, write_split
from jeto_bench.publishing.export import Exported
from jeto_bench.records import EtipRecord, Tier
from jeto_bench.schema import arrow_schema

__all__ = ["SwebenchRow", "export_swebench", "swebench_row"]

REPOSITORY: Final = "/jeto/repo"
"""Where an image has the code."""

SETTINGS: Final = "mini-swe-agent.yaml"
INSTANCES: Final = "instances.jsonl"
SWE_AGENT: Final = "swe-agent.jsonl"

_SETTINGS_TEXT: Final = f"""\
# Given after mini-swe-agent's own settings: -c swebench.yaml -c {SETTINGS}
environment:
  cwd: {REPOSITORY}
  env:
    BASH_ENV: ""
agent:
  instance_template: |
    The Java project in {REPOSITORY}, which is the current directory, is too slow. The issue says:

    <issue>
    {{{{task}}}}
    </issue>

    Change the source code so that what the issue describes takes less time and everything else
    stays as it is. Do not change tests, pom.xml or other build files. Each command runs in a new
    shell, without network: build and test with `./mvnw -o`.

    When you are done, hand in the change in two separate commands:

    1. `git diff -- path/to/each/File.java > patch.txt`, and read patch.txt.
    2. `echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt`
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class SwebenchRow:
    """One instance under SWE-bench's names; field names are its own.

    Attributes:
        instance_id: As everywhere.
        repo: ``owner/name``.
        base_commit: In the project's history; the image has one synthetic commit of that tree.
        problem_statement: Title, blank line, body of the issue.
        patch: The developers' diff.
        test_patch: Tests that came with it.
        hints_text: Discussion before the fix.
        created_at: ISO 8601, UTC.
        version: Of the dataset.
        FAIL_TO_PASS: ``[]``: a slow program's tests pass before the fix too.
        PASS_TO_PASS: Test classes that pass on both versions.
        environment_setup_commit: The base commit.
        image_name: ``repository:tag``.
        docker_image: The same, under another tool's name.
    """

    instance_id: str
    repo: str
    base_commit: str
    problem_statement: str
    patch: str
    test_patch: str
    hints_text: str
    created_at: str
    version: str
    FAIL_TO_PASS: str
    PASS_TO_PASS: str
    environment_setup_commit: str
    image_name: str
    docker_image: str


def swebench_row(record: EtipRecord, *, registry: str = "") -> SwebenchRow:
    """Return a record under SWE-bench's names.

    Args:
        record: An executable record.
        registry: HOST:PORT or HOST:PORT/PREFIX in front of the image's name.

    Raises:
        InputError: The record has no image, so that no agent could work on it.
    """
    if record.tier is Tier.IDENTIFIED:
        raise InputError(
            f"{record.instance_id} is identified only: it has no image for an agent to work in",
            advice="Choose a config of executable records, such as --config verified.",
        )
    image = f"{registry.rstrip('/')}/{record.image}" if registry else record.image
    return SwebenchRow(
        instance_id=record.instance_id,
        repo=record.repo,
        base_commit=record.base_commit,
        problem_statement=record.problem_statement,
        patch=record.patch,
        test_patch=record.test_patch,
        hints_text=record.hints_text,
        created_at=record.created_at,
        version=record.dataset_version,
        FAIL_TO_PASS="[]",  # noqa: S106  # a field's name
        PASS_TO_PASS=json.dumps(record.test_classes),
        environment_setup_commit=record.base_commit,
        image_name=image,
        docker_image=image,
    )


def export_swebench(
    target: Path,
    records: Sequence[EtipRecord],
    *,
    name: str,
    config: str,
    registry: str = "",
    licences: Sequence[str] | None = None,
) -> Exported:
    """Write a folder of such rows: Parquet with a card, JSONL, and settings for mini-swe-agent.

    ``load_dataset(folder, split="test")`` is what mini-swe-agent and OpenHands call;
    ``swe-agent.jsonl`` has what SWE-agent reads from a file.

    Raises:
        InputError: ``target`` holds something, or a record has no image.
    """
    rows = [swebench_row(record, registry=registry) for record in records]
    if not rows:
        raise InputError("no records to export")
    table = pa.Table.from_pylist(
        [row_to_dict(row) for row in rows], schema=arrow_schema(SwebenchRow)
    )
    with new_folder(target) as part:
        file = write_split(part, config, table_to_parquet(table))
        write_atomically(part / INSTANCES, _jsonl(row_to_dict(row) for row in rows))
        write_atomically(part / SWE_AGENT, _jsonl(_swe_agent_row(row) for row in rows))
        write_atomically(part / SETTINGS, _SETTINGS_TEXT.encode())
        block = front_matter(
            name=f"{name} for SWE-bench's tools",
            version=rows[0].version,
            licences=tuple(licences or hub_licences(item.repo_license for item in records)),
            files=[file],
            default=config,
        )
        write_atomically(part / "README.md", _card(block, name))
    return Exported(folder=target, files=(file,), figures=())


def _swe_agent_row(row: SwebenchRow) -> dict[str, object]:
    """What SWE-agent's instance files hold. ``HEAD``: the image has no other commit."""
    return {
        "instance_id": row.instance_id,
        "image_name": row.image_name,
        "problem_statement": row.problem_statement,
        "base_commit": "HEAD",
        "extra_fields": {"repository": REPOSITORY},
    }


def _card(block: object, name: str) -> bytes:
    import yaml  # noqa: PLC0415  # optional

    head = yaml.safe_dump(block, sort_keys=False, allow_unicode=True, width=1000)
    text = f"""\
# {name} for SWE-bench's tools

Executable Java performance patches under SWE-bench's field names. The code to patch is in
`{REPOSITORY}` in the image that `image_name` says.

```sh
mini-extra swebench --subset THIS_FOLDER --split test -c swebench.yaml -c {SETTINGS} -o out/
jeto-bench eval -p out/preds.json --run-id mine
```

`FAIL_TO_PASS` is empty: a slow program's tests pass before the fix too. Whether a patch is
faster is measured by `jeto-bench eval`, not by SWE-bench's harness.
"""
    return f"---\n{head}---\n\n{text}".encode()


def _jsonl(rows: Iterable[dict[str, object]]) -> bytes:
    # ASCII: SWE-agent ends lines at U+2028 and U+0085 too, which issues may hold.
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)
