from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from jeto_evaluate.sandbox.protocol import ExecResult, User

VECTORS_VARIABLE = "JETO_VECTORS"
VECTORS_DEFAULT = Path(__file__).parents[2].parent / "shared" / "vectors" / "vectors_public.json"


@pytest.fixture(scope="session")
def cases() -> list[dict[str, Any]]:
    """Reference vectors of the statistics.

    The file is named by the environment variable JETO_VECTORS; without it, the one beside the
    checkout (``../shared/vectors/vectors_public.json``) is used where it exists.
    """
    named = os.environ.get(VECTORS_VARIABLE)
    path = Path(named) if named else VECTORS_DEFAULT
    if not path.exists():
        if named:
            pytest.fail(f"{VECTORS_VARIABLE} names {path}, which does not exist")
        pytest.skip(f"no reference vectors here; name a file in {VECTORS_VARIABLE} to run this")
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["schema_version"] == 1, f"{path}: unknown schema_version"
    found: list[dict[str, Any]] = document["cases"]
    return found


class LocalSandbox:
    """A directory that stands for a container: same commands, paths mapped below ``root``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.commands: list[tuple[str, ...]] = []

    @property
    def repo(self) -> Path:
        return self.root / "jeto" / "repo"

    @property
    def scratch(self) -> Path:
        return self.root / "scratch"

    def _map(self, text: str) -> str:
        mapped = text.replace("/tmp/jeto-apply", str(self.scratch))  # noqa: S108  # a path inside
        return mapped.replace("/jeto/repo", str(self.repo))

    def exec(
        self,
        argv: Sequence[str],
        *,
        deadline: float,
        user: User = User.JETO,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> ExecResult:
        assert user is User.JETO
        self.commands.append(tuple(argv))
        started = time.monotonic()
        variables = {**os.environ, **{k: self._map(v) for k, v in (env or {}).items()}}
        try:
            done = subprocess.run(
                [self._map(arg) for arg in argv],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=deadline,
                cwd=self._map(cwd) if cwd else None,
                env=variables,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return ExecResult(exit_code=None, seconds=deadline, output=b"", timed_out=True)
        return ExecResult(
            exit_code=done.returncode,
            seconds=time.monotonic() - started,
            output=done.stdout[-65536:],
        )

    def put(self, path: str, data: bytes, *, mode: int = 0o644, user: User = User.JETO) -> None:
        assert user is User.JETO
        target = Path(self._map(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        target.chmod(mode)

    def get(self, path: str, *, max_bytes: int = 64 * 1024 * 1024) -> Mapping[str, bytes]:
        assert max_bytes > 0
        return _files(Path(self._map(path)))

    def close(self) -> None:
        shutil.rmtree(self.root)

    def git(self, *args: str) -> bytes:
        """Run git in the repository with fixed author and date."""
        fixed = {
            f"GIT_{who}_{what}": "base" for who in ("AUTHOR", "COMMITTER") for what in ("NAME",)
        }
        fixed |= {"GIT_AUTHOR_EMAIL": "base@box", "GIT_COMMITTER_EMAIL": "base@box"}
        done = subprocess.run(
            ["git", "-c", "core.autocrlf=false", *args],
            cwd=self.repo,
            env={**os.environ, **fixed, "GIT_CONFIG_GLOBAL": "/dev/null"},
            capture_output=True,
            check=True,
        )
        return done.stdout

    def write(self, files: Mapping[str, bytes]) -> None:
        for name, data in files.items():
            target = self.repo / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)

    def files(self) -> dict[str, bytes]:
        """Every file and link of the tree, git's own directory left out."""
        return {k: v for k, v in _files(self.repo).items() if not k.startswith(".git/")}


def _files(top: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for folder, _, names in os.walk(top):
        for name in names:
            path = Path(folder) / name
            link = os.fsencode(path.readlink()) if path.is_symlink() else None
            found[str(path.relative_to(top))] = path.read_bytes() if link is None else link
    return found


@pytest.fixture
def local_sandbox(tmp_path: Path) -> LocalSandbox:
    """A sandbox whose repository is empty and has no commit yet."""
    sandbox = LocalSandbox(tmp_path / "box")
    sandbox.repo.mkdir(parents=True)
    return sandbox
