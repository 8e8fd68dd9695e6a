"""Shorten Surefire's reports to what the tests read, so that they can be kept.

Usage: ``python trim.py FROM TO`` copies every ``TEST-*.xml`` of FROM into TO. Bytes are kept as
they are, except that stack frames, the schema's address and all properties but three go: the rest
names paths and machines.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_KEPT = re.compile(rb'name="(?:user\.language|surefire\.version|java\.specification\.version)"')
_PROPERTY = re.compile(rb"[ \t]*<property .*?/>\r?\n?", re.DOTALL)
_FRAME = re.compile(rb"\r?\n[ \t]+at [^\r\n]*|\r?\n[ \t]+\.\.\. \d+ more")
_SCHEMA = re.compile(rb' xsi:noNamespaceSchemaLocation="[^"]*"')


def trim(data: bytes) -> bytes:
    """Return the shortened report."""
    kept = _PROPERTY.sub(lambda match: match[0] if _KEPT.search(match[0]) else b"", data)
    return _SCHEMA.sub(b"", _FRAME.sub(b"", kept))


def main(source: Path, target: Path) -> None:
    """Trim every report of one directory into another."""
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("TEST-*.xml")):
        (target / path.name).write_bytes(trim(path.read_bytes()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
