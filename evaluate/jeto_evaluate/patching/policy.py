"""What one record says about paths that no general rule knows. Pure."""

from __future__ import annotations

from jeto_bench.records import EtipRecord
from jeto_evaluate.own_tests import paths_of_tests
from jeto_evaluate.patching.protected import PathClass, ProtectedPolicy, classify

__all__ = ["policy_for"]

_MAIN = "/src/main/"


def _free_root(path: str) -> str:
    """The directory of measured code that the reference shows: its ``src/main``, or its own."""
    at = f"/{path}".find(_MAIN)
    return path[: at + len(_MAIN) - 2] if at >= 0 else path.rpartition("/")[0]


def policy_for(record: EtipRecord) -> ProtectedPolicy:
    """Derive a record's policy.

    The fix's own tests are protected by name, whether base has them or not (field.md row 13). The
    reference changes main code only, so a directory it changes is free even if it sounds like
    tests, such as ``spring-test/src/main``.

    Args:
        record: The record; ``test_patch`` as git writes it, with ``a/`` and ``b/``.

    Raises:
        PatchError: ``test_patch`` is malformed.
    """
    tests = paths_of_tests(record.test_patch)
    free = {_free_root(path) for path in record.changed_files if classify(path) is PathClass.TEST}
    return ProtectedPolicy(must_be_absent=tests, source_roots=tuple(sorted(free - {""})))
