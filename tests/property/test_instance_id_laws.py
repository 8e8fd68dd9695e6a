"""Ids tell ETIPs apart, whatever they share and in whatever order they come."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from jeto_bench.instance_ids import EtipName, unique_ids

NAMES = st.lists(
    st.builds(
        EtipName,
        repo=st.sampled_from(["a/b", "a/c"]),
        fix_commit=st.from_regex(r"[ab]{9}0{31}", fullmatch=True),
        pull_number=st.none() | st.integers(1, 3),
        issue_number=st.none() | st.integers(1, 3),
    ),
    max_size=12,
    unique_by=lambda name: (name.repo, name.fix_commit),
)


@given(NAMES, st.randoms(use_true_random=False))
def test_no_two_are_called_alike_and_order_does_not_matter(
    names: list[EtipName], random: Random
) -> None:
    ids = dict(zip(names, unique_ids(names), strict=True))
    assert len(set(ids.values())) == len(names)
    shuffled = list(names)
    random.shuffle(shuffled)
    assert dict(zip(shuffled, unique_ids(shuffled), strict=True)) == ids


@given(NAMES)
def test_an_id_belongs_to_its_repository_and_names_what_it_is_made_of(
    names: list[EtipName],
) -> None:
    for name, called in zip(names, unique_ids(names), strict=True):
        owner, _, tail = called.rpartition("-")
        assert owner == name.repo.replace("/", "__")
        assert tail in {str(name.pull_number), str(name.issue_number)} or (
            len(tail) >= 7 and name.fix_commit.startswith(tail)
        )
