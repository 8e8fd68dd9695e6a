"""Refuses trees whose tests would run at the same time whatever a round sets (field.md row 72)."""

from __future__ import annotations

import re
from typing import Final

from jeto_bench.errors import ImageError
from jeto_evaluate.images.sources import SourceTree
from jeto_evaluate.surefire import ParallelKind, find_parallel

__all__ = ["require_serial_tests"]

_PROVIDER_PROPERTY: Final = re.compile(rb"<name>\s*parallel\s*</name>")


def require_serial_tests(tree: SourceTree, instance_id: str) -> None:
    """Refuse settings that a round does not switch off; a class's time would mean nothing.

    A round removes Surefire's ``parallel``, further forks and JUnit's parallel mode. It does not
    reach into TestNG's suite files, nor into the properties handed to a provider.

    Raises:
        ImageError: Such a setting is in force; the message names file and value.
    """
    poms = {
        file.path: file.data
        for file in tree.files
        if f"/{file.path}".endswith("/pom.xml") and "/src/" not in f"/{file.path}"
    }
    suites = b"suiteXmlFile" in b"".join(poms.values())
    others = {file.path: file.data for file in tree.files if not file.path.endswith("pom.xml")}
    for found in find_parallel({**others, **poms}):
        in_suite = found.kind is ParallelKind.TESTNG_SUITE and suites
        to_provider = found.kind is ParallelKind.THREADS and bool(
            _PROVIDER_PROPERTY.search(poms.get(found.path, b""))
        )
        if in_suite or to_provider:
            raise ImageError(
                f"{instance_id}: {found.path} runs tests at the same time"
                f" ({found.setting} = {found.value})",
                advice="Such classes cannot be timed one by one; leave the record out.",
            )
