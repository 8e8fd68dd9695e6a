"""The agent's lines come out of a JVM that code under test shares: form first, then agreement."""

from __future__ import annotations

import json
import re

import pytest

from jeto_bench.errors import DecodeError
from jeto_evaluate.agent_lines import Jvm, parse_agent
from jeto_evaluate.agent_times import AgentRound, read_agent, with_agent
from jeto_evaluate.samples import AgentTimes, ClassTime

COUNTERS = {
    "thread_cpu_ns": 8_000_000,
    "java_cpu_ns": 9_000_000,
    "wait_ns": 100_000,
    "jit_cpu_ns": 3,
    "gc_cpu_ns": 2,
    "vm_cpu_ns": 1,
    "thread_alloc": 5000,
    "java_alloc": 6000,
    "loaded": 12,
}


def start(**changes: object) -> dict[str, object]:
    return {
        "type": "start",
        "version": 1,
        "pid": 7,
        "java": "17.0.9",
        "processors": 2,
        "max_heap": 1 << 30,
        "collectors": ["Copy"],
        "flags": [],
    } | changes


def class_line(number: int, name: str, **changes: object) -> dict[str, object]:
    return {
        "type": "class",
        "seq": number,
        "position": number,
        "depth": 0,
        "name": name,
        "wall_ns": 10_000_000,
        "flags": [],
        "tests": [["works", 9_000_000, 8_000_000, 4000]],
        **COUNTERS,
    } | changes


def end(number: int, **changes: object) -> dict[str, object]:
    return {"type": "end", "seq": number, "classes": number, "trouble": []} | changes


def order(*, ordered: bool = True) -> dict[str, object]:
    return {"type": "order", "ordered": ordered, "classes": 1}


def lines(*documents: dict[str, object]) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in documents)


def reported(name: str, cases: int = 1) -> ClassTime:
    return ClassTime(test_class=name, milliseconds=10, suite_ms=10, cases_ms=9, cases=cases)


def test_a_run_is_read() -> None:
    run = parse_agent(
        lines(start(), order(), class_line(0, "a.BTest"), end(1, trouble=["lost a thread"]))
    )
    assert run.jvm == Jvm(java="17.0.9", processors=2, max_heap_bytes=1 << 30, collectors=("Copy",))
    assert (run.ordered, run.ended) == (True, True)
    assert run.trouble == ("lost a thread",)
    (only,) = run.sets
    assert only.counters == COUNTERS
    assert only.tests[0].wall_ns == 9_000_000


def test_a_skipped_test_is_counted_and_has_no_times() -> None:
    skipped = class_line(0, "a.BTest", tests=[["left out", None, None, None]])
    ((only,), problem, _) = with_agent(
        [reported("a.BTest")], agents(lines(start(), skipped, end(1)))
    )
    assert problem == ""
    assert only.agent


def test_a_halted_jvm_lacks_the_end_and_what_it_did_not_measure() -> None:
    run = parse_agent(lines(start(), class_line(0, "a.BTest", wait_ns=None)))
    assert not run.ended
    assert not run.ordered
    refused = lines(start(), order(), order(ordered=False), class_line(0, "a.BTest"))
    assert not parse_agent(refused).ordered
    assert run.sets[0].counters["wait_ns"] is None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "start"),
        (lines(start())[:-1], "cut off"),
        (lines(class_line(0, "a.BTest")), "start"),
        (lines(start(version=2)), "another version"),
        (lines(start(), start()), "out of turn"),
        (lines(start(), end(0), class_line(0, "a.BTest")), "out of turn"),
        (lines(start(), class_line(1, "a.BTest")), "not in its place"),
        (lines(start(), class_line(0, "a.BTest"), class_line(0, "a.BTest")), "not in its place"),
        (lines(start(), class_line(0, "a.BTest"), end(2)), "does not follow"),
        (lines(start(), class_line(0, "a.BTest", wall_ns=-1)), "not a count"),
        (lines(start(), class_line(0, "a.BTest", wall_ns=1.5)), "not a count"),
        (lines(start(), class_line(0, "a.BTest", java_cpu_ns=True)), "not a count"),
        (lines(start(), class_line(0, "a.BTest", wall_ns=2**63)), "not a count"),
        (lines(start(), class_line(0, "a.BTest", tests=[["x", 1]])), "not a test"),
        (lines(start()) + b"{]\n", "not JSON"),
        (lines(start()) + b"[" * 100_000 + b"\n", "not JSON"),
        (lines(start()) + b"3\n", "not an object"),
    ],
)
def test_what_else_writes_there_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(DecodeError, match=said):
        parse_agent(data, source="agent-1.jsonl")


def agents(*runs: bytes) -> AgentRound:
    return read_agent({f"agent-{number}.jsonl": data for number, data in enumerate(runs)})


def test_classes_get_their_figures_and_their_places() -> None:
    said = agents(
        lines(
            start(),
            class_line(0, "a.BTest$Inner", depth=1, position=1),
            class_line(1, "a.BTest", position=0, tests=[]),
            class_line(2, "a.ATest", position=2),
            end(3),
        ),
        lines(start(), class_line(0, "b.CTest"), end(1)),
    )
    names = ("a.ATest", "a.BTest", "b.CTest")
    times, problem, _ = with_agent([reported(name) for name in names], said)
    assert problem == ""
    assert [entry.agent.order if entry.agent else None for entry in times] == [1, 0, 2]
    assert times[1].agent == AgentTimes(order=0, wall_ns=10_000_000, **COUNTERS)


def test_nested_sets_that_follow_each_other_add_up() -> None:
    """Surefire 2.22 runs nested classes after the outer one, not inside it."""
    said = agents(
        lines(
            start(),
            class_line(0, "a.BTest"),
            class_line(1, "a.BTest$Inner", wait_ns=None),
            end(2),
        )
    )
    ((only,), problem, _) = with_agent([reported("a.BTest", cases=2)], said)
    assert problem == ""
    assert only.agent
    assert only.agent.wall_ns == 20_000_000
    assert only.agent.wait_ns is None


@pytest.mark.parametrize(
    ("runs", "said", "contradicted"),
    [
        ([], "no agent", False),
        ([b""], "no agent", False),
        ([b"x\n"], r"agent-0\.jsonl.*not JSON", True),
        ([lines(start(), class_line(0, "a.BTest", flags=["replay"]), end(1))], "replay", False),
        ([lines(start(), class_line(0, "a.CTest"), end(1))], "the agent saw no such", True),
        ([lines(start(), class_line(0, "a.BTest", tests=[]), end(1))], "1 cases .* 0 seen", True),
    ],
)
def test_figures_that_contradict_the_reports_are_not_used(
    runs: list[bytes], said: str, *, contradicted: bool
) -> None:
    """Where no agent was, or its figures are of something else, nothing is contradicted."""
    entries = [reported("a.BTest")]
    held = with_agent(entries, agents(*runs))
    assert list(held.classes) == entries
    assert re.search(said, held.problem)
    assert held.contradicted is contradicted


def test_other_files_of_a_round_are_left_alone() -> None:
    assert read_agent({"module/TEST-a.BTest.xml": b"<x/>"}).problem == "no agent has written"
