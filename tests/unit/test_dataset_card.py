"""What a card says is what the data hold; a wrong one is refused."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from synthetic_records import synthetic_index, synthetic_records

from jeto_bench.card.check import check_folder, read_front_matter, refuse_wrong_card
from jeto_bench.card.facts import Spread, config_facts, figure_data, repository_rows
from jeto_bench.card.figures import draw_figures
from jeto_bench.card.front_matter import features_of, hub_licences, size_category
from jeto_bench.card.render import render_card
from jeto_bench.decode import decode_parquet
from jeto_bench.errors import DecodeError, InputError, UsageError
from jeto_bench.publishing.export import export_folder, tier_configs
from jeto_bench.records import CriteriaName, Tier
from jeto_bench.schema import RECORD_SCHEMA, VERSION_KEY

ROOT = Path(__file__).parents[2]
RECORDS = synthetic_records(30)
CARD = "README.md"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("export") / "out"
    export_folder(target, tier_configs(RECORDS), name="Toy", index=synthetic_index(30))
    return target


@pytest.fixture
def folder(exported: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(exported, tmp_path / "copy"))


def change(folder: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    block = dict(read_front_matter(folder / CARD))
    edit(block)
    (folder / CARD).write_text(f"---\n{yaml.safe_dump(block, sort_keys=False)}---\n")


def test_each_config_has_one_small_file_in_its_own_folder(folder: Path) -> None:
    """field.md rows 103 and 104: one file per split, data files apart from everything else."""
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.parquet")}
    configs = ("executable", "identified", "index", "verified")
    assert files == {f"data/{name}/test-00000-of-00001.parquet" for name in configs}
    assert list(check_folder(folder)) == []


def test_rows_come_back_as_they_were(folder: Path) -> None:
    data = (folder / "data/identified/test-00000-of-00001.parquet").read_bytes()
    assert decode_parquet(data) == RECORDS
    verified = (folder / "data/verified/test-00000-of-00001.parquet").read_bytes()
    assert {item.tier for item in decode_parquet(verified)} == {Tier.VERIFIED}


def test_files_hold_the_arrow_schema_and_nothing_of_a_library(folder: Path) -> None:
    """field.md row 99: metadata of a newer library broke older ones."""
    for path in folder.rglob("*.parquet"):
        assert list(pq.read_schema(path).metadata) == [VERSION_KEY]
    bare = pq.read_schema(folder / "data/verified/test-00000-of-00001.parquet")
    assert bare.equals(RECORD_SCHEMA)


def test_empty_lists_first_do_not_fix_a_wrong_type(tmp_path: Path) -> None:
    """field.md row 101: a first block of empty lists, then a struct."""
    late = replace(RECORDS[2], instance_id="acme0__lib-2000", pull_number=2000)
    early = [replace(item, detector_tests=()) for item in synthetic_records(1000, lines=1)]
    export_folder(tmp_path / "out", {"mini": [*early, late]}, name="Toy")
    data = (tmp_path / "out/data/mini/test-00000-of-00001.parquet").read_bytes()
    *first, last = decode_parquet(data)
    assert last == late
    assert last.detector_tests
    assert all(item.detector_tests == () for item in first)


def test_a_split_that_does_not_exist_is_refused(folder: Path) -> None:
    """field.md row 100: such a card broke loading of the brand-new set for everyone."""
    extra = {"split": "train", "path": "data/verified/train-*.parquet"}
    change(folder, lambda block: block["configs"][0]["data_files"].append(extra))
    with pytest.raises(DecodeError, match=r"split train: no file matches data/verified/train-\*"):
        refuse_wrong_card(folder)


def test_a_split_named_twice_is_refused(folder: Path) -> None:
    """field.md row 104."""
    change(folder, lambda block: block["configs"][0]["data_files"].append(
        dict(block["configs"][0]["data_files"][0])
    ))  # fmt: skip
    found = list(check_folder(folder))
    assert "config identified: split test is there twice" in found
    assert any("belongs to more than one split" in item for item in found)


@pytest.mark.parametrize("key", ["num_examples", "num_bytes"])
def test_wrong_sizes_are_refused(folder: Path, key: str) -> None:
    """field.md row 100: counts and sizes are compared with the files."""

    def edit(block: dict[str, Any]) -> None:
        block["dataset_info"][1]["splits"][0][key] += 1

    change(folder, edit)
    (found,) = check_folder(folder)
    assert f"dataset_info of executable: {key} of test is" in found


def drop_feature(block: dict[str, Any]) -> None:
    block["dataset_info"][0]["features"].pop()


def drop_info(block: dict[str, Any]) -> None:
    block["dataset_info"].pop()


def second_default(block: dict[str, Any]) -> None:
    block["configs"][1]["default"] = True


def same_name(block: dict[str, Any]) -> None:
    block["configs"][1]["config_name"] = "identified"


def outside(block: dict[str, Any]) -> None:
    block["configs"][0]["data_files"][0]["path"] = "**/*.parquet"


def bad_split(block: dict[str, Any]) -> None:
    block["configs"][0]["data_files"][0]["split"] = "te-st"


def download(block: dict[str, Any]) -> None:
    block["dataset_info"][0]["download_size"] = 1


def no_configs(block: dict[str, Any]) -> None:
    del block["configs"]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (drop_feature, "features are not the columns of data/identified/"),
        (drop_info, "but configs has"),
        (second_default, "more than one default"),
        (same_name, "config identified is there twice"),
        (outside, "is not below data/"),
        (bad_split, "'te-st' is not a split's name"),
        (download, "download_size is 1, really"),
        (no_configs, "no explicit list"),
    ],
)
def test_a_wrong_card_is_refused(
    folder: Path, edit: Callable[[dict[str, Any]], None], message: str
) -> None:
    """field.md row 100: the card declares what is not there."""
    change(folder, edit)
    assert any(message in item for item in check_folder(folder)), list(check_folder(folder))


def test_other_files_among_the_data_are_refused(folder: Path) -> None:
    """field.md row 104: files that are not data confuse detection."""
    (folder / "data/verified/notes.jsonl").write_text("{}")
    (folder / "data/old.parquet").write_bytes(b"PAR1")
    assert sorted(check_folder(folder)) == [
        "data/old.parquet: belongs to no split of the card",
        "data/verified/notes.jsonl: not a data file, among data files",
    ]


def test_a_file_with_a_librarys_metadata_is_refused(folder: Path) -> None:
    """field.md row 99: as ``datasets`` writes it."""
    path = folder / "data/verified/test-00000-of-00001.parquet"
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({"huggingface": "{}"}), path)
    assert any("metadata of the datasets library" in item for item in check_folder(folder))


@pytest.mark.parametrize("text", ["# no block\n", "---\n- 1\n---\n", "---\na: [\n---\n", "---\n"])
def test_a_card_without_a_block_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / CARD).write_text(text)
    with pytest.raises(DecodeError, match=r"README\.md"):
        list(check_folder(tmp_path))


def test_the_checkout_itself_holds_what_its_card_says() -> None:
    """field.md rows 100 and 104, for this repository."""
    assert list(check_folder(ROOT)) == []


def test_nothing_is_written_over(folder: Path) -> None:
    with pytest.raises(InputError, match="is not empty"):
        export_folder(folder, {"mini": RECORDS}, name="Toy")


def test_a_failed_export_leaves_nothing(tmp_path: Path) -> None:
    mixed = [RECORDS[0], replace(RECORDS[1], dataset_version="9.9.9")]
    with pytest.raises(UsageError, match=r"2 versions: 0\.1\.0, 9\.9\.9"):
        export_folder(tmp_path / "out", {"mini": mixed}, name="Toy")
    assert list(tmp_path.iterdir()) == []
    export_folder(tmp_path / "out", {"mini": mixed}, name="Toy", version="1.0.0")
    data = (tmp_path / "out/data/mini/test-00000-of-00001.parquet").read_bytes()
    assert {item.dataset_version for item in decode_parquet(data)} == {"1.0.0"}


def test_tiers_contain_each_other_and_own_tests_stay_apart() -> None:
    own = replace(RECORDS[4], test_patch="diff --git a/T b/T\n")
    made = tier_configs([*RECORDS[:4], own])
    assert {name: len(items) for name, items in made.items()} == {
        "identified": 5, "executable": 3, "verified": 1, "with_tests": 1,
    }  # fmt: skip
    assert all(item.test_patch == "" for item in made["executable"])
    assert made["with_tests"] == (own,)


def test_five_numbers() -> None:
    assert Spread.of([]) is None
    assert Spread.of([4, 1, 3, 2]) == Spread(
        count=4, low=1, lower=1.75, middle=2.5, upper=3.25, high=4
    )


def test_facts_are_counted_from_the_records() -> None:
    facts = config_facts("all", RECORDS)
    assert (facts.etips, facts.repositories, facts.executable, facts.verified) == (30, 5, 20, 10)
    # Every second and third record carries the conservative detector, see the helper.
    assert facts.with_detector[CriteriaName.CONSERVATIVE] == 20
    assert facts.with_detector[CriteriaName.DEFAULT] == 0
    assert facts.files
    assert (facts.files.low, facts.files.high) == (1, 4)
    assert facts.stars
    assert facts.stars.count == 4
    assert repository_rows(RECORDS)[0] == ("acme0/lib", 6, None, "Apache-2.0")


def test_an_etip_in_two_configs_is_drawn_once() -> None:
    identified = [replace(item, tier=Tier.IDENTIFIED, detector_tests=()) for item in RECORDS]
    data = figure_data([*identified, *RECORDS], synthetic_index(30))
    assert sum(data.repositories.values()) == sum(data.years.values()) == 30
    assert len(data.files) == len(data.minutes) == len(data.gigabytes) == 30
    assert len(data.faster) == 20
    assert data == figure_data([*RECORDS, *identified], synthetic_index(30))


def test_what_only_the_index_has_is_drawn_from_the_index() -> None:
    rows = [
        replace(row, tier=Tier.EXECUTABLE, modules=("core", "cli"), measurements=(
            replace(row.measurements[0], improved=("a.A", "a.B"), jeto_improved=("a.B", "a.C")),
        ))
        for row in synthetic_index(4)
    ]  # fmt: skip
    data = figure_data(RECORDS[:3], rows)
    assert sum(data.repositories.values()) == 4
    assert len(data.faster) == 3  # two executable records, one row of the index
    assert data.faster[-1] == 3
    assert data.slower[-1] == 0
    assert data.modules[-1] == 2


def test_figures_exist_for_what_has_data_and_are_the_same_each_time() -> None:
    full = figure_data(RECORDS, synthetic_index(30))
    made = draw_figures(full)
    assert set(made) == {
        f"{name}.svg"
        for name in (
            *("repositories", "years", "stars", "files", "modules"),
            *("build_time", "image_size", "detectors"),
        )
    }
    assert made == draw_figures(full)
    assert "build_time.svg" not in draw_figures(figure_data(RECORDS, ()))
    assert draw_figures(figure_data([], ())) == {}
    words = "".join(ET.fromstring(made["repositories.svg"]).itertext())  # noqa: S314  # our own
    assert "acme4/lib" in words


def test_text_from_outside_stays_in_its_cell(tmp_path: Path) -> None:
    odd = replace(RECORDS[0], repo_license="MIT | <script>alert(1)</script>\n## Head")
    export_folder(tmp_path / "out", {"mini": [odd]}, name="Toy", licences=["mit"])
    text = (tmp_path / "out" / CARD).read_text()
    assert "<script>" not in text
    assert "\n## Head" not in text
    assert r"MIT \| &lt;script>alert(1)&lt;/script> ## Head" in text


@pytest.mark.parametrize(
    ("name", "hub_id"),
    [("a\n---\nevil: 1", "me/mine"), ("T", 'me/m")\nimport os'), ("T", "x")],
)
def test_names_that_would_break_the_card_are_refused(
    tmp_path: Path, name: str, hub_id: str
) -> None:
    """Any text became a line of the card, or of its example."""
    with pytest.raises(UsageError):
        export_folder(tmp_path / "out", {"mini": RECORDS[:1]}, name=name, hub_id=hub_id)
    assert not list(tmp_path.iterdir())


def test_every_figure_is_shown_and_every_shown_one_exists(folder: Path) -> None:
    text = (folder / CARD).read_text()
    shown = {part.partition(")")[0] for part in text.split("](figures/")[1:]}
    assert shown == {path.name for path in (folder / "figures").iterdir()}


def test_licences_are_spelled_as_the_hub_does() -> None:
    assert hub_licences(["MIT", "GPL-3.0-only", "Apache-2.0"]) == ("apache-2.0", "gpl-3.0", "mit")
    assert hub_licences(["MIT", "Odd-1.0", ""]) == ("mit", "other")
    assert hub_licences([]) == ("other",)


def test_sizes_have_the_hubs_words() -> None:
    assert [size_category(n) for n in (999, 1000, 99_999, 10**6)] == [
        "n<1K", "1K<n<10K", "10K<n<100K", "n>1M",
    ]  # fmt: skip


def test_a_type_that_some_reader_does_not_know_is_refused() -> None:
    """field.md row 99: list views are new."""
    with pytest.raises(ValueError, match="list_view"):
        features_of(pa.schema([("a", pa.list_view(pa.string()))]))
    nested = pa.schema([("a", pa.list_(pa.list_(pa.int64())))])
    assert features_of(nested) == [{"name": "a", "list": {"list": "int64"}}]


def test_a_template_is_found() -> None:
    assert callable(render_card)
    assert (ROOT / "dataset_card" / "README.md.jinja").is_file()
