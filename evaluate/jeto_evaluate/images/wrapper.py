"""Maven wrappers of a pinned version: the script-only kind, which needs no binary in the tree."""

from __future__ import annotations

import io
import re
import tarfile
from typing import Final

from jeto_bench.errors import ImageError, InputError
from jeto_evaluate.images.launcher_files import script
from jeto_evaluate.images.sources import TreeFile
from jeto_evaluate.images.tools import Product, Toolbox
from jeto_evaluate.images.workshop import Workshop

__all__ = ["generate_wrapper"]

_PLUGIN: Final = "org.apache.maven.plugins:maven-wrapper-plugin:3.3.2:wrapper"
_FILES: Final = ("mvnw", "mvnw.cmd", ".mvn/wrapper/maven-wrapper.properties")
_POM: Final = b"""\
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>jeto</groupId>
  <artifactId>wrapper</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
</project>
"""


def generate_wrapper(
    maven_version: str, workshop: Workshop, toolbox: Toolbox
) -> tuple[TreeFile, ...]:
    """The wrapper's files for a Maven version.

    Args:
        maven_version: Such as ``3.9.9``.
        workshop: A running container with the download cache, where a kept wrapper is looked for.
        toolbox: Makes it.

    Raises:
        InputError: The version is none.
        ImageError: Maven could not be had or failed.
    """
    if not re.fullmatch(r"[0-9]+(\.[0-9A-Za-z-]+)+", maven_version):
        raise InputError(f"maven_version: {maven_version!r} is no version of Maven")
    product = Product(
        what=f"the wrapper of Maven {maven_version}",
        key=f"wrappers/{_PLUGIN.split(':')[2]}-{maven_version}.tar",
        files={"pom.xml": _POM, "wrapper.sh": script("wrapper.sh")},
        argv=["sh", "/mnt/wrapper.sh", _PLUGIN, maven_version],
        result="/tmp/wrapper.tar",  # noqa: S108  # in a container that nobody shares
    )
    return _unpack(toolbox.make(product, workshop))


def _unpack(data: bytes) -> tuple[TreeFile, ...]:
    files: list[TreeFile] = []
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for name in _FILES:
            member = archive.extractfile(name)
            if member is None:
                raise ImageError(f"the generated wrapper has no {name}")
            kind = "executable" if name == "mvnw" else "file"
            files.append(TreeFile(path=name, kind=kind, data=member.read()))
    return tuple(files)
