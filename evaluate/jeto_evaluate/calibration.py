"""What a host can measure: noise and false alarms when a version is compared with itself. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jeto_evaluate.judging import judge
from jeto_evaluate.metrics import chosen_metrics
from jeto_evaluate.reports.provenance import Host, Setting
from jeto_evaluate.robust_judging import judge_stages
from jeto_evaluate.rules import Rules
from jeto_evaluate.samples import Arm, Samples
from jeto_evaluate.statistics.paired_metric import Metric
from jeto_evaluate.statistics.robust_class import RobustStatus

__all__ = [
    "CERTIFICATE_VERSION",
    "CalibratedClass",
    "CalibratedInstance",
    "CalibratedReference",
    "HostCertificate",
    "calibrated",
    "cite",
]

CERTIFICATE_VERSION = 1
"""Raised whenever a field or its meaning changes; history: 1, the first."""

UNCALIBRATED = "uncalibrated"


@dataclass(frozen=True, kw_only=True, slots=True)
class CalibratedClass:
    """One test class of base against itself.

    Attributes:
        test_class: Fully qualified name.
        metric: What was compared.
        status: Whether it could be measured.
        median_ms: Median over rounds of base's time as Surefire printed it.
        noise: Standard deviation of a pair's log ratio; ``None`` with fewer than 6 pairs.
        smallest_detectable: Share of base's time that must be saved to be found with probability
            0.8 among all classes; ``None`` if nothing could be.
        robust_alarm: The robust rule called it faster or slower.
        jeto_alarm: The paper's rule did.
    """

    test_class: str
    metric: Metric
    status: RobustStatus
    median_ms: float
    noise: float | None
    smallest_detectable: float | None
    robust_alarm: bool
    jeto_alarm: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class CalibratedReference:
    """Whether the developers' own patch shows on this host.

    Attributes:
        improved: Names of the classes that the robust rule calls faster, sorted.
        regressed: Names of those that it calls slower.
    """

    improved: tuple[str, ...]
    regressed: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CalibratedInstance:
    """One record's base against itself.

    Attributes:
        instance_id: The record.
        setting: What both arms ran in.
        rounds: Pairs measured.
        order_seed: Seed of the order inside the pairs.
        classes: Sorted by name.
        reference: What the screen says of the developers' patch in the same pairs; ``None`` if it
            was not measured.
    """

    instance_id: str
    setting: Setting
    rounds: int
    order_seed: int
    classes: tuple[CalibratedClass, ...]
    reference: CalibratedReference | None = None

    @property
    def robust_alarm(self) -> bool:
        """Whether the robust rule named any class: an error of the kind that it bounds."""
        return any(item.robust_alarm for item in self.classes)

    @property
    def jeto_alarm(self) -> bool:
        """Whether the paper's rule named any class."""
        return any(item.jeto_alarm for item in self.classes)


@dataclass(frozen=True, kw_only=True, slots=True)
class HostCertificate:
    """What later reports cite.

    Attributes:
        created_at: ISO 8601, UTC.
        harness_version: Version of the distribution.
        harness_commit: Commit of the checkout, if any.
        host: The machine.
        governors: Frequency governors of its CPUs; empty if it does not show them.
        load_before: Processes that wanted a CPU, mean of the last minute, before the first round.
        load_after: The same after the last one; the harness's own are among them.
        policy: Flags that change what is allowed or measured, as in reports.
        rules: The rules whose alarms were counted.
        instances: One per record.
        schema_version: Version of this format.
    """

    created_at: str
    harness_version: str
    harness_commit: str
    host: Host
    governors: tuple[str, ...]
    load_before: float | None
    load_after: float | None
    policy: tuple[str, ...]
    rules: Rules
    instances: tuple[CalibratedInstance, ...]
    schema_version: int = CERTIFICATE_VERSION


def calibrated(
    instance_id: str, setting: Setting, samples: Samples, rules: Rules
) -> CalibratedInstance:
    """Judge base against itself: every claim is an error.

    Args:
        instance_id: The record.
        setting: What both arms ran in.
        samples: Every round; the arm called candidate is base once more, and there may be the
            reference.
        rules: Both rules, for as many rounds as were run.

    Raises:
        SamplesError: Samples that must not be judged.
    """
    paper = {item.test_class: item for item in judge(samples, rules.jeto).classes}
    screen = judge_stages(samples, None, rules.robust).screen
    metrics = chosen_metrics(samples, rounds=rules.rounds)
    reference = None
    if any(item.arm is Arm.REFERENCE for item in samples.rounds):
        shown = judge_stages(samples, None, rules.robust, other=Arm.REFERENCE)
        reference = CalibratedReference(improved=shown.improved, regressed=shown.regressed)
    return CalibratedInstance(
        instance_id=instance_id,
        setting=setting,
        rounds=rules.rounds,
        order_seed=samples.order_seed,
        classes=tuple(
            CalibratedClass(
                test_class=item.test_class,
                metric=metrics[item.test_class].metric,
                status=item.status,
                median_ms=paper[item.test_class].base_median_ms,
                noise=item.noise,
                smallest_detectable=item.smallest_detectable,
                robust_alarm=item.improved.significant or item.regressed.significant,
                jeto_alarm=paper[item.test_class].improved.significant
                or paper[item.test_class].regressed.significant,
            )
            for item in screen.classes
        ),
        reference=reference,
    )


def cite(certificate: HostCertificate | None, host: Host, policy: Sequence[str]) -> str:
    """Return how a report of this host refers to a certificate; ``uncalibrated`` if it cannot."""
    if certificate is None:
        return UNCALIBRATED
    if certificate.host != host:
        return f"{UNCALIBRATED}: the certificate of {certificate.created_at} is of another host"
    # Which tests are run, and when rounds end, changes nothing in how quiet the host is.
    kinds = ("cpus_per_arm=", "network=", "slots=")
    if [item for item in certificate.policy if item.startswith(kinds)] != [
        item for item in policy if item.startswith(kinds)
    ]:
        return f"{UNCALIBRATED}: the certificate of {certificate.created_at} has other limits"
    alarms = sum(item.robust_alarm for item in certificate.instances)
    return (
        f"calibrated {certificate.created_at}: {alarms} false alarms in"
        f" {len(certificate.instances)} comparisons of a version with itself"
    )
