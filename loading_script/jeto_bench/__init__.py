"""Records, predictions and errors of JETO-Bench: the lowest layer, without Docker."""

from jeto_bench._version import __version__
from jeto_bench.decode import decode_jsonl, decode_parquet, decode_record, decode_rows
from jeto_bench.encode import (
    record_to_dict,
    records_to_jsonl,
    records_to_parquet,
    records_to_table,
    write_parquet,
)
from jeto_bench.errors import DecodeError, InfrastructureError, InputError, JetoError, UsageError
from jeto_bench.index.rows import IndexMeasurement, IndexRow
from jeto_bench.load import available_configs, load
from jeto_bench.predictions import (
    OnDuplicate,
    PatchState,
    Prediction,
    PredictionSet,
    gold_predictions,
    match_ids,
    read_predictions,
)
from jeto_bench.records import (
    CriteriaName,
    DetectorTest,
    EtipRecord,
    Favours,
    QuarantinedTest,
    Tier,
    Verification,
)
from jeto_bench.schema import RECORD_SCHEMA, SCHEMA_VERSION

__all__ = [
    "RECORD_SCHEMA",
    "SCHEMA_VERSION",
    "CriteriaName",
    "DecodeError",
    "DetectorTest",
    "EtipRecord",
    "Favours",
    "IndexMeasurement",
    "IndexRow",
    "InfrastructureError",
    "InputError",
    "JetoError",
    "OnDuplicate",
    "PatchState",
    "Prediction",
    "PredictionSet",
    "QuarantinedTest",
    "Tier",
    "UsageError",
    "Verification",
    "__version__",
    "available_configs",
    "decode_jsonl",
    "decode_parquet",
    "decode_record",
    "decode_rows",
    "gold_predictions",
    "load",
    "match_ids",
    "read_predictions",
    "record_to_dict",
    "records_to_jsonl",
    "records_to_parquet",
    "records_to_table",
    "write_parquet",
]
