"""Images from a Dockerfile and files, by the engine's classic builder.

An image gets exactly the files named here and no others, which is how nothing of a build (logs,
certificates, classes of the reference) can slip in.
"""

from __future__ import annotations

import io
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

import docker
import requests
from docker.errors import DockerException

from jeto_bench.errors import ImageError

__all__ = ["assemble"]


def assemble(
    client: docker.DockerClient,
    *,
    dockerfile: str,
    files: Mapping[str, bytes | Path],
    tag: str,
    labels: Mapping[str, str],
    log_path: Path,
    network: str = "none",
) -> str:
    """Build and tag an image.

    Args:
        client: The engine.
        dockerfile: Text of the Dockerfile.
        files: The build context, by name.
        tag: Name of the result.
        labels: Labels of the result.
        log_path: Where the builder's words are appended.
        network: ``host`` where a step installs packages.

    Returns:
        The image's id.

    Raises:
        ImageError: A step failed, or the engine refused.
    """
    log_path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile() as context:
        with tarfile.open(fileobj=context, mode="w") as archive:
            for name, content in {"Dockerfile": dockerfile.encode(), **files}.items():
                if isinstance(content, Path):
                    archive.add(content, arcname=name)
                else:
                    info = tarfile.TarInfo(name)
                    info.size = len(content)
                    info.mode = 0o755
                    archive.addfile(info, io.BytesIO(content))
        context.seek(0)
        try:
            lines = client.api.build(
                fileobj=context,
                custom_context=True,
                tag=tag,
                rm=True,
                forcerm=True,
                decode=True,
                network_mode=network,
                labels=dict(labels),
            )
            with log_path.open("a", encoding="utf-8") as log:
                for line in lines:
                    log.write(line.get("stream", ""))
                    if "error" in line:
                        log.write(line["error"] + "\n")
                        raise ImageError(
                            f"{tag} could not be built: {line['error']}",
                            advice=f"The whole output is in {log_path}.",
                        )
            return str(client.images.get(tag).id)
        except (DockerException, requests.RequestException) as error:
            raise ImageError(f"{tag} could not be built: {error}", advice=str(log_path)) from error
