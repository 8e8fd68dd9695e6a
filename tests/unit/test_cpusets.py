from __future__ import annotations

import pytest

from jeto_bench.errors import UsageError
from jeto_evaluate.run.cpusets import format_cpuset, parse_cpuset, plan_cpus

FOUR = [(0,), (1,), (2,), (3,)]
SIBLINGS = [(0, 4), (1, 5), (2, 6), (3, 7)]


def test_two_workers_on_four_cores_share_nothing() -> None:
    """field.md row 61: disjoint sets, both arms of a slot on the same one."""
    plan = plan_cpus(FOUR, slots=2, cpus=None)
    assert plan.sets == ((0, 1), (2, 3))
    assert plan.spare == ()


def test_the_first_core_stays_with_the_engine_where_there_is_one_to_spare() -> None:
    """field.md row 61: one core left for the daemon."""
    plan = plan_cpus(FOUR, slots=1, cpus=2)
    assert plan.sets == ((2, 3),)
    assert plan.spare == (0, 1)


def test_slots_do_not_share_the_siblings_of_a_core() -> None:
    """field.md row 61: one CPU each still takes a whole core each."""
    plan = plan_cpus(SIBLINGS, slots=4, cpus=1)
    core = {cpu: group for group in SIBLINGS for cpu in group}
    assert len({core[cpu] for group in plan.sets for cpu in group}) == 4
    with pytest.raises(UsageError, match="enough for 4"):
        plan_cpus(SIBLINGS, slots=5, cpus=1)


@pytest.mark.parametrize(("slots", "cpus"), [(99, None), (2, None), (1, 3), (2, 2)])
def test_more_than_the_machine_has_is_refused(slots: int, cpus: int | None) -> None:
    """field.md row 67: the number of workers is derived from pinned sets, 99 of them are not."""
    with pytest.raises(UsageError, match="this machine has 2 usable CPUs") as refusal:
        plan_cpus([(0,), (1,)], slots=slots, cpus=cpus)
    assert "smaller -j" in refusal.value.advice


@pytest.mark.parametrize(("slots", "cpus"), [(0, 1), (-1, 1), (1, 0)])
def test_less_than_one_is_refused(slots: int, cpus: int) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        plan_cpus(FOUR, slots=slots, cpus=cpus)


def test_a_machine_with_one_cpu_is_told_that_it_has_few() -> None:
    plan = plan_cpus([(0,)], slots=1, cpus=None)
    assert plan.sets == ((0,),)
    assert plan.few
    assert not plan_cpus(FOUR, slots=1, cpus=2).few


@pytest.mark.parametrize(
    ("cpus", "text"), [((0,), "0"), ((0, 1), "0-1"), ((7, 0, 1, 2, 5), "0-2,5,7"), ((), "")]
)
def test_sets_are_written_as_the_kernel_writes_them(cpus: tuple[int, ...], text: str) -> None:
    assert format_cpuset(cpus) == text


@pytest.mark.parametrize("text", ["", "a", "1-", "-", "0,,1"])
def test_what_is_no_set_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        parse_cpuset(text)
