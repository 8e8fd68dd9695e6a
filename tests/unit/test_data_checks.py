"""What ``data validate`` finds: each kind of wrong dataset, and nothing in a right one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer

from jeto_bench import load
from jeto_bench.checks.across import check_copies, check_ids, check_lives
from jeto_bench.checks.facts import check_facts
from jeto_bench.checks.finding import Check, Finding, Severity
from jeto_bench.checks.rows import check_row
from jeto_bench.decode import decode_jsonl
from jeto_bench.encode import records_to_parquet, write_parquet
from jeto_bench.errors import InputError, UsageError
from jeto_bench.files import write_atomically
from jeto_bench.index.rows import IndexRow
from jeto_bench.lifecycle.lives import LIVES_FILE, add_validations, read_lives, write_lives
from jeto_bench.lifecycle.status import LifeStatus, RowLife, Validation, life_of
from jeto_bench.patches.identity import changes_code, patch_identity
from jeto_bench.predictions import GOLD
from jeto_bench.records import EtipRecord, Tier
from jeto_bench.versions.manifest import (
    DataFile,
    Manifest,
    content_hash,
    pin_images,
    write_manifest,
)
from jeto_evaluate.cli.data.validate import validate
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports import InstanceReport
from jeto_evaluate.reports.decode import instance_report
from jeto_evaluate.reports.encode import to_json
from jeto_evaluate.validation import validation_of

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
RECORD = replace(decode_jsonl(GOLDEN.read_bytes())[0], image_digest="sha256:" + "d" * 64)
PATCH = RECORD.patch
SEEN = Validation(
    host="a CPU, 2 CPUs",
    measured_at="2026-01-02T00:00:00Z",
    harness="0.1.0",
    rounds=30,
    outcome="improved",
    test_classes=2,
    improved=("acme.JoinTest",),
    regressed=(),
    effect=3.0,
)


def kinds(findings: Iterable[Finding]) -> list[tuple[str, str]]:
    return [(item.check.value, item.severity.value) for item in findings]


def by_row(record: EtipRecord) -> list[tuple[str, str]]:
    return kinds(check_row("mini", record))


def test_a_right_record_has_no_finding() -> None:
    assert by_row(RECORD) == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"patch": ""}, ("patch", "error")),
        ({"patch": "no diff at all\n"}, ("patch", "error")),
        ({"patch": PATCH.replace("@@ -1,3", "@@ -1,9")}, ("patch", "error")),
        ({"changed_files": ("src/Other.java",)}, ("patch", "error")),
        ({"test_patch": PATCH}, ("patch", "error")),
        ({"image_digest": ""}, ("image", "warning")),
        ({"problem_statement": "\n"}, ("schema", "warning")),
    ],
)
def test_each_kind_of_wrong_record_is_found(change: dict[str, str], found: tuple[str, str]) -> None:
    assert by_row(replace(RECORD, **change)) == [found]  # type: ignore[arg-type]  # chosen above


@pytest.mark.parametrize(
    "lines",
    [
        " class Text {\n-  int a;\n+      int  a;\n",
        " class Text {\n-  // slow\n+  // fast\n+\n",
        " class Text {\n-  /* slow */\n+   * fast\n",
    ],
)
def test_a_reference_that_is_replaced_by_a_no_op_is_flagged(lines: str) -> None:
    """field.md row 48: a model "solved" rows whose reference does nothing."""
    head, _, _ = PATCH.partition("@@")
    old = sum(line[:1] in {" ", "-"} for line in lines.splitlines())
    new = sum(line[:1] in {" ", "+"} for line in lines.splitlines())
    patch = f"{head}@@ -1,{old} +1,{new} @@\n{lines}"
    assert by_row(replace(RECORD, patch=patch)) == [("effect", "error")]
    identified = replace(RECORD, patch=patch, tier=Tier.IDENTIFIED)
    assert by_row(identified) == [("effect", "warning")]
    assert not changes_code(patch.encode())
    assert changes_code(PATCH.encode())


def test_a_line_that_moves_into_a_block_is_a_change() -> None:
    """The same words before and after, and yet the loop waits in another place."""
    head, _, _ = PATCH.partition("@@")
    body = " while (more()) {\n+    pause();\n     step();\n }\n-pause();\n"
    assert changes_code(f"{head}@@ -1,4 +1,4 @@\n{body}".encode())
    apart = f"{head}@@ -1,1 +1,2 @@\n {{\n+  a();\n@@ -9,2 +10,1 @@\n }}\n-  a();\n"
    assert changes_code(apart.encode())


def test_one_change_on_two_branches_is_one_change() -> None:
    """field.md row 52: a pick with other context, in a folder that was moved, counts twice."""
    picked = PATCH.replace("src/main", "core/src/main").replace(" class Text", " class Texts")
    picked = picked.replace("@@ -1,3 +1,3", "@@ -11,3 +12,3").replace("  String", "\tString")
    assert picked != PATCH
    assert patch_identity(picked.encode()) == patch_identity(PATCH.encode())
    other = replace(RECORD, instance_id="acme__lib-9", pull_number=9, patch=picked)
    assert kinds(check_copies({"mini": [RECORD, other]})) == [("copies", "error")]
    assert kinds(check_copies({"mini": [RECORD], "verified": [other]})) == []
    forked = replace(other, repo="acme/fork")
    assert kinds(check_copies({"mini": [RECORD, forked]})) == [("copies", "warning")]


def test_two_fixes_of_one_issue_are_told() -> None:
    """field.md row 52: the issue links them though the patches differ."""
    other = replace(RECORD, instance_id="acme__lib-9", pull_number=9)
    other = replace(other, patch=PATCH.replace("String.join", "Fast.join"))
    assert kinds(check_copies({"mini": [RECORD, other]})) == [("copies", "warning")]


def test_ids_are_unique_and_mean_one_thing_in_every_config() -> None:
    assert kinds(check_ids({"mini": [RECORD], "verified": [RECORD]})) == []
    assert kinds(check_ids({"mini": [RECORD, RECORD]})) == [("ids", "error")]
    twin = replace(RECORD, instance_id=RECORD.instance_id.upper())
    assert kinds(check_ids({"mini": [RECORD, twin]})) == [("ids", "error")]
    assert kinds(check_ids({"mini": [RECORD], "with_tests": [twin]})) == []
    other = replace(RECORD, patch=PATCH + "\n")
    assert kinds(check_ids({"executable": [RECORD], "verified": [other]})) == [("ids", "error")]
    lower = replace(RECORD, tier=Tier.EXECUTABLE)
    assert kinds(check_ids({"executable": [lower]})) == []
    assert kinds(check_ids({"verified": [lower]})) == [("ids", "error")]


@pytest.mark.parametrize(
    ("outcomes", "status", "reason"),
    [
        ([], LifeStatus.ACTIVE, ""),
        (["infra_error"], LifeStatus.ACTIVE, ""),
        (["improved"], LifeStatus.ACTIVE, ""),
        (["no_improvement", "improved"], LifeStatus.ACTIVE, ""),
        (["improved", "tests_failed"], LifeStatus.RETIRED, "reference_fails"),
        (["no_improvement", "regressed"], LifeStatus.WEAK, "no_effect"),
        (["regressed"], LifeStatus.WEAK, "slower"),
        (["not_measurable"], LifeStatus.WEAK, "no_effect"),
        (["empty_patch"], LifeStatus.WEAK, "no_effect"),
    ],
)
def test_the_status_of_a_row_follows_from_its_validations(
    outcomes: list[str], status: LifeStatus, reason: str
) -> None:
    """field.md row 48: failing rows are retired with the reason, not in silence."""
    found = [replace(SEEN, outcome=item, host=f"host {n}") for n, item in enumerate(outcomes)]
    life = life_of("acme__lib-8", found)
    assert (life.status, life.reason) == (status, reason)


def test_the_newest_validation_of_a_host_counts() -> None:
    failed = replace(SEEN, outcome="tests_failed", measured_at="2025-01-01T00:00:00Z")
    life = life_of("acme__lib-8", [SEEN, failed])
    assert (life.status, life.validations) == (LifeStatus.ACTIVE, (failed, SEEN))
    later = replace(failed, measured_at="2026-02-01T00:00:00Z")
    assert life_of("acme__lib-8", [SEEN, failed, later]).status is LifeStatus.RETIRED


HERE, THERE = "Intel(R) Xeon(R) CPU @ 2.80GHz, 2 CPUs", "AMD EPYC 7763, 8 CPUs"


@pytest.mark.parametrize(
    ("hosts", "portable"),
    [
        ({HERE: "improved"}, False),
        ({HERE: "improved", "Intel(R) Core(TM) i7, 4 CPUs": "improved"}, False),
        ({HERE: "improved", "unknown, 4 CPUs": "improved"}, False),
        ({HERE: "improved", THERE: "improved"}, True),
        ({HERE: "improved", THERE: "no_improvement"}, False),
        ({HERE: "improved", THERE: "improved", "AMD EPYC 9554, 8 CPUs": "regressed"}, False),
        ({HERE: "improved", THERE: "improved", "AMD EPYC 9554, 8 CPUs": "infra_error"}, True),
        ({HERE: "improved", THERE: "improved", "ARM, 4 CPUs": "tests_failed"}, False),
    ],
)
def test_a_row_is_portable_only_with_two_makers_of_cpus(
    hosts: dict[str, str],
    portable: bool,  # noqa: FBT001  # a case
) -> None:
    """field.md row 68: faster on the developers' machines and slower on the nightly one."""
    found = [replace(SEEN, host=host, outcome=outcome) for host, outcome in hosts.items()]
    assert life_of("acme__lib-8", found).portable == portable


