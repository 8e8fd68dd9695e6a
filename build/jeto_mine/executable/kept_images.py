"""Images that are made and not measured yet: an interrupted run need not make them again."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench.decode import decode_jsonl
from jeto_bench.encode import records_to_jsonl
from jeto_bench.errors import DecodeError
from jeto_bench.files import write_atomically
from jeto_bench.records import EtipRecord
from jeto_evaluate.reports.decode import versioned
from jeto_evaluate.reports.encode import to_json

__all__ = ["UNMEASURED", "KeptImage", "KeptImages"]

UNMEASURED: Final = "unmeasured"
"""Folder in the output of a run."""

_LOG: Final = logging.getLogger(__name__)
_VERSION: Final = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptImage:
    """What was settled when an image was made.

    Attributes:
        record: With the test classes that count.
        recipe: Files from which a person can build the image again, by path.
    """

    record: EtipRecord
    recipe: Mapping[str, bytes]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Settled:
    key: str
    image_id: str
    schema_version: int = _VERSION


@dataclass(frozen=True, slots=True)
class KeptImages:
    """A folder with what is known of images: ``ID/settled.json``, written last, tells of which.

    Attributes:
        path: The folder.
        harness: Version that makes them, with its commit; those of another one are not taken.
    """

    path: Path
    harness: str

    def has(self, instance_id: str) -> bool:
        """Say whether anything is known of a record's image."""
        return (self.path / instance_id / "settled.json").is_file()

    def get(
        self, draft: EtipRecord, mirrors: Mapping[str, str], *, image_id: str
    ) -> KeptImage | None:
        """Return what was settled of an image that was made of the same draft; else ``None``."""
        folder = self.path / draft.instance_id
        file = folder / "settled.json"
        try:
            known = versioned(_Settled, file.read_bytes(), source=str(file), version=_VERSION)
            if (known.key, known.image_id) != (self._key(draft, mirrors), image_id):
                return None
            (record,) = decode_jsonl((folder / "record.jsonl").read_bytes())
        except (FileNotFoundError, DecodeError) as error:
            _LOG.warning("%s: the image is made again: %s", draft.instance_id, error)
            return None
        recipe = folder / "recipe"
        files = [item for item in sorted(recipe.rglob("*")) if item.is_file()]
        return KeptImage(
            record=record,
            recipe={item.relative_to(recipe).as_posix(): item.read_bytes() for item in files},
        )

    def put(
        self, draft: EtipRecord, mirrors: Mapping[str, str], made: KeptImage, *, image_id: str
    ) -> None:
        """Keep what was settled."""
        folder = self.path / draft.instance_id
        shutil.rmtree(folder, ignore_errors=True)
        for name, data in made.recipe.items():
            write_atomically(folder / "recipe" / name, data)
        write_atomically(folder / "record.jsonl", records_to_jsonl([made.record]))
        settled = _Settled(key=self._key(draft, mirrors), image_id=image_id)
        write_atomically(folder / "settled.json", to_json(settled).encode())

    def _key(self, draft: EtipRecord, mirrors: Mapping[str, str]) -> str:
        rest = json.dumps([sorted(mirrors.items()), self.harness])
        return hashlib.sha256(records_to_jsonl([draft]) + rest.encode()).hexdigest()
