"""The offline classifier: conservative, readable, the same always; labels; how it is measured."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from github_stub import Stub, api
from github_stub import issue as github_issue

from jeto_bench.errors import DecodeError
from jeto_bench.github.client import GitHubClient
from jeto_bench.github.model import IssueRef
from jeto_evaluate.cli.main import run_app
from jeto_mine.classifiers.features import LABELS, PHRASES, features_of, prose
from jeto_mine.classifiers.labels import LabelFile, Labelled, read_labels
from jeto_mine.classifiers.lexicon import LEXICON
from jeto_mine.classifiers.logistic import Example, Weights, fit
from jeto_mine.classifiers.measure import Counts, Training, count, cross_validate, fold_of
from jeto_mine.classifiers.offline import (
    OfflineClassifier,
    OfflineModel,
    decode_model,
    encode_model,
)
from jeto_mine.classifiers.protocol import Classification, Classifier, IssueText, Label
from jeto_mine.cli import filter_eval as command
from jeto_mine.cli.main import app

REF = IssueRef(repo="Acme/lib", number=1)
SLOW = (
    "Listing the users takes several minutes. Profiling shows that most of it is spent in look-ups."
)


def issue(title: str, body: str = "", *, number: int = 1, repo: str = "Acme/lib") -> IssueText:
    return IssueText(ref=IssueRef(repo=repo, number=number), title=title, body=body)


def answer(title: str, body: str = "") -> Classification:
    classifier: Classifier = OfflineClassifier()
    (found,) = classifier.classify([issue(title, body)])
    assert found.classifier == classifier.name
    return found


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Startup is very slow", ""),
        ("Performance regression since 2.3", ""),
        ("Improve performance of JSON parsing", ""),
        ("Parsing takes 30 seconds for large files", ""),
        ("Users page", SLOW + " It became 3x slower, a bad performance regression."),
    ],
)
def test_issues_about_time(title: str, body: str) -> None:
    found = answer(title, body)
    assert found.label is Label.YES
    assert found.score is not None
    assert found.score >= 0.6
    assert found.reason.startswith("has '")


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("NullPointerException in the parser", ""),
        ("Add support for Java 21", "It would be nice to have."),
        ("Memory leak in the session cache", "The heap grows until it is full."),
        ("Deadlock when closing", "Two threads wait for each other's lock."),
        ("Typo in the documentation", ""),
        ("Cache the result of getFoo", ""),
        (
            "Crash when a file is opened",
            "```\n" + "It is so slow, performance problem, takes minutes\n" * 5 + "```",
        ),
    ],
)
def test_issues_about_other_things(title: str, body: str) -> None:
    assert answer(title, body).label is Label.NO


@pytest.mark.parametrize("title", ["", "Bug", "???", "Help me"])
def test_too_little_to_go_by_is_unsure_and_never_yes(title: str) -> None:
    found = answer(title, "<!-- Describe what is slow. Add a benchmark. -->\n\n- [x] performance")
    assert found.label is Label.UNSURE
    assert found.reason == "not enough information"


def test_what_a_template_or_a_log_says_is_not_what_the_reporter_says() -> None:
    body = (
        "### Is it slow?\n<!-- performance\nproblem -->\n> takes ages\n"
        "~~~\nslow slow\n~~~\nsee [slow](http://slow)\n  at slow.Query(Slow.java:1)\nIt breaks."
    )
    assert prose(body).split() == ["see", "It", "breaks."]


@pytest.mark.parametrize("opening", ["```java", "<!--"])
def test_what_is_not_closed_hides_the_rest(opening: str) -> None:
    assert prose(f"Hello\n{opening}\nslow").split() == ["Hello"]


def test_a_hostile_text_takes_no_time_worth_the_name() -> None:
    """Patterns that backtrack would hang a run on one issue; the text's length is bounded too."""
    for text in ("slow " * 50_000, "takes " + "a" * 200_000, "[" * 50_000, "<!--" * 50_000):
        features_of(issue("x", text))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("It is sluggish", "slow"),
        ("slower than before", "slow"),
        ("Slovenia", ""),
        ("spent 3 hours waiting", "takes long"),
        ("20% slower", "times slower"),
        ("an O(n^2) loop", "complexity"),
        ("N+1 queries", "complexity"),
        ("perform an action", ""),
        ("latency went up", "latency"),
        ("性能", "performance"),
    ],
)
def test_phrases(text: str, name: str) -> None:
    found = {item.removeprefix("title: ") for item in features_of(issue(text))}
    assert (name in found) if name else not found


def test_every_weight_is_of_a_phrase_that_is_looked_for() -> None:
    """A typo in a name would silently switch a weight off."""
    known = {f"{part}: {name}" for part in ("title", "text") for name in PHRASES}
    known |= {f"label: {name}" for name in LABELS}
    shipped = OfflineClassifier()._model
    assert set(LEXICON.weights) <= known
    assert set(shipped.weights.weights) <= known
    assert decode_model(encode_model(shipped), source="x") == shipped


