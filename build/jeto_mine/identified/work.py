"""The one function that scans one repository, for a process here or a worker elsewhere."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from jeto_bench.errors import JetoError, UsageError
from jeto_bench.github.local import COMMITS, ISSUES, MOVED, PULLS, REPOSITORIES
from jeto_bench.github.open import open_source
from jeto_bench.github.source import GitHubSource
from jeto_mine.classifiers.choose import Endpoint, choose
from jeto_mine.classifiers.protocol import Classifier
from jeto_mine.identified.assembled import iso_time
from jeto_mine.identified.object_store import tip_of
from jeto_mine.identified.repository_provenance import RepositoryProvenance, forge_answers
from jeto_mine.identified.scan import ScanOptions, scan_clone
from jeto_mine.identified.scan_clones import blobless_clone
from jeto_mine.identified.scan_folder import ScanFolder, report_of

__all__ = [
    "WORK_FOLDER",
    "Done",
    "Sources",
    "Task",
    "key_of",
    "opened_classifier",
    "scan_repository",
]

WORK_FOLDER: Final = Path(".jeto/scan")
"""Where answers of the API and of models are kept, if nothing else is said."""

_RESULTS: Final = 2
"""Raised whenever the same input gives other results."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sources:
    """Where facts come from; what a worker opens by itself.

    Attributes:
        github: Folder with an export of a forge, if any.
        api: Ask GitHub's API, if there is no export.
        cache: Folder for the API's answers.
        classifier: What names a classifier; see ``classifiers.choose``; empty: none.
        endpoint: Where a language model is, if the classifier needs one.
    """

    github: Path | None = None
    api: bool = False
    cache: Path = WORK_FOLDER
    classifier: str = ""
    endpoint: Endpoint | None = None

    @property
    def identity(self) -> str:
        """What is the same for the same answers; of the API it is its name only."""
        if self.github is None:
            return "api" if self.api else "none"
        digest = hashlib.sha256()
        for name in (REPOSITORIES, PULLS, ISSUES, COMMITS, MOVED):
            file = self.github / name
            data = file.read_bytes() if file.is_file() else b""
            digest.update(b"%d\0" % len(data) + data)
        return f"export {digest.hexdigest()}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One repository to scan.

    Attributes:
        repo: ``owner/name``.
        clone: Its clone; ``None``: below ``clones``, made there if it is missing.
        clones: Folder with clones.
        origin: URL with ``{repo}`` that clones are made from; empty: none is made.
        update: Fetch what is new into clones below ``clones`` first.
        output: Folder for results.
        options: What decides.
        sources: Where facts come from.
    """

    repo: str
    clone: Path | None
    clones: Path | None
    origin: str
    update: bool
    output: Path
    options: ScanOptions
    sources: Sources


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """What a worker says of a task.

    Attributes:
        repo: The repository.
        commits: Commits read, now or before.
        records: Records found.
        fresh: It was scanned now; False if nothing was new.
        seconds: Time that it took.
        error: Why it could not be scanned; empty if it could.
    """

    repo: str
    commits: int = 0
    records: int = 0
    fresh: bool = False
    seconds: float = 0.0
    error: str = ""


def scan_repository(task: Task) -> Done:
    """Scan one repository, if anything is new, and write what was found.

    An error of this repository is its result, so that the others go on.
    """
    started = time.monotonic()
    try:
        clone = task.clone or _clone(task)
        key = key_of(task, tip_of(clone, branch=task.options.branch))
        folder = ScanFolder(task.output)
        report = folder.report(task.repo)
        fresh = report is None or report.key != key
        if report is None or fresh:
            source = _source(task.sources)
            before = len(source.answered) if source is not None else 0
            scanned = scan_clone(
                clone,
                task.repo,
                task.options,
                source=source,
                classifier=opened_classifier(task.sources),
            )
            report = report_of(scanned, repo=task.repo, key=key)
            made = RepositoryProvenance(
                repo=task.repo,
                tip=scanned.tip,
                scanned_at=iso_time(int(time.time())),
                answers=forge_answers(source.answered[before:] if source is not None else ()),
            )
            folder.keep(scanned, report, made)
    except JetoError as error:
        return Done(repo=task.repo, error=str(error), seconds=time.monotonic() - started)
    return Done(
        repo=task.repo,
        commits=report.commits,
        records=report.outcomes["identified"],
        fresh=fresh,
        seconds=time.monotonic() - started,
    )


def key_of(task: Task, tip: str) -> str:
    """Return a hash of everything that decides a result, 64 hex digits."""
    classifier = opened_classifier(task.sources)
    parts = (
        str(_RESULTS),
        tip,
        task.repo,
        repr(task.options),
        _identity(task.sources),
        classifier.name if classifier is not None else "",
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _clone(task: Task) -> Path:
    if task.clones is None:
        raise UsageError(
            f"no clone of {task.repo} is named",
            advice="Name the folder that has it, or is to have it, with --clones.",
        )
    return blobless_clone(task.clones, task.repo, origin=task.origin, update=task.update)


@lru_cache(maxsize=4)
def _identity(sources: Sources) -> str:
    return sources.identity


@lru_cache(maxsize=4)
def _source(sources: Sources) -> GitHubSource | None:
    if sources.github is None and not sources.api:
        return None
    return open_source(local=sources.github, cache=sources.cache, environ=os.environ)


@lru_cache(maxsize=4)
def opened_classifier(sources: Sources) -> Classifier | None:
    """Open the classifier of a task, once in a process.

    Raises:
        UsageError: There is none of that name, or it lacks what it needs.
    """
    if not sources.classifier:
        return None
    return choose(sources.classifier, sources.endpoint or Endpoint(work=WORK_FOLDER))
