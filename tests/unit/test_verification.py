"""Labels, whose turn it is, how far people agree, and what follows for records."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path

import pytest
from rich.console import Console
from synthetic_records import synthetic_records
from typer.testing import CliRunner

from jeto_bench.decode import decode_jsonl, decode_parquet
from jeto_bench.encode import records_to_jsonl
from jeto_bench.errors import DecodeError, InputError, UsageError
from jeto_bench.records import EtipRecord, Tier, Verification
from jeto_mine.cli.main import app
from jeto_mine.cli.verify import verify
from jeto_mine.verification.agreement import agreement, cohens_kappa
from jeto_mine.verification.decide import apply_decisions
from jeto_mine.verification.labels import add_label, read_labels
from jeto_mine.verification.model import REQUIREMENTS, Answers, Decision, LabelEntry, make_label
from jeto_mine.verification.page import POLICY
from jeto_mine.verification.progress import open_for, standings
from jeto_mine.verification.server import Site
from jeto_mine.verification.terminal import label_in_terminal

RECORDS = tuple(item for item in synthetic_records(9) if item.tier is not Tier.IDENTIFIED)
FIRST, SECOND = RECORDS[:2]
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
YES = Answers(improves=True, beyond_tests=True, keeps_functionality=True)
NO = replace(YES, improves=False)
HOSTILE = "</pre><script>document.title='owned'</script><img src=x onerror=alert(1)>"


def label(record: EtipRecord, annotator: str, answers: Answers = YES) -> LabelEntry:
    return make_label(record, annotator, answers, now=NOON)


def test_an_improvement_meets_all_three_requirements() -> None:
    assert YES.decision is Decision.IMPROVEMENT
    for field in REQUIREMENTS:
        assert replace(YES, **{field: False}).decision is Decision.NO_IMPROVEMENT


def test_labels_come_back_with_who_and_when(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "labels.jsonl"
    assert read_labels(path) == ()
    add_label(path, make_label(FIRST, "ada", YES, note=" fine é really ", now=NOON))
    add_label(path, label(FIRST, "bob", NO))
    one, two = read_labels(path)
    assert (one.annotator, one.note, one.labelled_at) == (
        "ada", "fine é really", "2026-01-02T12:00:00+00:00",
    )  # fmt: skip
    assert two.decision is Decision.NO_IMPROVEMENT
    assert path.read_bytes().count(b"\n") == 2


def test_a_label_is_given_once(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    add_label(path, label(FIRST, "ada"))
    before = path.read_bytes()
    with pytest.raises(InputError, match="ada has labelled acme0__lib-2 already"):
        add_label(path, label(FIRST, "ada", NO))
    assert path.read_bytes() == before
    add_label(path, label(replace(FIRST, patch=FIRST.patch + "\n"), "ada", NO))


def test_a_torn_or_doubled_line_is_told(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    add_label(path, label(FIRST, "ada"))
    whole = path.read_bytes()
    path.write_bytes(whole + whole)
    with pytest.raises(DecodeError, match=r"labels\.jsonl:2: ada labelled acme0__lib-2 in line 1"):
        read_labels(path)
    path.write_bytes(whole + whole[:30])
    with pytest.raises(DecodeError, match=r"labels\.jsonl:2: not JSON"):
        add_label(path, label(SECOND, "ada"))
    path.write_bytes(whole.replace(b'"improves": true', b'"improves": "yes"'))
    with pytest.raises(DecodeError, match=r"answers\.improves: expected true or false"):
        read_labels(path)


def test_a_strangers_labels_name_people_in_one_word(tmp_path: Path) -> None:
    """An annotator called `[/x]` ended `agreement` in a traceback; escapes drove the terminal."""
    path = tmp_path / "labels.jsonl"
    add_label(path, label(FIRST, "[/x]"))
    shown = CliRunner().invoke(app, ["agreement", str(path)])
    assert shown.exit_code == 0, shown.output
    assert "[/x]: accuracy" in shown.output
    path.write_bytes(path.read_bytes().replace(b"[/x]", b"\\u001b[31m"))
    with pytest.raises(DecodeError, match=r"labels\.jsonl:1: annotator: '\\x1b\[31m' is not"):
        read_labels(path)


@pytest.mark.parametrize("name", ["", "a b", "a\n", "\x1b[31m"])
def test_an_annotator_is_one_word(name: str) -> None:
    with pytest.raises(UsageError, match="is not an annotator's id"):
        label(FIRST, name)


def test_two_label_and_a_third_breaks_a_tie() -> None:
    one = [label(FIRST, "ada")]
    assert FIRST not in open_for("ada", RECORDS, one)
    assert FIRST in open_for("bob", RECORDS, one)
    agreed = [*one, label(FIRST, "bob")]
    assert FIRST not in open_for("eve", RECORDS, agreed)
    tied = [*one, label(FIRST, "bob", NO)]
    assert standings(RECORDS, tied)[FIRST.instance_id].decision is None
    assert FIRST in open_for("eve", RECORDS, tied)
    assert FIRST not in open_for("bob", RECORDS, tied)
    settled = [*tied, label(FIRST, "eve", NO)]
    found = standings(RECORDS, settled)[FIRST.instance_id]
    assert (found.decision, found.tied) == (Decision.NO_IMPROVEMENT, True)
    assert open_for("kim", [FIRST], settled) == ()


def test_nobody_sees_the_others_label_first() -> None:
    found = standings(RECORDS, [label(FIRST, "ada")])[FIRST.instance_id]
    assert found.visible_to("bob") == ()
    assert [item.annotator for item in found.visible_to("ada")] == ["ada"]


def test_a_label_of_another_patch_does_not_count() -> None:
    changed = replace(FIRST, patch=FIRST.patch + "\n")
    labels = [label(FIRST, "ada"), label(FIRST, "bob")]
    assert standings([changed], labels)[FIRST.instance_id].labels == ()
    assert open_for("ada", [changed], labels) == (changed,)


def test_decisions_make_records_verified() -> None:
    bare = [replace(item, tier=Tier.EXECUTABLE) for item in RECORDS[:3]]
    identified = replace(synthetic_records(1)[0])
    labels = [
        *(label(bare[0], "ada"), label(bare[0], "bob")),
        *(label(bare[1], "ada"), label(bare[1], "bob", NO), label(bare[1], "eve", NO)),
        label(bare[2], "ada"),
        *(label(identified, "ada"), label(identified, "bob")),
    ]
    yes, no, open_, early = apply_decisions([*bare, identified], labels)
    assert (yes.tier, yes.verification.decision) == (Tier.VERIFIED, "improvement")
    assert yes.verification.annotators == ("ada", "bob")
    assert no.tier is Tier.EXECUTABLE
    assert no.verification.labels == ("improvement", "no_improvement", "no_improvement")
    assert open_ == bare[2]
    assert (early.tier, early.verification.decision) == (Tier.IDENTIFIED, "improvement")
    assert decode_jsonl(records_to_jsonl([yes, no, open_, early])) == (yes, no, open_, early)


def test_a_record_found_to_be_none_falls_back() -> None:
    verified = replace(FIRST, tier=Tier.VERIFIED)
    labels = [label(verified, "ada", NO), label(verified, "bob", NO)]
    assert apply_decisions([verified], labels)[0].tier is Tier.EXECUTABLE


def test_kappa_of_cohens_two_by_two() -> None:
    """50 proposals, 20 and 15 of them agreed upon: 0.70 observed, 0.50 by chance, kappa 0.40."""
    kappa = cohens_kappa({("y", "y"): 20, ("y", "n"): 5, ("n", "y"): 10, ("n", "n"): 15})
    assert kappa
    assert kappa.standard_error
    assert kappa.observed == pytest.approx(0.70)
    assert kappa.expected == pytest.approx(0.50)
    assert kappa.value == pytest.approx(0.40)
    assert kappa.low == pytest.approx(0.4 - 1.959964 * kappa.standard_error)
    assert kappa.high == pytest.approx(0.4 + 1.959964 * kappa.standard_error)


FLEISS = {
    ("a", "a"): 106, ("a", "b"): 10, ("a", "c"): 4,
    ("b", "a"): 22, ("b", "b"): 28, ("b", "c"): 10,
    ("c", "a"): 2, ("c", "b"): 12, ("c", "c"): 6,
}  # fmt: skip
"""Table 1 of Fleiss, Cohen and Everitt (1969): 200 subjects, three categories."""


def test_kappa_of_three_categories() -> None:
    kappa = cohens_kappa(FLEISS)
    assert kappa
    assert kappa.observed == pytest.approx(0.70)
    assert kappa.expected == pytest.approx(0.475)
    assert kappa.value == pytest.approx(0.429, abs=5e-4)


def plain_kappa(counts: dict[tuple[str, str], float]) -> float:
    total = sum(counts.values())
    names = {name for pair in counts for name in pair}
    same = sum(n for (a, b), n in counts.items() if a == b) / total
    chance = sum(
        sum(n for (a, _), n in counts.items() if a == name)
        * sum(n for (_, b), n in counts.items() if b == name)
        for name in names
    ) / (total * total)
    return (same - chance) / (1 - chance)


@pytest.mark.parametrize(
    "counts",
    [FLEISS, {("y", "y"): 20, ("y", "n"): 5, ("n", "y"): 10, ("n", "n"): 15}],
)
def test_its_standard_error_is_the_delta_methods(counts: dict[tuple[str, str], int]) -> None:
    """The same quantity another way: numerical gradient and the multinomial covariance."""
    total = sum(counts.values())
    shares = {pair: n / total for pair, n in counts.items()}
    step = 1e-6
    slopes = {
        pair: (plain_kappa({**shares, pair: share + step}) - plain_kappa(shares)) / step
        for pair, share in shares.items()
    }
    mean = sum(shares[pair] * slopes[pair] for pair in shares)
    variance = sum(shares[pair] * (slopes[pair] - mean) ** 2 for pair in shares) / total
    kappa = cohens_kappa(counts)
    assert kappa
    assert kappa.standard_error == pytest.approx(sqrt(variance), rel=1e-4)


def test_undefined_kappa_is_none_and_full_agreement_is_one() -> None:
    assert cohens_kappa({}) is None
    assert cohens_kappa({("y", "y"): 7}) is None
    whole = cohens_kappa({("y", "y"): 7, ("n", "n"): 3})
    assert whole
    assert (whole.value, whole.standard_error, whole.low, whole.high) == (1.0, None, None, None)
    assert whole.expected == pytest.approx(0.58)
    never = cohens_kappa({("y", "n"): 5, ("n", "y"): 5})
    assert never
    assert never.standard_error is None
    assert never.value == pytest.approx(-1.0)


def test_figures_of_a_file_of_labels() -> None:
    made = [
        *(label(RECORDS[0], "ada"), label(RECORDS[0], "bob")),
        *(label(RECORDS[1], "ada"), label(RECORDS[1], "bob", NO), label(RECORDS[1], "eve")),
        *(label(RECORDS[2], "bob", NO), label(RECORDS[2], "ada", NO)),
        *(label(RECORDS[3], "ada"), label(RECORDS[3], "bob", NO)),
        label(RECORDS[4], "bob"),
    ]
    found = agreement(made)
    assert (found.records, found.ties, found.undecided) == (5, 2, 2)
    assert (found.pairs.right, found.pairs.of) == (2, 4)
    assert (found.precision.right, found.precision.of) == (2, 3)
    assert found.precision.interval
    assert found.precision.interval.low == pytest.approx(0.2077, abs=1e-4)
    ada, bob, eve = found.annotators
    assert (ada.accuracy.right, ada.accuracy.of) == (3, 3)
    assert (bob.accuracy.right, bob.accuracy.of) == (2, 3)
    assert (bob.recall.right, bob.recall.of) == (1, 2)
    assert (bob.precision.value, eve.precision.value) == (1.0, 1.0)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    odd = replace(FIRST, problem_statement=f"{HOSTILE}\n\nslow {HOSTILE}", patch=f"+{HOSTILE}\n")
    return Site(records=(odd, SECOND), labels=tmp_path / "labels.jsonl", annotator="ada")


def form(site: Site, record: EtipRecord, **more: str) -> dict[str, str]:
    entry = label(record, "ada")
    return {
        "token": site.token,
        "instance_id": entry.instance_id,
        "patch_sha256": entry.patch_sha256,
        **dict.fromkeys(REQUIREMENTS, "yes"),
        **more,
    }


def test_strangers_text_is_text(site: Site) -> None:
    page = site.show().page
    assert "<script" not in page.lower()
    assert "<img" not in page.lower()
    assert page.count("&lt;script&gt;") >= 2  # the issue and the diff, shown as they are


def test_the_page_asks_for_nothing_from_elsewhere(site: Site) -> None:
    page = site.show().page
    assert "default-src 'none'" in POLICY
    for word in ("http:", "https:", "//", "@import", "url("):
        assert word not in page, word


def test_a_label_is_saved_and_the_next_record_shown(site: Site) -> None:
    odd = site.records[0]
    reply = site.take(form(site, odd, keeps_functionality="no", note="hm"))
    assert reply.status == 303
    assert reply.location == f"{site.root}?after=acme0__lib-2"
    (saved,) = read_labels(site.labels)
    assert (saved.annotator, saved.note) == ("ada", "hm")
    assert saved.answers == replace(YES, keeps_functionality=False)
    assert SECOND.instance_id in site.show().page
    assert site.take(form(site, SECOND)).status == 303
    assert "Nothing waits for ada" in site.show().page


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"token": "wrong"}, 403),
        ({"token": ""}, 403),
        ({"instance_id": "acme__lib-0"}, 409),
        ({"patch_sha256": "0" * 64}, 409),
        ({"improves": "maybe"}, 400),
    ],
)
def test_a_form_that_is_not_ours_saves_nothing(
    site: Site, change: dict[str, str], status: int
) -> None:
    assert site.take(form(site, SECOND) | change).status == status
    assert read_labels(site.labels) == ()


def test_an_unanswered_question_saves_nothing(site: Site) -> None:
    fields = form(site, SECOND)
    del fields["beyond_tests"]
    reply = site.take(fields)
    assert "Answer all three questions." in reply.page
    assert read_labels(site.labels) == ()


def test_the_page_does_not_show_the_others_label(site: Site) -> None:
    add_label(site.labels, label(SECOND, "zoe", NO))
    page = site.show(after=site.records[0].instance_id).page
    assert SECOND.instance_id in page
    assert "zoe" not in page
    assert "no_improvement" not in page
    site.take(form(site, SECOND))
    site.take(form(site, site.records[0]))
    assert "zoe: no_improvement" in site.show().page


def test_a_decided_record_takes_no_further_label(site: Site) -> None:
    add_label(site.labels, label(SECOND, "zoe"))
    add_label(site.labels, label(SECOND, "bob"))
    assert site.take(form(site, SECOND)).status == 409
    assert len(read_labels(site.labels)) == 2


def typed(*lines: str) -> Callable[[str], str]:
    left: Iterator[str] = iter(lines)

    def ask(_: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return ask


def test_the_terminal_asks_the_same(tmp_path: Path) -> None:
    path, shown = tmp_path / "labels.jsonl", io.StringIO()
    odd = replace(
        FIRST,
        problem_statement="Slow \x1b[31mred\x1b[0m\n\n[bold]not markup[/bold]",
        patch="+\tint x;\n",
    )
    saved = label_in_terminal(
        (odd, SECOND),
        path,
        "ada",
        console=Console(file=shown, width=100),
        ask=typed("y", "what", "yes", "n", "a note", "s"),
    )
    assert saved == 1
    (entry,) = read_labels(path)
    assert (entry.instance_id, entry.note) == (odd.instance_id, "a note")
    assert entry.answers == replace(YES, keeps_functionality=False)
    assert "\x1b" not in shown.getvalue()
    assert "[bold]not markup[/bold]" in shown.getvalue()
    assert "faster after the fix" in shown.getvalue()
    assert "+   int x;" in shown.getvalue()  # tabs were shown as unknown characters


def test_the_terminals_questions_show_what_may_be_typed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`[y/n/s/q]` was taken for markup and not shown."""
    records = tmp_path / "records.jsonl"
    records.write_bytes(records_to_jsonl([SECOND]))
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    verify(records, labels=tmp_path / "labels.jsonl", annotator="ada", terminal=True)
    assert f"{REQUIREMENTS['improves']} [y/n/s/q] " in capsys.readouterr().out