def test_a_row_of_opposite_signs_on_two_hosts_is_told() -> None:
    """field.md row 68: each host keeps its verdict, and the row is not called portable."""
    slower = replace(SEEN, host=THERE, outcome="regressed")
    life = life_of(RECORD.instance_id, [replace(SEEN, host=HERE), slower])
    assert (life.status, life.portable, life.opposite) == (LifeStatus.ACTIVE, False, True)
    (found,) = check_lives({"lite": [RECORD]}, [life])
    assert kinds([found]) == [("effect", "warning")]
    assert found.message == f"is faster on {HERE} and slower on {THERE}"
    mended = replace(slower, outcome="improved", measured_at="2026-05-01T00:00:00Z")
    later = life_of(RECORD.instance_id, [*life.validations, mended])
    assert (later.portable, list(check_lives({"lite": [RECORD]}, [later]))) == (True, [])


def test_validation_records_belong_to_rows_and_tell_what_was_found(tmp_path: Path) -> None:
    """field.md row 48: the record of each row is machine-readable, and checked."""
    write_lives(tmp_path, add_validations([], {RECORD.instance_id: [SEEN]}))
    (life,) = read_lives(tmp_path)
    assert (life.instance_id, life.status, life.validations) == (
        RECORD.instance_id,
        LifeStatus.ACTIVE,
        (SEEN,),
    )
    assert add_validations([life], {RECORD.instance_id: [SEEN]}) == (life,)
    rows = {"mini": [RECORD]}
    assert list(check_lives(rows, [life])) == []
    weak = life_of(RECORD.instance_id, [replace(SEEN, outcome="no_improvement")])
    assert kinds(check_lives(rows, [weak])) == [("effect", "warning")]
    assert kinds(check_lives(rows, [replace(weak, status=LifeStatus.ACTIVE, reason="")])) == [
        ("life", "error")
    ]
    assert kinds(check_lives({}, [life])) == [("life", "error")]
    named = RowLife(
        instance_id=RECORD.instance_id,
        status=LifeStatus.RETIRED,
        reason="the project asked for it",
        validations=(),
    )
    (told,) = check_lives(rows, [named])
    assert told.message == "is retired: the project asked for it"
    assert list(check_lives({}, [named])) == []


