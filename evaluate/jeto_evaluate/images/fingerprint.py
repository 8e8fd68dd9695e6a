"""What an instance image is built from, as one hash. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from jeto_bench.records import EtipRecord
from jeto_evaluate.images.layout import FORMAT

__all__ = ["source_hash"]


def source_hash(
    record: EtipRecord, *, tree: str, harness: Mapping[str, bytes], generate_wrapper: bool
) -> str:
    """SHA-256 over everything that decides the image's content.

    Args:
        record: Gives id, base commit, JDK, Maven, modules, and the reference whose
            artifacts are cached.
        tree: Digest of the base tree.
        harness: Launcher files and build scripts by name.
        generate_wrapper: Whether a wrapper is added to a tree without one.

    Returns:
        64 hexadecimal digits.
    """
    parts = {
        "format": FORMAT,
        "tree": tree,
        "java": record.java_version,
        "maven": record.maven_version,
        "modules": list(record.modules),
        "patch": hashlib.sha256(record.patch.encode("utf-8", "surrogateescape")).hexdigest(),
        "tests": hashlib.sha256(record.test_patch.encode("utf-8", "surrogateescape")).hexdigest(),
        "instance": [record.instance_id, record.base_commit],
        "wrapper": generate_wrapper,
        "harness": {name: hashlib.sha256(data).hexdigest() for name, data in harness.items()},
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
