"""Repositories made by ``git fast-import``: any history, any bytes, the same ids every time."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

ADA = b"Ada <ada@example.org>"
GITHUB = b"GitHub <noreply@github.com>"
DAY = 86_400
START = 1_450_000_000  # 2015-12-13

Files: TypeAlias = "Mapping[Any, str | bytes | None]"
"""Contents by path, which is text or bytes; None removes a file."""


@dataclass(kw_only=True)
class MadeHistory:
    """A history in the making; commits are named by numbers until it is written."""

    commands: list[bytes] = field(default_factory=list)
    count: int = 0

    def commit(
        self,
        message: str | bytes,
        files: Files,
        *parents: int,
        author: bytes = ADA,
        committer: bytes = b"",
        encoding: bytes = b"",
        authored: int | None = None,
        committed: int | None = None,
    ) -> int:
        """Add a commit."""
        self.count += 1
        at = START + self.count * DAY if committed is None else committed
        text = message.encode() if isinstance(message, str) else message
        by = author + b" %d +0000" % (at if authored is None else authored)
        lines = [b"commit refs/made/%d" % self.count, b"mark :%d" % self.count, b"author " + by]
        lines.append(b"committer " + (committer or author) + b" %d +0000" % at)
        if encoding:
            lines.append(b"encoding " + encoding)
        lines.append(b"data %d\n%b" % (len(text), text))
        for number, parent in enumerate(parents):
            lines.append(b"%b :%d" % (b"merge" if number else b"from", parent))
        for path, content in files.items():
            quoted = _quoted(path.encode() if isinstance(path, str) else path)
            if content is None:
                lines.append(b"D " + quoted)
                continue
            data = content.encode() if isinstance(content, str) else content
            mode = b"100755" if quoted == b'"mvnw"' else b"100644"
            lines.append(b"M " + mode + b" inline " + quoted)
            lines.append(b"data %d\n%b" % (len(data), data))
        self.commands += lines
        return self.count

    def point(self, ref: str, commit: int) -> None:
        """Let a ref point at a commit."""
        self.commands.append(b"reset %b\nfrom :%d\n" % (ref.encode(), commit))

    def write(self, place: Path, *, keep: Sequence[int] = ()) -> dict[int, str]:
        """Write it as a bare repository whose default branch is ``main``; return the ids.

        Commits that no other ref reaches are dropped, but for those in ``keep``.
        """
        git(Path(), "init", "-q", "--bare", "-b", "main", str(place))
        marks = place / "marks"
        subprocess.run(
            ["git", "-C", str(place), "fast-import", "--quiet", f"--export-marks={marks}"],
            input=b"\n".join(self.commands) + b"\n",
            check=True,
            capture_output=True,
        )
        pairs = (line.split() for line in marks.read_text().splitlines())
        ids = {int(mark[1:]): commit for mark, commit in pairs}
        drop = "".join(f"delete refs/made/{n}\n" for n in ids if n not in keep)
        subprocess.run(
            ["git", "-C", str(place), "update-ref", "--stdin"], input=drop.encode(), check=True
        )
        return ids


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder; return what it prints."""
    command = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x", *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


def _quoted(path: bytes) -> bytes:
    plain = b"".join(
        bytes([byte]) if 32 <= byte < 127 and byte not in b'"\\' else b"\\%03o" % byte
        for byte in path
    )
    return b'"' + plain + b'"'