FACTS = IndexRow(
    instance_id="acme__lib-8",
    repo="acme/lib",
    base_commit="",
    fix_commits=("b" * 40,),
    pull_number=8,
    issue_number=7,
    changed_files=("A.java",),
    measurements=(),
)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"repo": "lib"}, "repo 'lib' is not owner/name"),
        ({"instance_id": "acme__other-8"}, "does not belong to repo acme/lib"),
        ({"base_commit": "b" * 39}, "base_commit is not 40 hex digits"),
        ({"fix_commits": ("B" * 40,)}, "fix_commits[0] is not 40 hex digits"),
        ({"fix_commits": ()}, "names no commit of the fix"),
        ({"changed_files": ()}, "names no changed file"),
        ({"changed_files": ("../A.java",)}, "'../A.java' is not inside the tree"),
        ({"status": LifeStatus.RETIRED}, "is retired without a reason"),
    ],
)
def test_each_kind_of_wrong_fact_is_found(change: dict[str, Any], told: str) -> None:
    assert list(check_facts([FACTS])) == []
    (found,) = check_facts([replace(FACTS, **change)])
    assert (found.where, found.severity) == (
        f"index/{change.get('instance_id', FACTS.instance_id)}",
        Severity.ERROR,
    )
    assert told in found.message