def test_the_command_shows_figures_and_writes_decisions(tmp_path: Path) -> None:
    path, records = tmp_path / "labels.jsonl", tmp_path / "records.jsonl"
    bare = replace(FIRST, tier=Tier.EXECUTABLE, verification=Verification())
    records.write_bytes(records_to_jsonl([bare, SECOND]))
    for annotator in ("ada", "bob"):
        add_label(path, label(bare, annotator))
    out = tmp_path / "out.parquet"
    done = CliRunner().invoke(
        app, ["agreement", str(path), "--records", str(records), "--output", str(out)]
    )
    assert done.exit_code == 0, done.output
    assert "Cohen's kappa" in done.output
    assert "undefined" in done.output
    assert "21% to 100%" in done.output
    verified, other = decode_parquet(out.read_bytes())
    assert (verified.tier, verified.verification.annotators) == (Tier.VERIFIED, ("ada", "bob"))
    assert other == SECOND


def test_records_without_output_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["agreement", "x.jsonl", "--records", str(tmp_path)])
    assert isinstance(done.exception, UsageError)


def test_stopping_in_the_middle_saves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    console = Console(file=io.StringIO())
    assert label_in_terminal((FIRST,), path, "ada", console=console, ask=typed("y", "q")) == 0
    assert label_in_terminal((FIRST,), path, "ada", console=console, ask=typed("y", "y", "y")) == 0
    assert read_labels(path) == ()
