"""How much of the disk instance images may take."""

from __future__ import annotations

from dataclasses import dataclass, field
from unittest.mock import Mock

import pytest
from docker.errors import APIError, ImageNotFound

from jeto_bench.errors import EngineError, InfrastructureError
from jeto_evaluate.images.layout import Label, base_tag
from jeto_evaluate.images.store import INSTANCE_BYTES
from jeto_mine.executable.room import make_room

GB = 1_000_000_000
BASE = 400_000_000


def image(name: str, kind: str, size: int, *, instance: str = "", tags: int = 1) -> Mock:
    labels = {Label.KIND.value: kind, Label.JAVA.value: "17", Label.INSTANCE.value: instance}
    made = Mock(labels=labels, attrs={"Size": size}, id=f"sha256:{name}")
    made.tags = [name, *(f"registry:5000/{name}" for _ in range(tags - 1))]
    return made


@dataclass
class Engine:
    """Images of which some can be removed."""

    held: list[Mock]
    removed: list[str] = field(default_factory=list)
    trouble: Exception | None = None

    @property
    def images(self) -> Mock:
        return Mock(list=Mock(return_value=self.held), remove=self.remove)

    def remove(self, name: str, *, force: bool) -> None:
        assert force
        if self.trouble is not None:
            raise self.trouble
        self.removed.append(name)


def engine(**sizes: int) -> Engine:
    bases = [image(base_tag(17), "base", BASE)]
    instances = [
        image(f"x/{name}:1", "instance", BASE + size, instance=name, tags=2)
        for name, size in sizes.items()
    ]
    return Engine(held=bases + instances)


def room(made: Engine, limit: int, *removable: str, slots: int = 1) -> None:
    make_room(made, limit=limit, slots=slots, removable=removable)  # type: ignore[arg-type]


def test_what_bases_take_does_not_count_nor_does_a_second_name() -> None:
    made = engine(a=GB, b=GB)
    room(made, 2 * GB + INSTANCE_BYTES)
    assert made.removed == []


def test_pushed_images_go_the_largest_first_and_no_more_than_must() -> None:
    made = engine(small=GB, large=3 * GB, kept=2 * GB)
    room(made, 4 * GB, "small", "large")
    assert made.removed == ["sha256:x/large:1"]


def test_an_image_that_is_nowhere_else_is_never_removed() -> None:
    made = engine(a=3 * GB)
    with pytest.raises(InfrastructureError, match=r"take 3\.0 GB, and making 2 more") as caught:
        room(made, 4 * GB, slots=2)
    assert made.removed == []
    assert "--push" in caught.value.advice


def test_another_slot_may_have_been_first() -> None:
    made = engine(a=3 * GB)
    made.trouble = ImageNotFound("gone")
    room(made, 2 * GB, "a")


def test_an_engine_that_refuses_is_named() -> None:
    made = engine(a=3 * GB)
    made.trouble = APIError("in use")
    with pytest.raises(EngineError, match="cannot be removed"):
        room(made, 2 * GB, "a")
