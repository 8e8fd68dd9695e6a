"""Bundles: what goes in comes out, and nothing that was changed or leads elsewhere does."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from image_labels import image_labels

from jeto_bench import load
from jeto_bench.bundles.bundle import export_bundle, import_bundle
from jeto_bench.bundles.model import BundledImage
from jeto_bench.decode import decode_jsonl
from jeto_bench.encode import write_parquet
from jeto_bench.errors import (
    DecodeError,
    ImageError,
    ImageMismatchError,
    InputError,
    UsageError,
)
from jeto_bench.records import EtipRecord
from jeto_bench.versions.manifest import Manifest, content_hash, pin_images, write_manifest
from jeto_evaluate.cli.data.bundle import export_, import_
from jeto_evaluate.images.archives import DockerArchives
from jeto_evaluate.images.verify import ensure_image

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
DIGEST = "sha256:" + "d" * 64
IMAGE_ID = "sha256:" + "1" * 64
RECORD = replace(decode_jsonl(GOLDEN.read_bytes())[0], image_digest=DIGEST)


@dataclass
class Shelf:
    """An engine that keeps archives in memory."""

    loaded: list[tuple[str, bytes]] = field(default_factory=list)

    def save(self, record: EtipRecord) -> tuple[str, Iterator[bytes]]:
        return IMAGE_ID, iter([b"layers of ", record.image.encode()])

    def load(self, archive: Path, image: BundledImage) -> None:
        self.loaded.append((image.image, archive.read_bytes()))


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    root = tmp_path / "dataset"
    write_parquet([RECORD], root / "data" / "verified" / "test-00000-of-00001.parquet")
    manifest = Manifest(
        name="acme/etips",
        version="1.0.0",
        minimum_harness="0.1.0",
        created_at="2026-01-02T00:00:00Z",
        content_sha256=content_hash([RECORD]),
        files=(),
        images=pin_images([RECORD]),
        parent=None,
    )
    write_manifest(root, manifest)
    return root


def bundle(dataset: Path, name: str) -> Path:
    target = dataset.parent / name
    export_bundle(
        dataset, target, name="acme/etips", version="1.0.0", records=[RECORD], images=Shelf()
    )
    return target


def tree(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("name", ["bundle", "bundle.tar"])
def test_what_goes_in_comes_out(dataset: Path, tmp_path: Path, name: str) -> None:
    """field.md row 47: rows, images and checksums, and no network (which unit tests refuse)."""
    packed = bundle(dataset, name)
    assert packed.is_file() == name.endswith(".tar")
    shelf = Shelf()
    manifest = import_bundle(packed, tmp_path / "there", images=shelf)
    assert tree(tmp_path / "there") == tree(dataset)
    assert load("verified", path=tmp_path / "there") == (RECORD,)
    assert shelf.loaded == [(RECORD.image, b"layers of jeto-bench/lib:0.1.0")]
    assert [(one.image, one.digest, one.image_id) for one in manifest.images] == [
        (RECORD.image, DIGEST, IMAGE_ID)
    ]
    assert not list(tmp_path.glob(".*"))


def test_rows_alone_may_be_carried_and_nothing_is_written_over(
    dataset: Path, tmp_path: Path
) -> None:
    packed = bundle(dataset, "bundle.tar")
    shelf = Shelf()
    import_bundle(packed, tmp_path / "there", images=None)
    assert shelf.loaded == []
    with pytest.raises(InputError, match="is there already"):
        import_bundle(packed, tmp_path / "there", images=None)
    with pytest.raises(InputError, match="is there already"):
        bundle(dataset, "bundle.tar")


def test_two_bundles_of_one_dataset_are_equal(dataset: Path) -> None:
    assert bundle(dataset, "a.tar").read_bytes() == bundle(dataset, "b.tar").read_bytes()


def changed(root: Path, path: str, data: bytes) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(data)


def listing(root: Path, **change: Any) -> None:
    file = root / "bundle.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | change), "utf-8")


ROWS = "dataset/data/verified/test-00000-of-00001.parquet"
EVIL = {"path": "../evil", "size": 1, "sha256": hashlib.sha256(b"x").hexdigest()}


def test_a_bundle_that_is_damaged_or_leads_elsewhere_is_refused_before_anything_is_loaded(
    dataset: Path, tmp_path: Path
) -> None:
    def refused(told: str, number: int) -> None:
        shelf = Shelf()
        with pytest.raises((InputError, DecodeError), match=told):
            import_bundle(tmp_path / f"b{number}", tmp_path / "there", images=shelf)
        assert shelf.loaded == []
        assert not (tmp_path / "there").exists()

    changed(bundle(dataset, "b0"), ROWS, b"PAR1 other rows")
    refused("is damaged", 0)
    changed(bundle(dataset, "b1"), "images/acme__lib-8.tar", b"layers of jeto-bench/lib:0.1.9")
    refused("is damaged", 1)
    changed(bundle(dataset, "b2"), "dataset/more.txt", b"")
    refused("is not listed", 2)
    (bundle(dataset, "b3") / ROWS).unlink()
    refused("but not there", 3)
    place = bundle(dataset, "b4") / ROWS
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    refused("is no plain file", 4)
    listing(bundle(dataset, "b5"), files=[EVIL])
    (tmp_path / "evil").write_bytes(b"x")
    refused("may lead out of the bundle", 5)
    listing(bundle(dataset, "b6"), schema_version=2)
    refused("format 2 is not 1", 6)
    (bundle(dataset, "b7") / "bundle.json").unlink()
    refused("is no bundle", 7)
    listing(bundle(dataset, "b8"), files=[])
    refused("contradicts itself", 8)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("../evil", tarfile.REGTYPE),
        ("/etc/evil", tarfile.REGTYPE),
        ("dataset/../../evil", tarfile.REGTYPE),
        ("dataset\\evil", tarfile.REGTYPE),
        ("dataset/evil", tarfile.SYMTYPE),
        ("dataset/evil", tarfile.LNKTYPE),
        ("dataset/evil", tarfile.FIFOTYPE),
    ],
)
def test_a_tar_file_that_leads_elsewhere_is_refused(
    dataset: Path, tmp_path: Path, name: str, kind: bytes
) -> None:
    packed = bundle(dataset, "bundle.tar")
    with tarfile.open(packed, "a") as tar:
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, "../../evil"
        tar.addfile(info, io.BytesIO())
    with pytest.raises(InputError, match=r"is refused|is no plain file"):
        import_bundle(packed, tmp_path / "there", images=Shelf())
    assert not (tmp_path / "evil").exists()
    assert not (tmp_path / "there").exists()


@pytest.mark.parametrize("name", ["placed", "placed0", "placed0/x", "unpacked/x"])
def test_any_name_in_a_dataset_comes_back(dataset: Path, tmp_path: Path, name: str) -> None:
    """A file called `placed` ended the import in a traceback."""
    changed(dataset, name, b"1")
    import_bundle(bundle(dataset, "bundle.tar"), tmp_path / "there", images=Shelf())
    assert tree(tmp_path / "there") == tree(dataset)


@pytest.mark.parametrize(
    ("name", "told"),
    [("dataset/" + "x" * 300, "is too long"), (f"{ROWS}/x", "of a file and of a folder")],
)
def test_names_that_no_file_can_have_are_refused_by_name(
    dataset: Path, tmp_path: Path, name: str, told: str
) -> None:
    """Both ended in a traceback."""
    packed = bundle(dataset, "bundle.tar")
    with tarfile.open(packed, "a") as tar:
        tar.addfile(tarfile.TarInfo(name), io.BytesIO())
    with pytest.raises(InputError, match=rf"bundle\.tar: .*{told}"):
        import_bundle(packed, tmp_path / "there", images=Shelf())
    assert [path.name for path in tmp_path.glob(".*")] == []


@pytest.mark.parametrize("field", ["name", "version"])
def test_a_bundles_name_cannot_drive_the_terminal(
    dataset: Path, tmp_path: Path, field: str
) -> None:
    listing(bundle(dataset, "b0"), **{field: "\x1b]0;owned\x07"})
    with pytest.raises(DecodeError, match=f"bundle.json: {field}: .*cannot be shown"):
        import_bundle(tmp_path / "b0", tmp_path / "there", images=Shelf())
    told = dataset / "version.json"
    told.write_text(json.dumps(json.loads(told.read_text("utf-8")) | {field: "\x1b]0;x"}), "utf-8")
    with pytest.raises(DecodeError, match=f"version.json: {field}: .*cannot be shown"):
        load("verified", path=dataset)


def test_text_behind_a_bundles_list_is_refused(dataset: Path, tmp_path: Path) -> None:
    with (bundle(dataset, "b0") / "bundle.json").open("a") as file:
        file.write("{}")
    with pytest.raises(DecodeError, match="more text after the JSON object"):
        import_bundle(tmp_path / "b0", tmp_path / "there", images=Shelf())


def test_half_a_tar_file_is_refused(dataset: Path, tmp_path: Path) -> None:
    packed = bundle(dataset, "bundle.tar")
    packed.write_bytes(packed.read_bytes()[:5000])
    with pytest.raises(InputError, match=r"no whole tar file|not there|damaged|is no bundle"):
        import_bundle(packed, tmp_path / "there", images=Shelf())
    assert not (tmp_path / "there").exists()


def test_a_dataset_with_links_is_not_bundled(dataset: Path) -> None:
    (dataset / "link").symlink_to("/etc/hostname")
    with pytest.raises(InputError, match="is a link"):
        bundle(dataset, "bundle")
    assert not (dataset.parent / "bundle").exists()


def archive(path: Path, *names: str, index: tuple[str, ...] = ()) -> Path:
    """An archive of an image, of the older kind and, with ``index``, of the newer one too."""
    files: dict[str, object] = {"manifest.json": [{"RepoTags": list(names)}]}
    if index:
        marks = [{"annotations": {"io.containerd.image.name": name}} for name in index]
        files["index.json"] = {"manifests": marks}
    with tarfile.open(path, "w") as tar:
        for name, value in files.items():
            data = json.dumps(value).encode()
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


BUNDLED = BundledImage(
    instance_id=RECORD.instance_id,
    image=RECORD.image,
    digest=DIGEST,
    image_id=IMAGE_ID,
    path="images/acme__lib-8.tar",
)


def test_an_image_is_loaded_only_under_its_own_name(tmp_path: Path) -> None:
    client = Mock()
    client.images.load.return_value = [Mock(id=IMAGE_ID)]
    shelf = DockerArchives(client)
    for names in ((), ("debian:12",), (RECORD.image, "jeto-bench/base:17")):
        with pytest.raises(ImageError, match="not jeto-bench/lib:0"):
            shelf.load(archive(tmp_path / "x.tar", *names), BUNDLED)
    for hidden in ("hub.example/library/debian:12", "jeto-bench/base:17"):
        both = (f"hub.example/{RECORD.image}", hidden)
        with pytest.raises(ImageError, match="not jeto-bench/lib:0"):
            shelf.load(archive(tmp_path / "x.tar", RECORD.image, index=both), BUNDLED)
    (tmp_path / "x.tar").write_bytes(b"no tar")
    with pytest.raises(ImageError, match="is no archive of an image"):
        shelf.load(tmp_path / "x.tar", BUNDLED)
    client.images.load.assert_not_called()
    own = (f"hub.example/{RECORD.image}",)
    for newer in ((), own):
        shelf.load(archive(tmp_path / "x.tar", RECORD.image, index=newer), BUNDLED)
    client.images.load.return_value = [Mock(id="sha256:" + "2" * 64)]
    with pytest.raises(ImageError, match="put together wrongly"):
        shelf.load(archive(tmp_path / "x.tar", RECORD.image), BUNDLED)


def test_a_digest_that_a_bundle_told_is_known_afterwards(tmp_path: Path) -> None:
    """field.md row 47: an engine that loads an archive does not know a registry's digest."""
    image = Mock(id=IMAGE_ID)
    client = Mock()
    client.images.load.return_value = [image]
    DockerArchives(client).load(archive(tmp_path / "x.tar", RECORD.image), BUNDLED)
    image.tag.assert_called_once_with("jeto-bench/imported", DIGEST.replace(":", "-"))


