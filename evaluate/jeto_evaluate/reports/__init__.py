"""Reports as frozen records, their JSON, and what a terminal shows; only ``write`` does I/O."""

from jeto_evaluate.reports.instance import InstanceReport, PatchFacts, PhaseTime
from jeto_evaluate.reports.provenance import Dataset, Host, Provenance, Setting
from jeto_evaluate.reports.run import InstanceSummary, Rate, RunReport
from jeto_evaluate.reports.summing import build_run_report, exit_code

__all__ = [
    "Dataset",
    "Host",
    "InstanceReport",
    "InstanceSummary",
    "PatchFacts",
    "PhaseTime",
    "Provenance",
    "Rate",
    "RunReport",
    "Setting",
    "build_run_report",
    "exit_code",
]
