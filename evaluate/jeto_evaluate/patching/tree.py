"""The tree in the sandbox, through a git directory of our own.

The repository's own ``.git`` is not used: its attributes, ignore rules, filters, hooks and line-end
settings (and those of the user) would decide what is compared and written. Here a scratch directory
outside the tree holds objects and index, and an attribute file that switches all conversion off, so
the hash of the tree is the hash of its bytes, ignored files included.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping

from jeto_bench.errors import SandboxError
from jeto_evaluate.patching.plan import TreeEntry
from jeto_evaluate.patching.protected import PathClass, classify
from jeto_evaluate.sandbox.protocol import ExecResult, Sandbox

__all__ = ["REPOSITORY", "ScratchTree"]

REPOSITORY = "/jeto/repo"
_SCRATCH = "/tmp/jeto-apply"  # noqa: S108  # inside the sandbox, before any code of others ran there
_OUT = f"{_SCRATCH}/out"
_ATTRIBUTES = b"* -text -crlf -eol -ident -filter -working-tree-encoding -whitespace -diff -merge\n"
_GRACE_SECONDS = 120.0
_ENV = {
    "GIT_DIR": f"{_SCRATCH}/git",
    "GIT_WORK_TREE": REPOSITORY,
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
_CONFIG = b"""\
[core]
    repositoryFormatVersion = 0
    bare = false
    autocrlf = false
    safecrlf = false
    fileMode = true
    symlinks = true
    ignoreCase = false
    protectNTFS = false
    protectHFS = false
    fsmonitor = false
    quotePath = false
    compression = 0
    hooksPath = /dev/null
    excludesFile = /dev/null
    attributesFile = /dev/null
[gc]
    auto = 0