def test_one_fix_is_one_row_of_the_index() -> None:
    other = replace(FACTS, instance_id="acme__lib-7")
    (found,) = check_facts([FACTS, other])
    assert (found.check, found.message) == (Check.COPIES, "has the fix of acme__lib-8")


def test_the_index_that_is_part_of_this_repository_is_right() -> None:
    assert list(check_facts(load("index"))) == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_parquet([RECORD], tmp_path / "data" / "verified" / "test-00000-of-00001.parquet")
    write_manifest(tmp_path, manifest_of(tmp_path))
    return tmp_path


def manifest_of(root: Path) -> Manifest:
    path = "data/verified/test-00000-of-00001.parquet"
    data = (root / path).read_bytes()
    import hashlib  # noqa: PLC0415  # the test's own reckoning

    return Manifest(
        name="acme/etips",
        version=RECORD.dataset_version,
        minimum_harness="0.1.0",
        created_at="2026-01-02T00:00:00Z",
        content_sha256=content_hash([RECORD]),
        files=(
            DataFile(
                config="verified",
                split="test",
                path=path,
                rows=1,
                size=len(data),
                sha256=hashlib.sha256(data).hexdigest(),
            ),
        ),
        images=pin_images([RECORD]),
        parent=None,
    )


def found_in(
    folder: Path, capsys: pytest.CaptureFixture[str], *, status: int = 2, strict: bool = False
) -> list[dict[str, str]]:
    capsys.readouterr()
    if status:
        with pytest.raises(typer.Exit) as caught:
            validate(str(folder), json=True, strict=strict)
        assert caught.value.exit_code == status
    else:
        validate(str(folder), json=True, strict=strict)
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_right_dataset_passes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert found_in(folder, capsys, status=0, strict=True) == []
    validate(str(folder))
    assert "acme/etips 0.1.0: verified 1; 0 errors, 0 warnings" in capsys.readouterr().out


