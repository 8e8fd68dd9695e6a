"""Where a verdict comes from: everything a reader needs to trust or repeat it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Dataset", "Host", "Provenance", "Setting"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Dataset:
    """The records that were evaluated.

    Attributes:
        name: Configuration or file as the user named it.
        version: The records' dataset version.
        sha256: Hash of the decoded records' content, 64 hex digits.
    """

    name: str
    version: str
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Host:
    """The machine and its container engine.

    Attributes:
        cpu_model: Model name as the kernel gives it.
        cores: Logical CPUs that the harness may use.
        memory_bytes: Main memory, bytes.
        kernel: Kernel release.
        engine_version: Name and version of the container engine.
    """

    cpu_model: str
    cores: int
    memory_bytes: int
    kernel: str
    engine_version: str

    @property
    def words(self) -> str:
        """All of it in one line."""
        return (
            f"{self.cpu_model}, {self.cores} CPUs, {self.memory_bytes / 1024**3:.0f} GiB,"
            f" {self.kernel}, {self.engine_version}"
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Provenance:
    """What is the same for every instance of a run.

    Attributes:
        harness_version: Version of the distribution.
        harness_commit: Commit of the checkout, 40 hex digits; empty outside a checkout.
        dataset: The records.
        host: The machine.
        launcher_mode: How a round is launched.
        seed: Seed of the run; those of the instances derive from it.
        started_at: ISO 8601, UTC.
        policy: Flags that change what is allowed or measured, sorted, such as ``network=none``.
        calibration: What ``jeto-bench calibrate`` has found on this host, in one line, or that the
            host is uncalibrated.
    """

    harness_version: str
    harness_commit: str
    dataset: Dataset
    host: Host
    launcher_mode: str
    seed: int
    started_at: str
    policy: tuple[str, ...] = ()
    calibration: str = "uncalibrated"


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """What an instance's arms ran in; both arms alike.

    Attributes:
        image: ``repository:tag``.
        image_id: Id of the local image, ``sha256:...``.
        image_digest: Digest in a registry, ``sha256:...``; empty for an image built here.
        jdk: Full version of the JDK.
        maven: Version of Maven.
        surefire: Version of Surefire that ran.
        cpuset: The CPUs, as the kernel writes sets: ``0-1``.
        memory_bytes: Memory limit, bytes.
    """

    image: str
    image_id: str
    image_digest: str
    jdk: str
    maven: str
    surefire: str
    cpuset: str
    memory_bytes: int
