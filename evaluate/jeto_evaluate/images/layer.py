"""The files that an instance image adds to its base, made in a container that is thrown away."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import docker

from jeto_bench.records import EtipRecord
from jeto_evaluate.images.agent_jar import pack_agent
from jeto_evaluate.images.base import ProviderName
from jeto_evaluate.images.launcher_files import agent_files
from jeto_evaluate.images.rooms import Limits, open_workshop
from jeto_evaluate.images.settings import host_bundle, maven_settings, proxy_environment
from jeto_evaluate.images.sources import SourceTree, TreeFile
from jeto_evaluate.images.steps import Warmed, usable_wrapper, warm_up
from jeto_evaluate.images.tools import Toolbox
from jeto_evaluate.images.truststore import decode_pem, jks_truststore
from jeto_evaluate.images.workshop import CACHE
from jeto_evaluate.images.wrapper import generate_wrapper

__all__ = ["BuildOptions", "write_layer"]

_KEPT: Final = ("jeto/repo", "home/jeto", "opt/jeto")


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildOptions:
    """How instance images are built.

    Attributes:
        generate_wrapper: Add a Maven wrapper of the record's version to a tree without one, and
            keep downloads in the shared cache: for this repository's own projects. Foreign code
            reads the cache and cannot add to it.
        ca_bundle: PEM file with further certificates to trust while building.
        provider: Where base images come from.
        limits: What the offline proof may use.
    """

    generate_wrapper: bool = False
    ca_bundle: Path | None = None
    provider: ProviderName = ProviderName.AUTO
    limits: Limits = field(default_factory=Limits)


def write_layer(
    client: docker.DockerClient,
    record: EtipRecord,
    tree: SourceTree,
    *,
    base: str,
    options: BuildOptions,
    target: IO[bytes],
    log_path: Path,
) -> Warmed:
    """Warm up in a container with network and write what is to be kept as a tar file."""
    bundle = host_bundle(options.ca_bundle)
    certificates = decode_pem(bundle, source=str(options.ca_bundle or "the host's store"))
    supplies = {
        "ca.pem": bundle,
        "trust.jks": jks_truststore(certificates),
        "settings.xml": maven_settings(
            cache=f"{CACHE}/repository", proxies=proxy_environment(os.environ)
        ),
    }
    with open_workshop(
        client, base, log_path=log_path, subject=record.instance_id, cached=True
    ) as workshop:
        toolbox = Toolbox(
            client=client, supplies=supplies, provider=options.provider, log_dir=log_path.parent
        )
        wrapper: tuple[TreeFile, ...] = ()
        if not usable_wrapper(tree):
            wrapper = generate_wrapper(record.maven_version, workshop, toolbox)
        workshop.put(supplies)
        workshop.put({"jeto-agent.jar": pack_agent(agent_files(), workshop, toolbox)})
        warmed = warm_up(
            workshop,
            record,
            tree.with_files(wrapper) if options.generate_wrapper else tree,
            spare_wrapper=wrapper,
            share_downloads=options.generate_wrapper,
        )
        workshop.stream(["tar", "-C", "/", "--numeric-owner", "-cf", "-", *_KEPT], target)
    return warmed
