"""Which tree an instance image of a record is built from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import jeto_bench
from jeto_bench.errors import UsageError
from jeto_bench.git.clones import find_clone
from jeto_bench.load import embedded_root
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.line_ends import base_tree
from jeto_evaluate.images.sources import SourceTree, from_folder

__all__ = ["Origin", "find_origin", "mini_folder"]

_MINI_OWNER = "jeto-bench"


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """A tree and how far it is trusted.

    Attributes:
        tree: The base tree.
        ours: Whether it is one of this repository's own projects, which have no wrapper yet.
    """

    tree: SourceTree
    ours: bool


def mini_folder(record: EtipRecord) -> Path | None:
    """Folder of a mini ETIP's base tree, in the checkout or the installed package."""
    owner, _, slug = record.repo.partition("/")
    if owner != _MINI_OWNER or not slug or slug in {".", ".."}:
        return None
    packaged = Path(jeto_bench.__file__).resolve().parent / "_mini_sources"
    for root in (embedded_root() / "build" / "mini", packaged):
        folder = root / slug / "project"
        if (folder / "pom.xml").is_file():
            return folder
    return None


def find_origin(record: EtipRecord, clones: Path | None) -> Origin:
    """The base tree of a record.

    Args:
        record: The record.
        clones: Folder with the user's clones; not needed for mini ETIPs.

    Raises:
        UsageError: There is no tree and no clone.
        InputError: The clone does not have the base commit.
    """
    own = mini_folder(record)
    if own is not None:
        return Origin(tree=from_folder(own), ours=True)
    if clones is None:
        raise UsageError(
            f"{record.instance_id}: {record.repo} is not part of this repository",
            advice="Give the folder with your clones: --clones DIR. Or pull the image.",
        )
    return Origin(tree=base_tree(record, find_clone(clones, record.repo)), ours=False)
