from __future__ import annotations

import base64
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from jeto_bench.errors import UsageError
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
