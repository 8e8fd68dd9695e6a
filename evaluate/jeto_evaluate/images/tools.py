"""Products of a Maven that runs in a container of its own, kept in the download cache.

Debian's Maven generates wrappers and packs the agent while images are built; each product is made
once and found again by its key.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import docker
from docker.errors import ImageNotFound

from jeto_evaluate.images.assemble import assemble
from jeto_evaluate.images.base import ProviderName, ensure_base_image
from jeto_evaluate.images.layout import FORMAT, Label, tools_tag
from jeto_evaluate.images.rooms import open_workshop
from jeto_evaluate.images.workshop import CACHE, Workshop

__all__ = ["Product", "Toolbox"]

_LOCK: Final = threading.Lock()
_JAVA: Final = 17
# The base leaves manual pages out, and Debian's Maven links one when it is set up.
_DOCKERFILE: Final = """\
FROM {base}
RUN mkdir -p /usr/share/man/man1 && apt-get update \\
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends maven \\
    && rm -rf /var/lib/apt/lists/*
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Product:
    """Something that Maven makes.

    Attributes:
        what: For messages.
        key: Path below the cache; another content has another key.
        files: What the command finds in ``/mnt``.
        argv: Makes the product.
        result: Absolute path at which the command leaves it.
    """

    what: str
    key: str
    files: Mapping[str, bytes]
    argv: Sequence[str]
    result: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Toolbox:
    """What making a product needs.

    Attributes:
        client: The engine.
        supplies: Certificates and settings for ``/mnt``.
        provider: Where the tools image's base comes from.
        log_dir: Folder for logs.
    """

    client: docker.DockerClient
    supplies: Mapping[str, bytes]
    provider: ProviderName
    log_dir: Path

    def make(self, product: Product, workshop: Workshop) -> bytes:
        """Return a product, made unless it is kept already.

        Args:
            product: What to make.
            workshop: A running container with the download cache.

        Raises:
            ImageError: Maven could not be had or failed.
        """
        kept = f"{CACHE}/{product.key}"
        status, _ = workshop.run(["test", "-s", kept], user="root")
        if status != 0:
            self._make(product, kept)
        buffer = io.BytesIO()
        workshop.stream(["cat", kept], buffer)
        return buffer.getvalue()

    def _make(self, product: Product, kept: str) -> None:
        with _LOCK:
            self._ensure_image()
        log_path = self.log_dir / f"{Path(product.key).stem}.log"
        with open_workshop(
            self.client, tools_tag(), log_path=log_path, subject=product.what, cached=True
        ) as tools:
            tools.put({**self.supplies, **product.files})
            tools.must(f"making {product.what}", product.argv)
            folder = kept.rpartition("/")[0]
            keep = f"mkdir -p {folder} && mv {product.result} {kept}.$$ && mv {kept}.$$ {kept}"
            tools.must(f"keeping {product.what}", ["sh", "-c", keep], user="root")

    def _ensure_image(self) -> None:
        try:
            self.client.images.get(tools_tag())
        except ImageNotFound:
            base = ensure_base_image(
                self.client, _JAVA, provider=self.provider, log_dir=self.log_dir
            )
            assemble(
                self.client,
                dockerfile=_DOCKERFILE.format(base=base),
                files={},
                tag=tools_tag(),
                labels={
                    Label.CREATED_BY.value: "jeto-bench",
                    Label.KIND.value: "tools",
                    Label.FORMAT.value: str(FORMAT),
                },
                log_path=self.log_dir / "tools.log",
                network="host",
            )
