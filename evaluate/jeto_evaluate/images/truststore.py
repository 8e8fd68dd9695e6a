"""Certificates for building behind a proxy that opens TLS: a PEM bundle as a Java truststore.

Pure. Importing a bundle of 150 certificates with ``keytool`` takes a minute; the JKS format
(JDK's ``sun.security.provider.JavaKeyStore``, version 2) is simple and all JDKs read it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import struct
from typing import Final

from jeto_bench.errors import UsageError

__all__ = ["PASSWORD", "decode_pem", "jks_truststore"]

PASSWORD: Final = "changeit"  # noqa: S105  # a truststore's password protects nothing

_CERTIFICATE = re.compile(
    rb"-----BEGIN (?:TRUSTED )?CERTIFICATE-----\s+(.*?)-----END (?:TRUSTED )?CERTIFICATE-----",
    re.DOTALL,
)
_MAGIC: Final = 0xFEEDFEED
_TRUSTED_ENTRY: Final = 2


def decode_pem(bundle: bytes, *, source: str) -> tuple[bytes, ...]:
    """DER certificates of a PEM bundle, first occurrence of each, in order.

    Args:
        bundle: The file's bytes.
        source: Its name, for the message.

    Raises:
        UsageError: No certificate in it, or one that is not base64.
    """
    found: dict[bytes, None] = {}
    for match in _CERTIFICATE.finditer(bundle):
        try:
            found[base64.b64decode(b"".join(match[1].split()), validate=True)] = None
        except binascii.Error as error:
            raise UsageError(f"{source}: a certificate is not base64: {error}") from error
    if not found:
        raise UsageError(
            f"{source}: no PEM certificate in it",
            advice="--ca-bundle takes a file with -----BEGIN CERTIFICATE----- blocks.",
        )
    return tuple(found)


def jks_truststore(certificates: tuple[bytes, ...], *, password: str = PASSWORD) -> bytes:
    """A JKS file that trusts exactly these DER certificates."""
    body = struct.pack(">III", _MAGIC, 2, len(certificates))
    for number, der in enumerate(certificates):
        body += struct.pack(">I", _TRUSTED_ENTRY) + _utf(f"ca{number}")
        body += struct.pack(">Q", 0) + _utf("X.509") + struct.pack(">I", len(der)) + der
    keyed = password.encode("utf-16-be") + b"Mighty Aphrodite" + body
    return body + hashlib.sha1(keyed).digest()  # noqa: S324  # the format's own checksum


def _utf(text: str) -> bytes:
    """Java's modified UTF-8 with a two-byte length; ASCII is all that occurs here."""
    data = text.encode("ascii")
    return struct.pack(">H", len(data)) + data
