"""From what the texts of a unit refer to, to the one issue that it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from jeto_bench.github.model import Issue
from jeto_bench.github.source import GitHubSource
from jeto_mine.classifiers.protocol import Classifier, IssueText, Label
from jeto_mine.identified.linking import Reference, pull_of_subject, references
from jeto_mine.identified.reasons import Mark, ScanReason
from jeto_mine.identified.units import Funnel, Unit

__all__ = ["Linking", "about_time", "choose_issues", "linked_numbers", "unit_links"]


class Linking(StrEnum):
    """What counts as a link to an issue."""

    CLOSING = "closing"
    """GitHub's closing keywords, and what a pull request closes."""
    MENTION = "mention"
    """Where nothing is closed, what is named counts too: ``GH-12: faster``."""


def unit_links(unit: Unit) -> tuple[Reference, ...]:
    """Return what a unit refers to: its pull request's links, title and body, then its messages."""
    found: dict[tuple[str, int], Reference] = {}
    pull = unit.pull
    for link in (
        *(
            ()
            if pull is None
            else (
                *(Reference(repo=r.repo, number=r.number, closes=True) for r in pull.closing),
                *references(pull.title, markdown=False),
                *references(pull.body, markdown=True),
            )
        ),
        *unit.links,
    ):
        key = (link.repo.casefold(), link.number)
        if key not in found or link.closes:
            found[key] = link
    return tuple(found.values())


def linked_numbers(
    links: Sequence[Reference],
    *,
    names: Sequence[str],
    pull: int | None,
    linking: Linking,
    squash: int | None = None,
) -> tuple[tuple[int, ...], bool, ScanReason | None]:
    """Return the issues of this repository that links close, or name.

    Args:
        links: What the texts refer to.
        names: Names of the repository, also former ones.
        pull: Number of the pull request itself.
        linking: What counts.
        squash: Number that a message only names as that of a squashed pull request.

    Returns:
        Numbers in order, whether they are only named, and why there are none.
    """
    own = {"", *(name.casefold() for name in names)}
    wanted = [link for link in links if link.closes]
    mentioned = not wanted and linking is Linking.MENTION
    if mentioned:
        wanted = [link for link in links if link.number != squash]
    here = [link.number for link in wanted if link.repo.casefold() in own and link.number != pull]
    if here:
        return tuple(dict.fromkeys(here)), mentioned, None
    reason = ScanReason.LINKED_ELSEWHERE if wanted else ScanReason.NOT_LINKED
    return (), mentioned, reason


def choose_issues(
    units: Sequence[Unit],
    source: GitHubSource | None,
    *,
    repo: str,
    linking: Linking,
    classifier: Classifier | None,
    funnel: Funnel,
) -> tuple[Unit, ...]:
    """Give each unit the first of its issues that there is and that is about time.

    Args:
        units: Units whose change passes the criteria.
        source: The forge, or an export; ``None``: numbers are taken as they are, and marked.
        repo: ``owner/name``.
        linking: What counts as a link.
        classifier: Says which issues are about time; ``None``: all are taken, and marked.
        funnel: Counts what is left out.

    Raises:
        JetoError: The forge or the classifier does not answer.
    """
    kept = _linked(units, source, repo=repo, linking=linking, funnel=funnel)
    if source is None:
        return tuple(
            replace(
                unit,
                issue_number=numbers[0],
                marks=unit.marks | {Mark.ISSUE_UNKNOWN, Mark.NOT_CLASSIFIED},
            )
            for unit, numbers in kept
        )
    asked = sorted({number for _, numbers in kept for number in numbers})
    issues = source.issues(repo, asked) if asked else {}
    labels = about_time(
        [issue for issue in issues.values() if not issue.is_pull_request], classifier
    )
    chosen = []
    for unit, numbers in kept:
        choice = _choose([issues.get(number) for number in numbers], labels)
        if isinstance(choice, ScanReason):
            funnel.drop(unit.head, choice)
            continue
        marks = set() if classifier is not None else {Mark.NOT_CLASSIFIED}
        number = choice.ref.number
        chosen.append(replace(unit, issue=choice, issue_number=number, marks=unit.marks | marks))
    return _with_comments(chosen, source, repo)


def about_time(issues: Sequence[Issue], classifier: Classifier | None) -> Mapping[int, Label]:
    """Ask a classifier about issues, all at once and in order; without one, all are."""
    ordered = sorted(issues, key=lambda issue: issue.ref)
    if classifier is None:
        return {issue.ref.number: Label.YES for issue in ordered}
    texts = [
        IssueText(ref=issue.ref, title=issue.title, body=issue.body, labels=issue.labels)
        for issue in ordered
    ]
    answers = classifier.classify(texts)
    return {answer.ref.number: answer.label for answer in answers}


def _linked(
    units: Sequence[Unit],
    source: GitHubSource | None,
    *,
    repo: str,
    linking: Linking,
    funnel: Funnel,
) -> tuple[tuple[Unit, tuple[int, ...]], ...]:
    """Return units with the numbers that they link; those without one are dropped."""
    facts = source.repository(repo) if source is not None else None
    names = (repo, facts.full_name) if facts is not None else (repo,)
    kept = []
    for unit in units:
        found, mentioned, reason = linked_numbers(
            unit_links(unit),
            names=names,
            pull=unit.pull_number,
            linking=linking,
            # A forge tells which numbers are pull requests'; without one this one likely is.
            squash=pull_of_subject(unit.message.text, merge=False) if source is None else None,
        )
        if reason is not None:
            funnel.drop(unit.head, reason)
            continue
        marks = {Mark.MENTIONED_ONLY} if mentioned else set()
        kept.append((replace(unit, marks=unit.marks | marks), found))
    return tuple(kept)


def _choose(issues: Sequence[Issue | None], labels: Mapping[int, Label]) -> Issue | ScanReason:
    there = [issue for issue in issues if issue is not None]
    if not there:
        return ScanReason.ISSUE_MISSING
    real = [issue for issue in there if not issue.is_pull_request]
    if not real:
        return ScanReason.LINKED_TO_PULL
    found = {labels.get(issue.ref.number, Label.UNSURE) for issue in real}
    if Label.YES not in found:
        unsure = Label.UNSURE in found
        return ScanReason.CLASSIFIER_UNSURE if unsure else ScanReason.NOT_ABOUT_TIME
    return next(issue for issue in real if labels.get(issue.ref.number) is Label.YES)


def _with_comments(units: Sequence[Unit], source: GitHubSource, repo: str) -> tuple[Unit, ...]:
    """Ask for the discussions of the few issues that are left."""
    asked = sorted({unit.issue_number for unit in units})
    full = source.issues(repo, asked, comments=True) if asked else {}
    return tuple(replace(unit, issue=full.get(unit.issue_number, unit.issue)) for unit in units)
