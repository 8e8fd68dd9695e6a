"""Whether an image tells the fix: what git in it knows beyond the one commit (field.md row 53)."""

from __future__ import annotations

from typing import Final

from jeto_bench.records import EtipRecord
from jeto_evaluate.sandbox.protocol import Sandbox

__all__ = ["history_leak"]

_REPO: Final = "/jeto/repo"
_SECONDS: Final = 60.0
_QUESTIONS: Final = (
    (("git", "rev-list", "--all", "--count"), b"1", "it has more or less than one commit"),
    (("git", "remote"), b"", "it has a remote"),
    (("git", "tag"), b"", "it has a tag"),
    (("git", "reflog", "show", "--all"), b"", "it has a reflog"),
    (
        ("git", "fsck", "--unreachable", "--no-reflogs", "--no-progress"),
        b"",
        "it has unreachable objects",
    ),
)


def history_leak(sandbox: Sandbox, record: EtipRecord) -> str:
    """Return how the image of a record tells its fix; empty if it does not.

    A question that git does not answer counts as a leak: nothing is known then.

    Args:
        sandbox: A container of the image, as agents get it.
        record: Names the commits that must not be known.

    Raises:
        SandboxError: The container cannot be driven.
    """
    for command, wanted, leak in _QUESTIONS:
        done = sandbox.exec(list(command), deadline=_SECONDS, cwd=_REPO)
        if not done.ok:
            return f"{' '.join(command)} failed in it"
        if done.output.strip() != wanted:
            return leak
    for commit in record.fix_commits:
        # With status 0 the object is there; git says 128 where it is not.
        known = sandbox.exec(["git", "cat-file", "-e", commit], deadline=_SECONDS, cwd=_REPO)
        if known.exit_code in {0, None}:
            return f"it has the fix, commit {commit}"
    return ""
