"""Names, labels and paths that every image of this project shares."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from jeto_bench.records import EtipRecord

__all__ = [
    "ARTIFACT_CACHE_VOLUME",
    "BASE_REPOSITORY",
    "FORMAT",
    "HOME",
    "JAVA_VERSIONS",
    "REPO",
    "Label",
    "base_tag",
    "image_name",
    "tools_tag",
]

FORMAT: Final = 1
"""Version of the layout below; a change of it makes all images build anew.

History: 1, first layout.
"""

JAVA_VERSIONS: Final = (8, 11, 17, 21, 25)
"""Feature releases for which base images exist."""

REPO: Final = "/jeto/repo"
HOME: Final = "/home/jeto"

BASE_REPOSITORY: Final = "jeto-bench"
ARTIFACT_CACHE_VOLUME: Final = "jeto-bench-m2-cache"


class Label(StrEnum):
    """Labels of images and other engine objects."""

    CREATED_BY = "org.jeto-bench.created-by"
    KIND = "org.jeto-bench.kind"
    FORMAT = "org.jeto-bench.format"
    INSTANCE = "org.jeto-bench.instance"
    BASE_COMMIT = "org.jeto-bench.base-commit"
    JAVA = "org.jeto-bench.java"
    JDK = "org.jeto-bench.jdk"
    MAVEN = "org.jeto-bench.maven"
    MAVEN_COMMAND = "org.jeto-bench.maven-command"
    SUREFIRE = "org.jeto-bench.surefire"
    SOURCE_HASH = "org.jeto-bench.source-hash"
    PROVIDER = "org.jeto-bench.provider"
    BASE_BYTES = "org.jeto-bench.base-bytes"


def base_tag(java: int) -> str:
    """Name of the base image of a JDK."""
    return f"{BASE_REPOSITORY}/base-jdk{java}:{FORMAT}"


def tools_tag() -> str:
    """Name of the image whose Maven generates wrappers."""
    return f"{BASE_REPOSITORY}/tools:{FORMAT}"


def image_name(record: EtipRecord) -> str:
    """Name of a record's image: the record's own, else one made from its id and version."""
    if record.image:
        return record.image
    return f"{BASE_REPOSITORY}/{record.instance_id.lower()}:{record.dataset_version or FORMAT}"