"""


class ScratchTree:
    """Snapshots of, and changes to, the tree. Every method may raise ``SandboxError``.

    Args:
        sandbox: Where the tree lives.
        deadline: Seconds for everything together; ``restore`` and ``close`` get extra time.
    """

    def __init__(self, sandbox: Sandbox, *, deadline: float) -> None:
        self._sandbox = sandbox
        self._end = time.monotonic() + deadline
        self.timed_out = False

    def _run(self, script: str, *args: str, grace: float = 0.0) -> ExecResult:
        left = max(1.0, self._end - time.monotonic(), grace)
        argv = ("sh", "-c", f"set -eu\n{script}", "sh", *args)
        result = self._sandbox.exec(argv, deadline=left, cwd=REPOSITORY, env=_ENV)
        self.timed_out = self.timed_out or result.timed_out
        return result

    def _must(self, script: str, *args: str, grace: float = 0.0) -> None:
        result = self._run(script, *args, grace=grace)
        if not result.ok:
            tail = result.output[-2000:].decode("utf-8", "replace")
            raise SandboxError(f"{script.splitlines()[0]!r} failed in the sandbox: {tail}")

    def _output(self, name: str) -> bytes:
        # Answers leave in files: the sandbox keeps only the tail of what is printed.
        return self._sandbox.get(_OUT).get(name, b"")

    def open(self) -> None:
        """Create the scratch directory, empty."""
        self._must(
            f"rm -rf {_SCRATCH} && mkdir -p {_OUT}\n"
            f"env -u GIT_WORK_TREE git init -q --bare --template= {_SCRATCH}/git",
            grace=_GRACE_SECONDS,
        )
        self._sandbox.put(f"{_SCRATCH}/git/config", _CONFIG)
        self._sandbox.put(f"{_SCRATCH}/git/info/attributes", _ATTRIBUTES)

    def close(self) -> None:
        """Remove the scratch directory."""
        self._must(f"rm -rf {_SCRATCH}", grace=_GRACE_SECONDS)

    def require_clean(self) -> None:
        """Check that the repository itself sees no change against its one commit.

        Build output that no ignore rule names is let pass; it belongs to the image.

        Raises:
            SandboxError: It does; the fault lies with the image or an earlier step, never with
                the patch.
        """
        self._must(
            "unset GIT_DIR GIT_WORK_TREE\n"
            "git -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.excludesFile=/dev/null"
            f" status --porcelain -z --no-renames --untracked-files=all > {_OUT}/status",
            grace=_GRACE_SECONDS,
        )
        for line in self._output("status").split(b"\0"):
            path = os.fsdecode(line[3:])
            if line and not (line.startswith(b"?? ") and classify(path) is PathClass.JUNK):
                raise SandboxError(f"the tree is not at base: {os.fsdecode(line)!r}")

    def snapshot(self, *, grace: float = _GRACE_SECONDS) -> str:
        """Store every file of the tree, ignored ones too, and return the tree's hash."""
        self._must(f"git add -A -f .\ngit write-tree > {_OUT}/tree", grace=grace)
        return self._output("tree").decode("ascii").strip()

    def entries(self) -> Mapping[str, TreeEntry]:
        """Files of the last snapshot."""
        self._must(f"git ls-files -s -z > {_OUT}/files", grace=_GRACE_SECONDS)
        found: dict[str, TreeEntry] = {}
        for line in self._output("files").split(b"\0"):
            if line:
                facts, _, path = line.partition(b"\t")
                mode, blob, _stage = facts.decode("ascii").split(" ")
                found[os.fsdecode(path)] = TreeEntry(mode=mode, blob=blob)
        return found

    def ignored(self, paths: Iterable[str]) -> frozenset[str]:
        """Those of the paths that the tree's ignore rules name."""
        data = b"".join(os.fsencode(path) + b"\0" for path in paths)
        if not data:
            return frozenset()
        self._sandbox.put(f"{_SCRATCH}/asked", data)
        # Status 1 says that none is ignored. A name that git will not look at is no fault of the
        # sandbox either: it stays in the patch, and applying decides.
        self._run(
            f"git check-ignore -z --no-index --stdin < {_SCRATCH}/asked > {_OUT}/ignored",
            grace=_GRACE_SECONDS,
        )
        return frozenset(os.fsdecode(path) for path in self._output("ignored").split(b"\0") if path)

    def apply(self, patch: bytes, *, depth: int, options: tuple[str, ...]) -> ExecResult:
        """Check the whole patch and, only if all of it fits, apply it."""
        self._sandbox.put(f"{_SCRATCH}/patch.diff", patch)
        return self._run(
            'git apply --check "$@"\ngit apply "$@"',
            f"-p{depth}",
            "--whitespace=nowarn",
            *options,
            f"{_SCRATCH}/patch.diff",
        )

    def differences(self, base: str, now: str) -> Mapping[str, str]:
        """Paths that differ between two snapshots, with their new mode (``000000``: gone)."""
        self._must(
            f'git diff-tree -r -z --no-renames --raw "$1" "$2" > {_OUT}/diff',
            base,
            now,
            grace=_GRACE_SECONDS,
        )
        fields = self._output("diff").split(b"\0")
        return {
            os.fsdecode(path): facts.split(b" ")[1].decode("ascii")
            for facts, path in zip(fields[0::2], fields[1::2], strict=False)
        }

    def restore_paths(
        self, base: str, entries: Mapping[str, TreeEntry], paths: Iterable[str]
    ) -> None:
        """Bring single paths back to what a snapshot has; remove those it does not have."""
        wanted = sorted(paths)
        for name, chosen in (
            ("gone", wanted),
            ("present", [path for path in wanted if path in entries]),
        ):
            data = b"".join(os.fsencode(path) + b"\0" for path in chosen)
            self._sandbox.put(f"{_SCRATCH}/{name}", data)
        self._must(
            'git read-tree "$1"\n'
            f"xargs -0 -r rm -rf -- < {_SCRATCH}/gone\n"
            f"git checkout-index -f -z --stdin < {_SCRATCH}/present",
            base,
            grace=_GRACE_SECONDS,
        )

    def restore(self, base: str) -> None:
        """Bring the whole tree back to a snapshot and verify every byte of it."""
        self._must(
            'git read-tree --reset "$1"\ngit clean -ffdqx\ngit checkout-index -f -a',
            base,
            grace=_GRACE_SECONDS,
        )
        if self.snapshot() != base:
            raise SandboxError("the tree could not be brought back to base")
