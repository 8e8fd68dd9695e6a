"""Where a base tree comes from, and its fingerprint.

A tree is read as raw objects from the user's clone. ``git archive`` and ``git checkout`` would
apply the project's attributes (leave files out, convert line ends), so that patches made against
the stored bytes would not fit; ``line_ends`` makes the one exception. Nothing of the history is
read (field.md row 53).
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench.errors import InputError
from jeto_bench.git.clones import run_git
from jeto_bench.git.fetching import fetch_contents

__all__ = ["SourceTree", "TreeFile", "from_clone", "from_folder"]

_FETCH_TIMEOUT_S: Final = 1800


@dataclass(frozen=True, kw_only=True, slots=True)
class TreeFile:
    """One file of a tree.

    Attributes:
        path: Relative path with ``/``, bytes outside UTF-8 as surrogates.
        kind: ``file``, ``executable`` or ``link``.
        data: Content, or a link's target.
    """

    path: str
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True)
class SourceTree:
    """All files of a version, sorted by path.

    Attributes:
        files: The files.
        in_crlf: Paths whose lines end in CR LF here and in LF in the clone; see ``line_ends``.
    """

    files: tuple[TreeFile, ...]
    in_crlf: frozenset[str] = frozenset()

    def digest(self) -> str:
        """SHA-256 over paths, kinds and contents, hexadecimal."""
        digest = hashlib.sha256()
        for file in self.files:
            path = file.path.encode("utf-8", "surrogateescape")
            digest.update(b"%b\0%b\0%d\0" % (path, file.kind.encode(), len(file.data)))
            digest.update(file.data)
        return digest.hexdigest()

    def get(self, path: str) -> TreeFile | None:
        """The file at ``path``, if there is one."""
        return next((file for file in self.files if file.path == path), None)

    def with_files(self, extra: tuple[TreeFile, ...]) -> SourceTree:
        """This tree plus files; one that exists already is replaced."""
        merged = {file.path: file for file in (*self.files, *extra)}
        files = tuple(merged[path] for path in sorted(merged))
        return SourceTree(files, in_crlf=self.in_crlf.difference(file.path for file in extra))

    def archive(self) -> bytes:
        """An uncompressed tar file with fixed times."""
        buffer = io.BytesIO()
        with tarfile.open(
            fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT, errors="surrogateescape"
        ) as archive:
            for file in self.files:
                info = tarfile.TarInfo(file.path)
                info.mtime = 946684800  # 2000-01-01, as the synthetic commit
                info.mode = 0o755 if file.kind == "executable" else 0o644
                if file.kind == "link":
                    info.type = tarfile.SYMTYPE
                    info.linkname = file.data.decode("utf-8", "surrogateescape")
                    archive.addfile(info)
                else:
                    info.size = len(file.data)
                    archive.addfile(info, io.BytesIO(file.data))
        return buffer.getvalue()


def from_folder(folder: Path) -> SourceTree:
    """The files below a folder, without ``.git`` and Maven's ``target`` folders.

    Raises:
        InputError: There is no such folder, or it has no ``pom.xml``.
    """
    if not (folder / "pom.xml").is_file():
        raise InputError(f"{folder}: no pom.xml, so not the tree of a Maven project")
    found = tuple(sorted(_walk(folder), key=lambda file: file.path))
    return SourceTree(found)


def _walk(folder: Path) -> Iterator[TreeFile]:
    for place, folders, names in os.walk(folder):
        here = Path(place)
        is_module = (here / "pom.xml").is_file()
        links = [name for name in folders if (here / name).is_symlink()]
        skipped = {".git", *links, *(["target"] if is_module else [])}
        folders[:] = [name for name in folders if name not in skipped]
        for name in [*names, *links]:
            path = here / name
            relative = path.relative_to(folder).as_posix()
            if path.is_symlink():
                yield TreeFile(path=relative, kind="link", data=os.fsencode(path.readlink()))
            elif path.is_file():
                executable = path.stat().st_mode & stat.S_IXUSR
                kind = "executable" if executable else "file"
                yield TreeFile(path=relative, kind=kind, data=path.read_bytes())


def from_clone(clone: Path, commit: str) -> SourceTree:
    """The tree of one commit of a clone, byte for byte; submodules are left out.

    Of a blobless clone, as ``jeto-mine scan`` makes it, all contents are fetched in one request.

    Raises:
        InputError: The clone does not have the commit or a file of it, or git cannot read it.
    """
    listing = run_git(clone, ["ls-tree", "-r", "-z", "--full-tree", f"{commit}^{{tree}}"])
    wanted: list[tuple[str, str, str]] = []
    for line in listing.split(b"\0"):
        if not line:
            continue
        facts, _, raw_path = line.partition(b"\t")
        mode, kind, object_id = facts.decode("ascii").split()
        if kind == "blob":
            wanted.append((mode, object_id, raw_path.decode("utf-8", "surrogateescape")))
    ids = "".join(f"{object_id}\n" for _, object_id, _ in wanted).encode()
    fetch_contents(clone, commit, timeout=_FETCH_TIMEOUT_S)
    stream = io.BytesIO(run_git(clone, ["cat-file", "--batch"], stdin=ids))
    files = []
    for mode, object_id, path in wanted:
        answer = stream.readline().split()
        if len(answer) != len(("id", "kind", "size")):
            raise InputError(
                f"{clone}: the content of {path} ({object_id}) is missing from the clone",
                advice="It is partial or damaged: git fetch --refetch --no-filter completes it.",
            )
        data = stream.read(int(answer[2]))
        stream.read(1)
        kind = {"100755": "executable", "120000": "link"}.get(mode, "file")
        files.append(TreeFile(path=path, kind=kind, data=data))
    return SourceTree(tuple(sorted(files, key=lambda file: file.path)))
