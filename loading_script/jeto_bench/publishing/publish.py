"""Puts a dataset's folder on the Hub as a version: one commit, one tag, and a look at the result.

A tag is never moved: who trained on ``v1.0.0`` can always load what they had.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench.card.check import read_front_matter, refuse_wrong_card
from jeto_bench.decode import read_parquet
from jeto_bench.errors import DecodeError, InfrastructureError, InputError, UsageError
from jeto_bench.load import is_hub_id
from jeto_bench.publishing.hub import TOKEN_VARIABLE, Hub
from jeto_bench.versions.numbers import SemanticVersion

__all__ = ["Publication", "plan_publication", "publish_folder", "tag_of"]

_KEPT: Final = frozenset({".gitattributes"})
"""The Hub's own file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Publication:
    """What publishing would do.

    Attributes:
        repo_id: ``owner/name``.
        tag: Name of the version on the Hub.
        folder: Where the files are.
        add: Paths that are written, sorted.
        delete: Paths on the Hub that the version does not have.
        size: Bytes of all files.
        new: Whether the dataset is created.
        head: Commit that main is at now; empty if there is none.
    """

    repo_id: str
    tag: str
    folder: Path
    add: tuple[str, ...]
    delete: tuple[str, ...]
    size: int
    new: bool
    head: str


def tag_of(version: str) -> str:
    """Return the tag of a version.

    Raises:
        UsageError: It is no semantic version.
    """
    SemanticVersion.parse(version)
    return f"v{version}"


def plan_publication(folder: Path, repo_id: str, version: str, hub: Hub) -> Publication:
    """Check a folder and say what publishing it would do; changes nothing.

    Raises:
        UsageError: The name or version is none, or the version is published already.
        InputError: There is no such folder.
        DecodeError: Card and files disagree, or rows are of another version.
        InfrastructureError: The Hub cannot be asked.
    """
    if not is_hub_id(repo_id):
        raise UsageError(f"{repo_id!r} is not owner/name", advice="For example my-org/jeto-bench.")
    tag = tag_of(version)
    if not folder.is_dir():
        raise InputError(
            f"there is no folder {folder}", advice="Write it: jeto-bench data export DIR"
        )
    refuse_wrong_card(folder)
    _refuse_other_version(folder, version)
    state = hub.state(repo_id)
    if tag in state.tags:
        raise UsageError(
            f"{repo_id} has the tag {tag} already, at {state.tags[tag][:12]}",
            advice="A published version stays as it is: choose the next version.",
        )
    _refuse_links(folder)
    add = _files(folder)
    return Publication(
        repo_id=repo_id,
        tag=tag,
        folder=folder,
        add=add,
        delete=tuple(path for path in state.files if path not in {*add, *_KEPT}),
        size=sum((folder / path).stat().st_size for path in add),
        new=not state.exists,
        head=state.head,
    )


def publish_folder(
    plan: Publication, hub: Hub, *, private: bool = False, say: Callable[[str], None]
) -> str:
    """Commit, tag, load back, compare; return the commit.

    After an interruption the same command goes on: files that are there are not sent again.

    Raises:
        UsageError: There is no token.
        InfrastructureError: The Hub failed, or gives back something else than was sent.
    """
    if not isinstance(hub.token, str):
        raise UsageError(
            "publishing needs a token that may write",
            advice=f"Put it into the environment variable {TOKEN_VARIABLE}.",
        )
    if plan.new:
        hub.create(plan.repo_id, private=private)
    commit = hub.commit(
        plan.repo_id,
        add={path: plan.folder / path for path in plan.add},
        delete=plan.delete,
        message=f"Version {plan.tag.removeprefix('v')}",
        parent=plan.head,
    )
    say(f"Committed {commit[:12]}")
    hub.tag(plan.repo_id, plan.tag, commit)
    say(f"Tagged {plan.tag}")
    with tempfile.TemporaryDirectory(prefix="jeto-publish-") as cache:
        _compare(plan, hub.fetch(plan.repo_id, plan.tag, Path(cache)))
    say(f"Loaded back at {plan.tag}: {len(plan.add)} files are the same, the card holds")
    return commit


def _compare(plan: Publication, found: Path) -> None:
    there = {path for path in _files(found) if path not in _KEPT}
    wrong = sorted(there ^ set(plan.add))
    wrong += [
        path
        for path in plan.add
        if path in there and _sha256(found / path) != _sha256(plan.folder / path)
    ]
    if not wrong:
        try:
            refuse_wrong_card(found)
        except DecodeError as error:
            wrong = [str(error)]
    if wrong:
        raise InfrastructureError(
            f"{plan.repo_id} at {plan.tag} is not what was sent: {', '.join(wrong[:5])}",
            advice="Do not use this version; publish the next one.",
        )


def _refuse_other_version(folder: Path, version: str) -> None:
    said = read_front_matter(folder / "README.md").get("version")
    if said is not None and str(said) != version:
        raise DecodeError(
            f"the card is of version {said}, not {version}",
            source=str(folder / "README.md"),
            field="version",
            advice=f"jeto-bench data export ... --version {version}",
        )
    for path in sorted((folder / "data").rglob("*.parquet")):
        table = read_parquet(path.read_bytes())
        if "dataset_version" not in table.column_names:
            continue
        versions = set(table["dataset_version"].to_pylist())
        other = sorted(str(value) for value in versions if value != version)
        if other:
            raise DecodeError(
                f"holds rows of version {other[0]}, not {version}",
                source=str(path),
                field="dataset_version",
                advice=f"jeto-bench data export ... --version {version}",
            )


def _refuse_links(folder: Path) -> None:
    """What a link in somebody's folder leads to is not for everybody's eyes."""
    for path in folder.rglob("*"):
        if path.is_symlink():
            raise InputError(
                f"{path} is a link; only files are published", advice="Copy the file there."
            )


def _files(folder: Path) -> tuple[str, ...]:
    """Every file that is not hidden, ``/`` between directories, sorted."""
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return tuple(
        sorted(name.as_posix() for name in names if not any(p.startswith(".") for p in name.parts))
    )


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
