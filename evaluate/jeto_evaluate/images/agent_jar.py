"""The agent's jar: packed with the libraries it needs by Maven, while an image is built."""

from __future__ import annotations

import hashlib
import io
import re
import struct
from collections.abc import Mapping
from typing import Final
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from jeto_evaluate.images.class_file import ACC_VARARGS, add_method_flag
from jeto_evaluate.images.launcher_files import script
from jeto_evaluate.images.tools import Product, Toolbox
from jeto_evaluate.images.workshop import Workshop

__all__ = ["pack_agent"]

_PREMAIN: Final = "io/jetobench/agent/Premain.class"
_TOGETHER: Final = re.compile(r"io/jetobench/agent/(?:core|hook)/[^/]+\.class")


def pack_agent(sources: Mapping[str, bytes], workshop: Workshop, toolbox: Toolbox) -> bytes:
    """The jar.

    Args:
        sources: The agent's Maven project, content by relative path.
        workshop: A running container with the download cache.
        toolbox: Makes it.

    Raises:
        ImageError: Maven could not be had or failed.
    """
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(f"{path} {len(sources[path])}\n".encode() + sources[path])
    product = Product(
        what="the agent",
        key=f"agents/{digest.hexdigest()[:32]}.jar",
        files={
            **{f"agent/{path}": data for path, data in sources.items()},
            "agent.sh": script("agent.sh"),
        },
        argv=["sh", "/mnt/agent.sh"],
        result="/tmp/jeto-agent.jar",  # noqa: S108  # in a container that nobody shares
    )
    return _quick_to_start(toolbox.make(product, workshop))


def _quick_to_start(jar: bytes) -> bytes:
    """Return the agent's jar so that test JVMs spend less on it.

    Nothing is compressed, since to inflate classes takes time. ``premain`` is marked as if it took
    any number of arguments, which it does not: JDK 18 and later make method handles to call a
    method by reflection, which takes as long as a third of the agent, and call natively one that
    is so marked (``MethodHandleAccessorFactory.useNativeAccessor``). Others do not mind. What every
    JVM loads stands once more in one entry (see ``CoreLoader``).
    """
    packed = io.BytesIO()
    together: list[bytes] = []
    with ZipFile(io.BytesIO(jar)) as old, ZipFile(packed, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename == _PREMAIN:
                data = add_method_flag(data, "premain", ACC_VARARGS)
            entry.compress_type = ZIP_STORED
            new.writestr(entry, data)
            if _TOGETHER.fullmatch(entry.filename):
                name = entry.filename.removesuffix(".class").replace("/", ".").encode()
                together.append(struct.pack(">H", len(name)) + name)
                together.append(struct.pack(">I", len(data)) + data)
        count = struct.pack(">I", len(together) // 2)
        new.writestr(ZipInfo("io/jetobench/agent/together"), count + b"".join(together))
    return packed.getvalue()
