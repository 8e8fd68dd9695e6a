"""Labels as an instance image of a record has them, for images that are made up."""

from __future__ import annotations

from jeto_bench.records import EtipRecord
from jeto_evaluate.images.layout import FORMAT, Label


def image_labels(record: EtipRecord) -> dict[Label, str]:
    """Return the labels with which an image counts as a record's."""
    return {
        Label.INSTANCE: record.instance_id,
        Label.JAVA: str(record.java_version),
        Label.JDK: "17.0.9",
        Label.MAVEN: record.maven_version,
        Label.MAVEN_COMMAND: "./mvnw",
        Label.SUREFIRE: "3.2.5",
        Label.SOURCE_HASH: "h",
        Label.FORMAT: str(FORMAT),
        Label.BASE_COMMIT: record.base_commit,
    }
