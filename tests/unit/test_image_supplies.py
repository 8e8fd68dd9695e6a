from __future__ import annotations

import base64
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from jeto_bench.errors import UsageError
from jeto_evaluate.images.mirror import MIRROR, RepositoryMirror
from jeto_evaluate.images.settings import host_bundle, maven_settings, proxy_environment
from jeto_evaluate.images.truststore import decode_pem, jks_truststore


def _pem(der: bytes, kind: str = "CERTIFICATE") -> bytes:
    body = base64.encodebytes(der)
    return b"# a comment\n-----BEGIN %b-----\n%b-----END %b-----\n" % (
        kind.encode(),
        body,
        kind.encode(),
    )


def test_bundle_is_decoded_in_order_and_once_each() -> None:
    bundle = _pem(b"one") + _pem(b"two" * 40) + _pem(b"one") + _pem(b"key", "PRIVATE KEY")
    assert decode_pem(bundle, source="x") == (b"one", b"two" * 40)


def test_bundle_without_certificates_is_the_users_error() -> None:
    with pytest.raises(UsageError, match=r"ca\.pem: no PEM certificate"):
        decode_pem(b"hello", source="ca.pem")


def test_truststore_has_the_shape_that_every_jdk_reads() -> None:
    store = jks_truststore((b"DER1", b"DER22"))
    assert struct.unpack(">III", store[:12]) == (0xFEEDFEED, 2, 2)
    assert b"DER1" in store
    assert b"DER22" in store
    assert len(store) == 12 + 2 * (4 + 2 + 3 + 8 + 2 + 5 + 4) + 9 + 20


def test_given_bundle_is_added_to_the_hosts_store(tmp_path: Path) -> None:
    """field.md row 32: a proxy's certificate alone would make the real ones unknown."""
    (tmp_path / "host.pem").write_bytes(b"HOST")
    (tmp_path / "proxy.pem").write_bytes(b"PROXY")
    found = host_bundle(
        tmp_path / "proxy.pem", environ={"SSL_CERT_FILE": str(tmp_path / "host.pem")}
    )
    assert found == b"PROXY\nHOST"


def test_bundle_that_is_not_there_is_the_users_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--ca-bundle"):
        host_bundle(tmp_path / "none.pem", environ={})


def test_proxies_of_the_host_reach_mavens_settings() -> None:
    """field.md row 32: containers behind a proxy have no proxy variables of their own."""
    environ = {
        "HTTPS_PROXY": "http://me:p%40ss%3C@proxy.example:3128",
        "no_proxy": "localhost,.example.org",
    }
    proxies = proxy_environment(environ)
    root = ET.fromstring(maven_settings(cache="/media/repository", proxies=proxies))  # noqa: S314
    proxy = root.find("proxies/proxy")
    assert proxy is not None
    assert {child.tag: child.text for child in proxy} == {
        "id": "https",
        "active": "true",
        "protocol": "https",
        "host": "proxy.example",
        "port": "3128",
        "username": "me",
        "password": "p@ss<",
        "nonProxyHosts": "localhost|*.example.org",
    }


def test_settings_without_proxy_still_name_the_cache() -> None:
    root = ET.fromstring(maven_settings(cache="/media/repository", proxies={}))  # noqa: S314
    assert root.find("proxies/proxy") is None
    urls = [element.text for element in root.iter("url")]
    assert urls == ["file:///media/repository", "file:///media/repository"]


def test_a_mirror_takes_the_place_of_one_repository() -> None:
    """field.md row 87: only that id, so that it goes before Maven's own block of plain HTTP."""
    mirrors = {"old": "https://old.example/m?a=1&b=2"}
    settings = maven_settings(cache="/c", proxies={}, mirrors=mirrors)
    (mirror,) = ET.fromstring(settings).findall("mirrors/mirror")  # noqa: S314
    assert {child.tag: child.text for child in mirror} == {
        "id": "jeto-0",
        "mirrorOf": "old",
        "url": "https://old.example/m?a=1&b=2",
    }


def test_a_mirror_of_all_keeps_its_path_and_its_password_to_itself() -> None:
    """field.md row 96: a path was dropped, and credentials were not used or were shown."""
    mirror = RepositoryMirror.parse("https://me:p%40ss%3C@host.example:8443/maven/central/")
    assert mirror.url == "https://host.example:8443/maven/central"
    assert "p@ss" not in repr(mirror)
    root = ET.fromstring(maven_settings(cache="/c", proxies={}, mirror=mirror))  # noqa: S314
    assert root.findtext("mirrors/mirror/url") == mirror.url
    assert root.findtext("mirrors/mirror/mirrorOf") == "external:*"
    assert root.findtext("mirrors/mirror/id") == root.findtext("servers/server/id") == MIRROR
    assert root.findtext("servers/server/password") == "p@ss<"
    assert mirror.environment().decode().splitlines() == [
        "export MVNW_REPOURL=https://host.example:8443/maven/central",
        "export MVNW_USERNAME=me",
        "export MVNW_PASSWORD='p@ss<'",
    ]


def test_a_mirror_without_credentials_names_no_server() -> None:
    mirror = RepositoryMirror.parse("http://127.0.0.1:8081/all")
    settings = maven_settings(cache="/c", proxies={}, mirror=mirror)
    assert b"<server>" not in settings
    assert mirror.environment() == b"export MVNW_REPOURL=http://127.0.0.1:8081/all\n"


@pytest.mark.parametrize("text", ["central", "file:///srv/maven", "https:///path"])
def test_what_is_no_mirror_is_refused_without_being_shown(text: str) -> None:
    with pytest.raises(UsageError, match="--mirror: not an http or https URL"):
        RepositoryMirror.parse(text)