def test_the_commands_carry_a_dataset(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export_(dataset, tmp_path / "b.tar", images=False)
    import_(tmp_path / "b.tar", tmp_path / "there", images=False)
    assert tree(tmp_path / "there") == tree(dataset)
    assert "acme/etips 1.0.0, 2 files, 0 images" in capsys.readouterr().out
    (dataset / "version.json").unlink()
    with pytest.raises(UsageError, match=r"with a version\.json"):
        export_(dataset, tmp_path / "c.tar", images=False)


def engine_with(**attributes: object) -> Mock:
    """An engine whose one image is the record's, but for its digest."""
    labels = image_labels(RECORD)
    client = Mock()
    client.images.get.return_value = Mock(
        id=IMAGE_ID, labels=labels, attrs={"Architecture": "amd64", **attributes}
    )
    client.info.return_value = {"Architecture": "x86_64"}
    return client


def test_a_loaded_image_is_held_against_its_record_by_what_the_bundle_told() -> None:
    """field.md row 47: pinned rows can be evaluated without a registry."""
    vouched = f"jeto-bench/imported:sha256-{'d' * 64}"
    facts = ensure_image(engine_with(RepoTags=[RECORD.image, vouched], RepoDigests=[]), RECORD)
    assert facts.image_id == IMAGE_ID
    other = f"jeto-bench/imported:sha256-{'e' * 64}"
    elsewhere = f"evil/imported:sha256-{'d' * 64}"
    for tags in ([], [RECORD.image], [other], [elsewhere]):
        with pytest.raises(ImageMismatchError, match="has digest"):
            ensure_image(engine_with(RepoTags=tags, RepoDigests=[]), RECORD)
