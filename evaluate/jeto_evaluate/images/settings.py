"""What a build needs to reach the outside: certificates, proxies, Maven settings.

None of it is in the resulting image. Pure apart from ``host_bundle``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit
from xml.sax.saxutils import escape

from jeto_bench.errors import UsageError
from jeto_evaluate.images.mirror import MIRROR, RepositoryMirror

__all__ = [
    "BUNDLE_PATHS",
    "host_bundle",
    "maven_settings",
    "maven_toolchains",
    "proxy_environment",
]

BUNDLE_PATHS: Final = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)

_JDK_HOME: Final = "/opt/jdk"
_LAST_OF_OLD_NAMES: Final = 8
_PROXY_NAMES: Final = ("http_proxy", "https_proxy", "no_proxy")


def host_bundle(ca_bundle: Path | None, *, environ: Mapping[str, str] | None = None) -> bytes:
    """PEM certificates for the build: the host's store, and those of ``ca_bundle``.

    Raises:
        UsageError: ``ca_bundle`` cannot be read, or no store was found and none was given.
    """
    environ = os.environ if environ is None else environ
    parts: list[bytes] = []
    if ca_bundle is not None:
        try:
            parts.append(ca_bundle.read_bytes())
        except OSError as error:
            raise UsageError(f"--ca-bundle {ca_bundle}: {error.strerror}") from error
    for candidate in (environ.get("SSL_CERT_FILE", ""), *BUNDLE_PATHS):
        if candidate and Path(candidate).is_file():
            parts.append(Path(candidate).read_bytes())
            break
    if not parts:
        raise UsageError(
            f"no certificate store on this machine (looked at {', '.join(BUNDLE_PATHS)})",
            advice="Give a PEM file with --ca-bundle.",
        )
    return b"\n".join(parts)


def proxy_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Proxy variables of the host, in the lower-case spelling that every tool reads."""
    found: dict[str, str] = {}
    for name in _PROXY_NAMES:
        value = environ.get(name) or environ.get(name.upper())
        if value:
            found[name] = value
    return found


def maven_toolchains(java_version: int) -> bytes:
    """A ``toolchains.xml`` that lists the only JDK of an image (field.md row 89).

    Args:
        java_version: Its release; 8 is also known as 1.8.
    """
    names = [str(java_version), *(["1.8"] if java_version == _LAST_OF_OLD_NAMES else [])]
    entries = "".join(
        f"<toolchain><type>jdk</type><provides><version>{name}</version></provides>"
        f"<configuration><jdkHome>{_JDK_HOME}</jdkHome></configuration></toolchain>\n"
        for name in names
    )
    return f"<toolchains>\n{entries}</toolchains>\n".encode()


def maven_settings(
    *,
    cache: str,
    proxies: Mapping[str, str],
    mirrors: Mapping[str, str] | None = None,
    mirror: RepositoryMirror | None = None,
) -> bytes:
    """A ``settings.xml`` that looks in a folder of artifacts before the network.

    Args:
        cache: Absolute path of a folder in repository layout.
        proxies: As from ``proxy_environment``.
        mirrors: URLs by the ids of the repositories in whose place they are asked.
        mirror: Asked in place of all others.
    """
    policy = (
        "<releases><enabled>true</enabled><checksumPolicy>ignore</checksumPolicy></releases>"
        "<snapshots><enabled>false</enabled></snapshots>"
    )
    place = f"<id>jeto-cache</id><url>file://{escape(cache)}</url>{policy}"
    return (
        "<settings>\n"
        f"{_server(mirror)}"
        f"<mirrors>{_mirrors(mirrors or {}, mirror)}</mirrors>\n"
        f"<proxies>{_proxies(proxies)}</proxies>\n"
        "<profiles><profile><id>jeto-cache</id>\n"
        f"<repositories><repository>{place}</repository></repositories>\n"
        f"<pluginRepositories><pluginRepository>{place}</pluginRepository></pluginRepositories>\n"
        "</profile></profiles>\n"
        "<activeProfiles><activeProfile>jeto-cache</activeProfile></activeProfiles>\n"
        "</settings>\n"
    ).encode()


def _server(mirror: RepositoryMirror | None) -> str:
    if mirror is None or not mirror.username:
        return ""
    return (
        f"<servers><server><id>{MIRROR}</id><username>{escape(mirror.username)}</username>"
        f"<password>{escape(mirror.password)}</password></server></servers>\n"
    )


def _mirrors(urls: Mapping[str, str], mirror: RepositoryMirror | None) -> str:
    # The mirror of one id goes before Maven's own, which blocks every plain HTTP address.
    entries = [(f"jeto-{number}", *entry) for number, entry in enumerate(sorted(urls.items()))]
    if mirror is not None:
        entries = [(MIRROR, "external:*", mirror.url)]
    return "".join(
        f"<mirror><id>{name}</id><mirrorOf>{escape(of)}</mirrorOf><url>{escape(url)}</url></mirror>"
        for name, of, url in entries
    )


def _proxies(proxies: Mapping[str, str]) -> str:
    hosts = proxies.get("no_proxy", "").replace(" ", "").split(",")
    bypass = "|".join(f"*{host}" if host.startswith(".") else host for host in hosts if host)
    text = ""
    for protocol in ("http", "https"):
        url = urlsplit(proxies.get(f"{protocol}_proxy", ""))
        if not url.hostname:
            continue
        text += (
            f"<proxy><id>{protocol}</id><active>true</active><protocol>{protocol}</protocol>"
            f"<host>{escape(url.hostname)}</host><port>{url.port or 80}</port>"
        )
        if url.username:
            text += f"<username>{escape(unquote(url.username))}</username>"
            text += f"<password>{escape(unquote(url.password or ''))}</password>"
        text += f"<nonProxyHosts>{escape(bypass)}</nonProxyHosts></proxy>"
    return text
