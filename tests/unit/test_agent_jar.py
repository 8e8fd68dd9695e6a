from __future__ import annotations

import io
import struct
from unittest.mock import Mock
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from jeto_evaluate.images.agent_jar import pack_agent
from jeto_evaluate.images.class_file import ACC_VARARGS, add_method_flag
from jeto_evaluate.images.tools import Toolbox

_PUBLIC_STATIC = 0x0009
_PREMAIN = "io/jetobench/agent/Premain.class"


def _text(value: bytes) -> bytes:
    return struct.pack(">BH", 1, len(value)) + value


def _member(flags: int, name: int) -> bytes:
    """With one attribute of three bytes."""
    return struct.pack(">HHHHHI", flags, name, 3, 1, 4, 3) + b"\0\x01\x02"


def _class_file(premain: int) -> bytes:
    """Constants of every size, a field and a method of one name, and another method."""
    constants = [
        _text(b"premain"),
        _text(b"other"),
        _text(b"()V"),
        _text(b"Code"),
        struct.pack(">Bq", 5, 1),  # takes places 5 and 6
        struct.pack(">BHH", 12, 1, 3),
        struct.pack(">BH", 7, 2),
        struct.pack(">BBH", 15, 6, 7),
    ]
    return b"".join(
        [
            struct.pack(">IHHH", 0xCAFEBABE, 0, 52, 10),
            *constants,
            struct.pack(">HHH", 0x21, 8, 8),
            struct.pack(">HHH", 2, 8, 8),  # interfaces
            struct.pack(">H", 1),
            _member(_PUBLIC_STATIC, 1),
            struct.pack(">H", 2),
            _member(_PUBLIC_STATIC, 2),
            _member(premain, 1),
            struct.pack(">H", 0),
        ]
    )


def test_a_methods_flag_is_added_and_nothing_else() -> None:
    changed = add_method_flag(_class_file(_PUBLIC_STATIC), "premain", ACC_VARARGS)
    assert changed == _class_file(_PUBLIC_STATIC | ACC_VARARGS)
    with pytest.raises(ValueError, match="no method agentmain"):
        add_method_flag(_class_file(0), "agentmain", ACC_VARARGS)


def test_the_jar_holds_the_first_class_and_two_entries_with_all_others() -> None:
    content = {
        "META-INF/": b"",
        "META-INF/MANIFEST.MF": b"Premain-Class: a.B\n" * 9,
        "io/jetobench/agent/asm/D.class": b"D",
        _PREMAIN: _class_file(_PUBLIC_STATIC),
        "java/lang/JetoBridge.class": b"BB",
        "io/jetobench/agent/core/C.class": b"CCC",
        "io/jetobench/agent/hook/E$F.class": b"EF",
        "io/jetobench/agent/hook/ThreadHook.class": b"H",
    }
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as jar:
        for name, data in content.items():
            jar.writestr(name, data)
    packed = pack_agent({}, Mock(), Mock(spec=Toolbox, make=lambda *_: made.getvalue()))
    with ZipFile(io.BytesIO(packed)) as jar:
        assert {name: jar.read(name) for name in jar.namelist()} == {
            "META-INF/MANIFEST.MF": content["META-INF/MANIFEST.MF"],
            _PREMAIN: _class_file(_PUBLIC_STATIC | ACC_VARARGS),
            "start": b"\0\0\0\x03"
            b"\0\x14java.lang.JetoBridge\0\0\0\x02BB"
            b"\0\x19io.jetobench.agent.core.C\0\0\0\x03CCC"
            b"\0\x22io.jetobench.agent.hook.ThreadHook\0\0\0\x01H",
            "rest": b"\0\0\0\x02"
            b"\0\x18io.jetobench.agent.asm.D\0\0\0\x01D"
            b"\0\x1bio.jetobench.agent.hook.E$F\0\0\0\x02EF",
        }
        assert {entry.compress_type for entry in jar.infolist()} == {ZIP_STORED}
        assert jar.testzip() is None