def test_another_model_has_another_name() -> None:
    model = OfflineModel(weights=Weights(bias=0.0, weights={"title: slow": 9.0}), threshold=0.5)
    assert OfflineClassifier(model).name != OfflineClassifier().name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "threshold, bias and weights"),
        ('{"threshold": "x", "bias": 0, "weights": {}}', "threshold: expected a number"),
        ('{"threshold": 1, "bias": 0, "weights": []}', "weights: expected an object"),
        ('{"threshold": 1, "bias": 0, "weights": {"a": true}}', r"weights\.a: expected a number"),
        ("{", "not JSON"),
    ],
)
def test_a_file_that_is_no_model_is_refused(text: str, said: str) -> None:
    with pytest.raises(DecodeError, match=said):
        decode_model(text.encode(), source="model.json")


def test_training_finds_what_separates_and_keeps_what_no_example_has() -> None:
    start = Weights(bias=-1.0, weights={"unseen": 2.0})
    examples = [
        Example(features=frozenset({"good", "both"}), positive=True),
        Example(features=frozenset({"bad", "both"}), positive=False),
    ] * 10
    made = fit(examples, ridge=0.01, start=start)
    assert made.weights["unseen"] == 2.0
    assert made.weights["good"] > 1 > -1 > made.weights["bad"]
    assert made.score({"good", "both"}) > 0.8
    assert made.score({"bad", "both"}) < 0.2
    assert fit(examples[::-1], ridge=0.01, start=start) == made
    assert fit([], ridge=0.01, start=start) == start


def test_the_gradient_is_that_of_the_loss_it_names() -> None:
    """With a huge ridge nothing moves; with one feature the optimum has a closed condition."""
    start = Weights(bias=0.0, weights={"x": 1.0})
    examples = [Example(features=frozenset({"x"}), positive=True)] * 3 + [
        Example(features=frozenset(), positive=False)
    ]
    stiff = fit(examples, ridge=1.5, start=start)
    assert abs(stiff.weights["x"] - 1.0) < 0.2
    ridge = 0.2
    made = fit(examples, ridge=ridge, start=start)
    pull = 0.75 * (made.score({"x"}) - 1)  # mean over examples of the error, for the feature
    assert pull + ridge * (made.weights["x"] - 1.0) == pytest.approx(0, abs=1e-3)


def test_labels_are_read_in_both_forms(tmp_path: Path) -> None:
    lines = [
        {"repo": "Acme/lib", "issue_number": 1, "filter_said": True, "truth": True, "source": "a"},
        {"repo": "Acme/lib", "issue_number": None, "truth": False, "source": "a"},
        {"ref": {"repo": "Acme/lib", "number": 2}, "label": "unsure", "reason": "bare link"},
        {"repo": "acme/LIB", "issue_number": 1, "truth": True},
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    found = read_labels(path.read_bytes(), source="x")
    assert [(item.ref.number, item.label, item.source) for item in found] == [
        (1, Label.YES, "a"),
        (2, Label.UNSURE, ""),
    ]
    classifier: Classifier = LabelFile(path)
    answers = list(classifier.classify([issue("", number=n) for n in (2, 1, 3)]))
    assert [item.label for item in answers] == [Label.UNSURE, Label.YES, Label.UNSURE]
    assert answers[0].reason == "bare link"
    assert answers[2].reason == "not in labels.jsonl"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"repo": "a/b", "issue_number": 1, "truth": "yes"}', "truth: expected true or false"),
        ('{"ref": {"repo": "a/b", "number": 1}}', "label: missing field label"),
        ('{"ref": {"repo": "a/b", "number": 1}, "label": "maybe"}', "not one of yes, no, unsure"),
        ('{"repo": "b", "issue_number": 1, "truth": true}', "repo: 'b' is no name"),
        ('{"repo": "a/b", "issue_number": 7, "truth": false}', "no, and yes in line 1"),
    ],
)
def test_a_bad_label_is_refused_by_line(line: str, said: str) -> None:
    first = b'{"repo": "a/b", "issue_number": 7, "truth": true}\n'
    with pytest.raises(DecodeError, match=rf"l\.jsonl:2: .*{said}"):
        read_labels(first + line.encode(), source="l.jsonl")


def test_counts_take_unsure_for_no_and_have_no_rate_of_nothing() -> None:
    truth = [True, True, True, False, False, False]
    said = [Label.YES, Label.NO, Label.UNSURE, Label.YES, Label.NO, Label.UNSURE]
    refs = [IssueRef(repo="a/b", number=n) for n in range(1, 7)]
    labels = {
        ref: Labelled(ref=ref, label=Label.YES if yes else Label.NO)
        for ref, yes in zip(refs, truth, strict=True)
    }
    counts = count(
        labels,
        [
            Classification(ref=ref, label=label, reason="", classifier="x")
            for ref, label in zip(refs, said, strict=True)
        ],
    )
    assert counts == Counts(true_yes=1, false_yes=1, true_no=2, false_no=2, unsure=2)
    assert (counts.precision.value, counts.recall.value) == (0.5, 1 / 3)
    assert counts.accuracy.value == 0.5
    assert counts.accuracy.interval is not None
    nothing = count(labels, [])
    assert nothing.precision.value is None
    assert nothing.precision.interval is None


