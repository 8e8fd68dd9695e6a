"""The page of one record: one HTML document, no script, nothing from elsewhere. Pure.

Issue, message and diff are strangers' text: every value goes through ``html.escape``, and the
document's own policy forbids scripts, images, frames and requests altogether.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final

from jeto_mine.verification.evidence import Evidence
from jeto_mine.verification.model import REQUIREMENTS, LabelEntry
from jeto_mine.verification.style import STYLE

__all__ = ["POLICY", "Form", "done_page", "message_page", "record_page"]

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_MOST_LINES: Final = 5000
_FIRST_NUMBER: Final = 3
_DETECTOR_HEADS: Final = ("Test class", "", "criteria", "pairs won", "p", "speedup")


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """Where and as what a label is sent.

    Attributes:
        action: Path that takes it.
        skip: Path that shows the next record.
        token: Secret that proves that the form came from here.
        instance_id: The record.
        patch_sha256: Of the patch that is shown.
        annotator: Who looks at it.
        left: Records that wait for this annotator, this one included.
        labelled: Records that this annotator has labelled.
    """

    action: str
    skip: str
    token: str
    instance_id: str
    patch_sha256: str
    annotator: str
    left: int
    labelled: int


def record_page(shown: Evidence, form: Form, *, problem: str = "") -> str:
    """Return the page that shows a record and asks the three questions."""
    share = 100 * form.labelled // (form.labelled + form.left)
    warning = f'<p class="problem" role="alert">{escape(problem)}</p>' if problem else ""
    body = f"""
<header>
  <div><strong>{escape(form.instance_id)}</strong>
  <span class="muted">annotator {escape(form.annotator)}: {form.labelled} labelled,
  {form.left} to go</span></div>
  <div class="bar" aria-hidden="true"><div style="width:{share}%"></div></div>
</header>
<main>
  <h1>{escape(shown.title)}</h1>
  <div class="columns">
    <section><h2>Issue</h2>{_text(shown.issue, "No text but the title is known.")}
    <h2>Commit message</h2>{_text(shown.message, "None.")}</section>
    <section><h2>Facts</h2>{_facts(shown.facts)}
    <h2>Measured</h2>{_detectors(shown.detectors)}</section>
  </div>
  <h2>Diff</h2>
  {_diff(shown.diff)}
</main>
<form method="post" action="{escape(form.action)}" autocomplete="off">
  {warning}
  <input type="hidden" name="token" value="{escape(form.token)}">
  <input type="hidden" name="instance_id" value="{escape(form.instance_id)}">
  <input type="hidden" name="patch_sha256" value="{escape(form.patch_sha256)}">
  <div class="questions">{"".join(_question(*item) for item in REQUIREMENTS.items())}</div>
  <div class="last"><label class="note">Note <input name="note" maxlength="2000"
    placeholder="why, if it is not obvious"></label>
  <button type="submit">Save label</button>
  <a href="{escape(form.skip)}">Skip for now</a></div>
</form>"""
    return _document(form.instance_id, body)


def done_page(annotator: str, labelled: Sequence[tuple[str, str, Sequence[LabelEntry]]]) -> str:
    """Return the page that is shown when nothing waits for an annotator.

    Args:
        annotator: Who.
        labelled: (instance, decision or empty, labels that this annotator may see).
    """
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{escape(_labels(labels))}</td>"
        f"<td>{escape(decision or 'waits for a label')}</td></tr>"
        for name, decision, labels in labelled
    )
    body = f"""
<main><h1>Nothing waits for {escape(annotator)}</h1>
<p>You can close this page and stop the program with Ctrl-C.</p>
<table><thead><tr><th>Record</th><th>Labels</th><th>Decision</th></tr></thead>
<tbody>{rows}</tbody></table></main>"""
    return _document("Done", body)


def message_page(title: str, text: str, back: str) -> str:
    """Return a page that says one thing."""
    body = (
        f'<main><h1>{escape(title)}</h1><p>{escape(text)}</p><p><a href="{escape(back)}">'
        "Go on</a></p></main>"
    )
    return _document(title, body)


def _document(title: str, body: str) -> str:
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(POLICY.partition("; frame")[0])}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>{body}
</body>
</html>
"""


def _question(field: str, text: str) -> str:
    return (
        f"<fieldset><legend>{escape(text)}</legend>"
        f'<label><input type="radio" name="{field}" value="yes" required> yes</label>'
        f'<label><input type="radio" name="{field}" value="no"> no</label></fieldset>'
    )


def _text(text: str, otherwise: str) -> str:
    if not text:
        return f'<p class="muted">{escape(otherwise)}</p>'
    return f'<pre class="prose">{escape(text)}</pre>'


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    rows = (f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    return f"<dl>{''.join(rows)}</dl>"


def _detectors(detectors: Sequence[tuple[str, ...]]) -> str:
    if not detectors:
        return '<p class="muted">No test class tells the versions apart.</p>'
    heads = "".join(
        f"<th{' class=number' if n >= _FIRST_NUMBER else ''}>{escape(head)}</th>"
        for n, head in enumerate(_DETECTOR_HEADS)
    )
    rows = "".join(
        _class_rows(name, [row[1:] for row in same])
        for name, same in groupby(detectors, key=lambda row: row[0])
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _class_rows(name: str, rows: Sequence[Sequence[str]]) -> str:
    """One class: its name once, a row for each set of criteria that names it."""
    package, _, short = name.rpartition(".")
    head = (
        f'<td rowspan="{len(rows)}"><span class="muted">{escape(package)}</span><br>'
        f"{escape(short)}</td>"
    )
    made = ""
    for number, (verdict, criteria, *figures) in enumerate(rows):
        kind = "faster" if verdict.startswith("faster") else "slower"
        made += (
            f'<tr>{head if number == 0 else ""}<td class="{kind}">{escape(verdict)}</td>'
            f"<td>{escape(criteria)}</td>"
            + "".join(f'<td class="number">{escape(value)}</td>' for value in figures)
            + "</tr>"
        )
    return made


def _diff(lines: Sequence[str]) -> str:
    if not lines:
        return '<p class="muted">The record has no diff.</p>'
    shown = "".join(
        f'<span class="{_kind(line)}">{escape(line) or " "}</span>' for line in lines[:_MOST_LINES]
    )
    left = len(lines) - _MOST_LINES
    more = f'<p class="muted">{left} more lines are in the record.</p>' if left > 0 else ""
    return f'<pre class="diff">{shown}</pre>{more}'


def _kind(line: str) -> str:
    if line.startswith(("diff --git ", "index ", "--- ", "+++ ", "new file", "deleted file")):
        return "head"
    if line.startswith("@@"):
        return "hunk"
    return {"+": "added", "-": "removed"}.get(line[:1], "same")


def _labels(labels: Sequence[LabelEntry]) -> str:
    return ", ".join(f"{item.annotator}: {item.decision.value}" for item in labels)