def test_a_dataset_that_is_not_what_its_version_pins_is_found(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """field.md row 105: images and rows that changed under one version give other results."""
    file = folder / "data" / "verified" / "test-00000-of-00001.parquet"
    file.write_bytes(records_to_parquet([replace(RECORD, image_digest="sha256:" + "e" * 64)]))
    messages = [item["message"] for item in found_in(folder, capsys)]
    assert any("another file than version.json says" in text for text in messages)
    assert any("content_sha256" in text for text in messages)
    assert any("pins other images" in text for text in messages)
    file.write_bytes(records_to_parquet([replace(RECORD, dataset_version="0.2.0")]))
    assert any("has rows of version 0.2.0" in f["message"] for f in found_in(folder, capsys))
    write_parquet([RECORD], folder / "data" / "more" / "test-00000-of-00001.parquet")
    assert any("is not in version.json" in f["message"] for f in found_in(folder, capsys))


def test_files_that_do_not_decode_are_findings_and_the_others_are_checked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "version.json").unlink()
    extra = folder / "data" / "mini" / "test-00000-of-00001.parquet"
    extra.parent.mkdir()
    extra.write_bytes(b"PAR1 cut off")
    write_parquet([replace(RECORD, patch="")], folder / "data/other/test-00000-of-00001.parquet")
    checks = [item["check"] for item in found_in(folder, capsys)]
    assert checks == ["schema", "version", "ids", "patch"]


def test_warnings_count_only_where_they_are_asked_to(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "version.json").unlink()
    (one,) = found_in(folder, capsys, status=0)
    assert (one["check"], one["severity"]) == (Check.VERSION, Severity.WARNING)
    assert found_in(folder, capsys, strict=True) == [one]


@pytest.mark.parametrize("name", ["empty.jsonl", "empty.parquet"])
def test_a_dataset_without_rows_is_not_valid(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty file passed with no error."""
    file = tmp_path / name
    file.write_bytes(b"" if name.endswith("l") else records_to_parquet([]))
    with pytest.raises(typer.Exit):
        validate(str(file))
    assert "holds no row" in capsys.readouterr().out


def test_validations_are_written_only_into_folders(folder: Path, tmp_path: Path) -> None:
    write_lives(folder, [])
    with pytest.raises(UsageError, match="is no folder"):
        validate(str(folder / "data/verified/test-00000-of-00001.parquet"), write=True)
    with pytest.raises(UsageError, match=r"has no INSTANCE/report\.json"):
        validate(str(folder), run=[tmp_path / "nothing"])
    with pytest.raises(UsageError, match="--clones: there is no folder"):
        validate(str(folder), clones=tmp_path / "nothing")
    with pytest.raises(InputError, match="no file or folder"):
        validate(str(tmp_path / "nothing"))
    assert (folder / LIVES_FILE).read_bytes() == b""


REPORTS = Path(__file__).parents[1] / "golden" / "reports"


def gold(name: str = RECORD.instance_id) -> InstanceReport:
    """The golden report as if the developers' patch had been run."""
    file = REPORTS / "instance.json"
    report = instance_report(file.read_bytes(), source=str(file))
    return replace(report, instance_id=name, model=GOLD)


def test_a_run_of_the_reference_is_a_validation_and_another_run_is_not() -> None:
    """field.md row 48: hosts, dates, rounds, effect."""
    report = gold()
    found = validation_of(report)
    assert report.provenance.host.cpu_model in found.host
    assert (found.measured_at, found.rounds) == (
        report.provenance.started_at,
        report.rounds_done,
    )
    assert (found.outcome, found.improved) == (report.outcome.value, report.improved_names)
    assert found.effect is not None
    with pytest.raises(InputError, match="says nothing of the reference"):
        validation_of(replace(report, model="somebody"))


def test_a_reference_that_was_not_seen_to_be_faster_is_flagged_and_kept(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """field.md row 48: the row whose reference was a no-op, by what its run found."""
    report = gold()
    lame = replace(
        report,
        outcome=Outcome.TESTS_FAILED,
        reason=Reason.TEST_FAILURE,
        classes=(),
        overall=None,
        robust=None,
        peers=None,
    )
    file = tmp_path / "runs" / RECORD.instance_id / "report.json"
    write_atomically(file, to_json(lame).encode())
    validate(str(folder), run=[tmp_path / "runs"], write=True)
    assert "is retired: reference_fails" in " ".join(capsys.readouterr().out.split())
    (life,) = read_lives(folder)
    assert (life.status, len(life.validations)) == (LifeStatus.RETIRED, 1)
    validate(str(folder), run=[tmp_path / "runs"], write=True)
    assert read_lives(folder) == (life,)
