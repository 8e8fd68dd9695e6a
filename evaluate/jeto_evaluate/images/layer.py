"""The files that an instance image adds to its base, made in a container that is thrown away."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import docker

from jeto_bench.records import EtipRecord
from jeto_evaluate.images.agent_jar import pack_agent
from jeto_evaluate.images.base import ProviderName
from jeto_evaluate.images.launcher_files import agent_files
from jeto_evaluate.images.maven_home import usable_wrapper
from jeto_evaluate.images.mirror import RepositoryMirror
from jeto_evaluate.images.recipe import recipe
from jeto_evaluate.images.rooms import Limits, open_workshop
from jeto_evaluate.images.settings import host_bundle, maven_settings, proxy_environment
from jeto_evaluate.images.sources import SourceTree, TreeFile
from jeto_evaluate.images.steps import Warmed, warm_up
from jeto_evaluate.images.tools import Toolbox
from jeto_evaluate.images.truststore import decode_pem, jks_truststore
from jeto_evaluate.images.workshop import CACHE
from jeto_evaluate.images.wrapper import generate_wrapper

__all__ = ["BuildOptions", "Layer", "write_layer"]

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
        limits: What the offline proof may use; building keeps to its CPUs too.
        mirrors: URLs by the ids of the repositories in whose place they are asked.
        mirror: Asked in place of all repositories.
    """

    generate_wrapper: bool = False
    ca_bundle: Path | None = None
    provider: ProviderName = ProviderName.AUTO
    limits: Limits = field(default_factory=Limits)
    mirrors: Mapping[str, str] = field(default_factory=dict)
    mirror: RepositoryMirror | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Layer:
    """What writing a layer found out.

    Attributes:
        warmed: By the warm-up.
        recipe: How to make the image by hand; see ``recipe.recipe``.
    """

    warmed: Warmed
    recipe: Mapping[str, bytes]


def write_layer(
    client: docker.DockerClient,
    record: EtipRecord,
    tree: SourceTree,
    *,
    base: str,
    options: BuildOptions,
    target: IO[bytes],
    log_path: Path,
) -> Layer:
    """Warm up in a container with network and write what is to be kept as a tar file."""
    bundle = host_bundle(options.ca_bundle)
    certificates = decode_pem(bundle, source=str(options.ca_bundle or "the host's store"))
    supplies = {
        "ca.pem": bundle,
        "trust.jks": jks_truststore(certificates),
        "settings.xml": maven_settings(
            cache=f"{CACHE}/repository",
            proxies=proxy_environment(os.environ),
            mirrors=options.mirrors,
            mirror=options.mirror,
        ),
    }
    if options.mirror is not None:
        supplies["mirror.env"] = options.mirror.environment()
    with open_workshop(
        client,
        base,
        log_path=log_path,
        subject=record.instance_id,
        cached=True,
        cpuset=options.limits.cpuset,
    ) as workshop:
        toolbox = Toolbox(
            client=client, supplies=supplies, provider=options.provider, log_dir=log_path.parent
        )

        def spare() -> tuple[TreeFile, ...]:
            return generate_wrapper(record.maven_version, workshop, toolbox)

        if options.generate_wrapper and not usable_wrapper(tree):
            tree = tree.with_files(spare())
        workshop.put(supplies)
        workshop.put({"jeto-agent.jar": pack_agent(agent_files(), workshop, toolbox)})
        warmed = warm_up(
            workshop,
            record,
            tree,
            spare_wrapper=spare,
            share_downloads=options.generate_wrapper,
            mirrored=options.mirror is not None,
        )
        workshop.stream(["tar", "-C", "/", "--numeric-owner", "-cf", "-", *_KEPT], target)
    return Layer(
        warmed=warmed,
        recipe=recipe(
            record,
            base=base,
            done=workshop.done,
            mirrors=options.mirrors,
            in_crlf=tree.in_crlf,
        ),
    )
