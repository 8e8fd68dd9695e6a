"""The agent's jar: packed with the libraries it needs by Maven, while an image is built."""

from __future__ import annotations

import hashlib
import io
import re
import struct
from collections.abc import Mapping
from typing import Final
from zipfile import ZipFile, ZipInfo

from jeto_evaluate.images.class_file import ACC_VARARGS, add_method_flag
from jeto_evaluate.images.launcher_files import script
from jeto_evaluate.images.tools import Product, Toolbox
from jeto_evaluate.images.workshop import Workshop

__all__ = ["pack_agent"]

_PREMAIN: Final = "io/jetobench/agent/Premain.class"
_MANIFEST: Final = "META-INF/MANIFEST.MF"
_STARTS: Final = re.compile(
    r"(?:java/lang|sun|com/sun)/.*|io/jetobench/agent/core/.*"
    r"|io/jetobench/agent/hook/(?:Prepared|SurefireTransformer|ThreadHook)\.class"
)


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

    Nothing is compressed, since to inflate classes takes time, and all classes but the first stand
    in two entries, since to find one among many does too: what every JVM loads, and the rest (see
    ``Premain``). ``premain`` is marked as if it took any number of arguments, which it does not:
    JDK 18 and later make method handles to call a method by reflection, which takes as long as a
    third of the agent, and call natively one that is so marked
    (``MethodHandleAccessorFactory.useNativeAccessor``). Others do not mind.
    """
    packed = io.BytesIO()
    with ZipFile(io.BytesIO(jar)) as old, ZipFile(packed, "w") as new:
        files = {name: old.read(name) for name in old.namelist() if not name.endswith("/")}
        new.writestr(ZipInfo(_MANIFEST), files.pop(_MANIFEST))
        premain = add_method_flag(files.pop(_PREMAIN), "premain", ACC_VARARGS)
        new.writestr(ZipInfo(_PREMAIN), premain)
        classes = {name: data for name, data in files.items() if name.endswith(".class")}
        start = {name: data for name, data in classes.items() if _STARTS.fullmatch(name)}
        rest = {name: data for name, data in classes.items() if name not in start}
        new.writestr(ZipInfo("start"), _together(start))
        new.writestr(ZipInfo("rest"), _together(rest))
    return packed.getvalue()


def _together(classes: Mapping[str, bytes]) -> bytes:
    """How many, and name, length and bytes of each."""
    parts = [struct.pack(">I", len(classes))]
    for path, data in classes.items():
        name = path.removesuffix(".class").replace("/", ".").encode()
        parts += [struct.pack(">H", len(name)), name, struct.pack(">I", len(data)), data]
    return b"".join(parts)
