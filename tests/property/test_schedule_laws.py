"""Laws of the order in which arms run, and of the CPUs they run on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jeto_bench.errors import UsageError
from jeto_evaluate.run.cpusets import format_cpuset, parse_cpuset, plan_cpus
from jeto_evaluate.run.schedule import instance_seed, pair_order
from jeto_evaluate.samples import Arm

SEEDS = st.integers(min_value=0, max_value=2**64)
PAIRS = st.integers(min_value=0, max_value=80)


class TestPairOrder:
    @given(PAIRS, SEEDS)
    def test_every_pair_has_both_arms(self, pairs: int, seed: int) -> None:
        order = pair_order(pairs, seed)
        assert len(order) == pairs
        assert all(set(pair) == {Arm.BASE, Arm.CANDIDATE} for pair in order)

    @given(PAIRS, SEEDS)
    def test_neither_arm_is_first_more_than_once_more_often_over_any_prefix(
        self, pairs: int, seed: int
    ) -> None:
        """field.md row 56: drift cancels wherever the measuring stops."""
        first = [pair[0] for pair in pair_order(pairs, seed)]
        for end in range(pairs + 1):
            base = first[:end].count(Arm.BASE)
            assert abs(2 * base - end) <= 1

    @given(PAIRS, SEEDS)
    def test_a_seed_gives_the_same_order_again(self, pairs: int, seed: int) -> None:
        assert pair_order(pairs, seed) == pair_order(pairs, seed)

    @given(PAIRS, PAIRS, SEEDS)
    def test_fewer_pairs_are_the_beginning_of_more(self, few: int, more: int, seed: int) -> None:
        few, more = sorted((few, more))
        assert pair_order(more, seed)[:few] == pair_order(few, seed)

    def test_orders_differ_between_seeds(self) -> None:
        assert len({pair_order(30, seed) for seed in range(50)}) > 40


class TestInstanceSeed:
    @given(SEEDS, st.text(max_size=30))
    def test_it_depends_on_run_and_instance_and_nothing_else(self, seed: int, name: str) -> None:
        assert instance_seed(seed, name) == instance_seed(seed, name)
        assert 0 <= instance_seed(seed, name) < 2**48  # exact in JSON
        assert instance_seed(seed, name) != instance_seed(seed + 1, name)
        assert instance_seed(seed, name) != instance_seed(seed, f"{name}x")


@st.composite
def machines(draw: st.DrawFn) -> list[tuple[int, ...]]:
    cpus = list(range(draw(st.integers(min_value=1, max_value=16))))
    cores: list[tuple[int, ...]] = []
    while cpus:
        size = draw(st.integers(min_value=1, max_value=2))
        cores.append(tuple(cpus[:size]))
        cpus = cpus[size:]
    return cores


class TestCpuSets:
    @given(machines(), st.integers(1, 8), st.none() | st.integers(1, 8))
    def test_slots_share_no_core_and_have_what_was_asked(
        self, cores: list[tuple[int, ...]], slots: int, cpus: int | None
    ) -> None:
        """field.md row 61: disjoint sets, no shared siblings, whatever the machine."""
        try:
            plan = plan_cpus(cores, slots=slots, cpus=cpus)
        except UsageError:
            return
        core = {cpu: number for number, group in enumerate(cores) for cpu in group}
        assert len(plan.sets) == slots
        assert len({len(group) for group in plan.sets}) == 1
        assert cpus is None or len(plan.sets[0]) == cpus
        used = [{core[cpu] for cpu in group} for group in plan.sets]
        assert sum(len(group) for group in used) == len(set().union(*used))
        inside = [cpu for group in plan.sets for cpu in group]
        assert sorted([*inside, *plan.spare]) == sorted(core)

    @given(st.sets(st.integers(0, 300), min_size=1))
    def test_what_is_written_is_read_back(self, cpus: set[int]) -> None:
        assert parse_cpuset(format_cpuset(tuple(cpus))) == tuple(sorted(cpus))
