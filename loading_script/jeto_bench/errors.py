"""Every failure a user can meet, with its exit code and advice.

The tree::

    JetoError                    exit 1
    |-- InputError               exit 2   what the user gave: options, files, records, predictions
    |   |-- DecodeError          exit 2   a file, line or field that does not follow the schema
    |   `-- UsageError           exit 2   options that contradict each other or the machine
    |-- InfrastructureError      exit 3   Docker, disk, network, images: not a prediction's fault
    |   |-- EngineError          exit 3   no engine, or the engine refused
    |   |-- ForgeError           exit 3   GitHub cannot be asked, or refuses
    |   |-- ImageError           exit 3   an image is missing or did not build
    |   |   `-- ImageMismatchError exit 3 an image is not the one that the record names
    |   `-- SandboxError         exit 3   a container died or could not be driven
    |       `-- ContentError     exit 3   by what runs in it: endless output, stuck processes
    `-- Interrupted              exit 130 Ctrl-C or SIGTERM
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "ContentError",
    "DecodeError",
    "EngineError",
    "ForgeError",
    "ImageError",
    "ImageMismatchError",
    "InfrastructureError",
    "InputError",
    "Interrupted",
    "JetoError",
    "SandboxError",
    "UsageError",
]


class JetoError(Exception):
    """Base of all errors of this project.

    Attributes:
        message: What happened, with names and values.
        advice: What the user can do about it; may be empty.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.message}\n  {self.advice}" if self.advice else self.message


class InputError(JetoError):
    """What the user gave cannot be used."""

    exit_code: ClassVar[int] = 2


class DecodeError(InputError):
    """A file, line or field does not follow its schema.

    Attributes:
        source: The file, as the user named it.
        line: 1-based line or row, if there is one.
        field: Path of the field, such as ``detector_tests[2].rounds``, if known.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str = "",
        line: int | None = None,
        field: str = "",
        advice: str = "",
    ) -> None:
        where = source or "<input>"
        if line is not None:
            where += f":{line}"
        if field:
            where += f": {field}"
        super().__init__(f"{where}: {message}", advice=advice)
        self.source = source
        self.line = line
        self.field = field


class UsageError(InputError):
    """Options that contradict each other or ask for more than the machine has."""


class InfrastructureError(JetoError):
    """Trouble of the harness or its surroundings, never of a prediction."""

    exit_code: ClassVar[int] = 3


class EngineError(InfrastructureError):
    """No Docker engine answers, or it refused a call."""


class ForgeError(InfrastructureError):
    """GitHub, or what stands for it, cannot be asked, refuses, or answers what cannot be used."""


class ImageError(InfrastructureError):
    """An image is missing or could not be built."""


class ImageMismatchError(ImageError):
    """An image is not the one that the record names."""


class SandboxError(InfrastructureError):
    """A container died or could not be driven."""


class ContentError(SandboxError):
    """What runs in a sandbox, not the engine, made a call fail."""


class Interrupted(JetoError):  # noqa: N818  # names the event, as KeyboardInterrupt does
    """The user or the system asked the run to stop."""

    exit_code: ClassVar[int] = 130