def test_no_repository_is_judged_by_a_model_that_has_seen_it() -> None:
    """A word that only one repository uses must not help to judge that repository."""
    pairs = [
        (issue("disk space" if yes else "javadoc", repo=f"own{n}/lib", number=n + 1), yes)
        for n in range(40)
        for yes in (n % 2 == 0,)
    ]
    odd = issue("cve", repo="odd/lib")
    folds = {fold_of(item.ref) for item, _ in pairs}
    assert len(folds) > 5
    training = Training(threshold=0.5, ridge=0.001)
    answers = {found.ref: found for found in cross_validate([*pairs, (odd, True)], training)}
    assert len(answers) == 41
    learnt = [answers[item.ref].label is Label.YES for item, yes in pairs if yes]
    assert sum(learnt) > 15
    assert answers[odd.ref].label is not Label.YES
    seen = OfflineClassifier(training.model([*pairs, *[(odd, True)] * 20]))
    assert [found.label for found in seen.classify([odd])] == [Label.YES]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    monkeypatch.setattr(sys, "argv", ["jeto-mine", "filter-eval", *arguments])
    with pytest.raises(SystemExit) as caught:
        run_app(app)
    return caught.value.code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [
        {
            "ref": {"repo": "Acme/lib", "number": number},
            "title": title,
            "body": "",
            "created_at": "2024-03-01T12:00:00Z",
            "labels": [],
            "is_pull_request": False,
        }
        for number, title in enumerate(["It is slow", "Typo in the docs", "Crash"], start=1)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "issues.jsonl").write_text(text, encoding="utf-8")
    labels = [
        {"repo": "acme/lib", "issue_number": n, "truth": n in {1, 3}, "source": "s"}
        for n in range(1, 5)
    ]
    text = "".join(json.dumps(line) + "\n" for line in labels)
    (tmp_path / "labels.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def test_filter_eval_tells_rates_with_their_numbers(
    monkeypatch: pytest.MonkeyPatch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = str(folder / "labels.jsonl")
    assert run(monkeypatch, labels, "--issues", str(folder)) == 0
    told = capsys.readouterr().out
    assert "3 of 4 labelled issues have a text" in told
    (row,) = [line for line in told.splitlines() if line.startswith("all")]
    assert "1.00 [0.21, 1.00] (1/1)" in row
    assert "0.50 [0.09, 0.91] (1/2)" in row
    assert (
        run(monkeypatch, labels, "--issues", str(folder), "--classifier", f"labels:{labels}") == 0
    )
    assert "(3/3)" in capsys.readouterr().out


def test_a_strangers_labels_are_told_as_text(
    monkeypatch: pytest.MonkeyPatch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A source called `[/x]` ended `filter-eval` in a traceback."""
    labels = folder / "labels.jsonl"
    first, *more = labels.read_text("utf-8").splitlines()
    labels.write_text("\n".join([first.replace('"s"', '"[/x]\\u001b[31m"'), *more]), "utf-8")
    assert run(monkeypatch, str(labels), "--issues", str(folder)) == 0
    assert "[/x]\ufffd[31m" in capsys.readouterr().out


def test_filter_eval_asks_github_for_what_the_folder_lacks(
    monkeypatch: pytest.MonkeyPatch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = Stub(issues={4: github_issue(4), 9: github_issue(9)})

    def opened(*, cache: Path, environ: object) -> GitHubClient:
        assert environ
        return GitHubClient(api(stub, cache))

    monkeypatch.setattr(command, "open_api", opened)
    labels, work = str(folder / "labels.jsonl"), str(folder / "work")
    arguments = (labels, "--issues", str(folder), "--fetch", "--work", work)
    for _ in range(2):
        assert run(monkeypatch, *arguments) == 0
        assert "4 of 4 labelled issues have a text" in capsys.readouterr().out
    assert stub.things == {"issue 4": 1}
    new = folder / "new"
    assert run(monkeypatch, labels, "--issues", str(new), "--fetch", "--work", work) == 0
    assert "1 of 4 labelled issues have a text" in capsys.readouterr().out


def test_filter_eval_trains(
    monkeypatch: pytest.MonkeyPatch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = folder / "model.json"
    arguments = (str(folder / "labels.jsonl"), "--issues", str(folder), "--train", str(made))
    assert run(monkeypatch, *arguments, "--ordinary", str(folder), "--cross-validated") == 0
    assert "weights in" in capsys.readouterr().out
    assert decode_model(made.read_bytes(), source="x").threshold == 0.6


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--classifier", "magic"), "no classifier 'magic'"),
        (("--classifier", "endpoint"), "needs its address, a model and its prices"),
        (("--classifier", "labels:x", "--cross-validated"), "is not trained"),
        (("--classifier", "labels:/nowhere/x"), "cannot be read"),
    ],
)
def test_filter_eval_refuses(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    told: str,
) -> None:
    labels = str(folder / "labels.jsonl")
    assert run(monkeypatch, labels, "--issues", str(folder), *arguments) == 2
    assert told in capsys.readouterr().err
