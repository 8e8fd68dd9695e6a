"""The agent's jar: packed with the libraries it needs by Maven, while an image is built."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from jeto_evaluate.images.launcher_files import script
from jeto_evaluate.images.tools import Product, Toolbox
from jeto_evaluate.images.workshop import Workshop

__all__ = ["pack_agent"]


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
    return toolbox.make(product, workshop)
