"""How an image was made, as a Dockerfile that a person can read and build by hand. Pure."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Mapping
from typing import Final

from jeto_bench.records import EtipRecord
from jeto_evaluate.images.layout import image_name
from jeto_evaluate.images.settings import maven_settings
from jeto_evaluate.images.workshop import CACHE, STAGE, Done

__all__ = ["recipe"]

_SOURCE: Final = "source.tar"
_OF_THIS_HOST: Final = frozenset({"ca.pem", "mirror.env", "settings.xml", "trust.jks", _SOURCE})
_AS_STORED: Final = (
    "* -export-ignore -export-subst -text -eol -ident -filter -working-tree-encoding\n"
)
_DOCKERFILE: Final = """\
# {image}, by hand. In this folder:
#
#   git clone --bare https://github.com/{repo}.git clone
#   cp attributes clone/info/attributes
#   git -C clone archive -o "$PWD/mnt/{source}" {commit}
#   docker build --network host -t {image} .
#
# A network whose proxy has a certificate of its own needs it as mnt/ca.pem (PEM) and
# mnt/trust.jks (the JDK's store with it, password changeit). `jeto-bench images check` wants the
# labels of an image that was built by `jeto-bench images build`; this one has none.
FROM {base} AS warm
USER root
COPY mnt/ {stage}/
RUN [ -e {stage}/ca.pem ] || cp /etc/ssl/certs/ca-certificates.crt {stage}/ca.pem
RUN [ -e {stage}/trust.jks ] \
    || cp -L "$(find -L /opt/jdk -path '*lib/security/cacerts' | head -n 1)" {stage}/trust.jks
{steps}
FROM {base}
COPY --from=warm --chown=jeto:jeto /jeto/repo /jeto/repo
COPY --from=warm --chown=jeto:jeto /home/jeto /home/jeto
COPY --from=warm /opt/jeto /opt/jeto
USER jeto
WORKDIR /jeto/repo
"""


def recipe(
    record: EtipRecord,
    *,
    base: str,
    done: Done,
    mirrors: Mapping[str, str],
    in_crlf: Collection[str] = (),
) -> dict[str, bytes]:
    """Return the files of a folder from which an image can be built again.

    The project's own files are not among them, nor is anything of this host.

    Args:
        record: The record.
        base: Name of the base image.
        done: What was done to the base.
        mirrors: As in ``layer.BuildOptions``.
        in_crlf: Paths whose lines end in CR LF in the image and in LF in a clone.
    """
    steps = []
    before = ""
    for user, argv in done.steps:
        if user != before:
            steps.append(f"USER {user}")
        before = user
        home = "/root" if user == "root" else f"/home/{user}"
        steps.append(f"RUN {json.dumps(['env', f'HOME={home}', *argv])}")
    text = _DOCKERFILE.format(
        image=image_name(record),
        repo=record.repo,
        commit=record.base_commit,
        base=base,
        stage=STAGE,
        source=_SOURCE,
        steps="\n".join(steps),
    )
    settings = maven_settings(cache=f"{CACHE}/repository", proxies={}, mirrors=mirrors)
    staged = {name: data for name, data in done.files.items() if name not in _OF_THIS_HOST}
    return {
        "Dockerfile": text.encode(),
        "attributes": _attributes(in_crlf),
        "mnt/settings.xml": settings,
        **{f"mnt/{name}": data for name, data in sorted(staged.items())},
    }


def _attributes(in_crlf: Collection[str]) -> bytes:
    """What ``git archive`` is to do with line ends, however the project's own attributes say it."""
    lines = [_AS_STORED]
    for path in sorted(in_crlf):
        # A pattern of exactly this path: quoted as C does it, what is special to git escaped.
        escaped = re.sub(rb"[\\*?\[]", rb"\\\g<0>", os.fsencode(path))
        quoted = b"".join(
            b"\\%03o" % byte if byte < 0x20 or byte > 0x7E or byte in b'"\\' else b"%c" % byte  # noqa: PLR2004
            for byte in escaped
        )
        lines.append(f'"/{quoted.decode("ascii")}" text eol=crlf\n')
    return "".join(lines).encode()
