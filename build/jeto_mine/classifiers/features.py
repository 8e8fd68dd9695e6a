"""What the offline classifier looks for in an issue: phrases, in its title and in its text. Pure.

Written by hand; how much each counts is in ``lexicon.py`` and, adjusted, ``offline.json``.
"""

from __future__ import annotations

import re
from typing import Final

from jeto_mine.classifiers.protocol import IssueText

__all__ = ["PHRASES", "features_of", "prose", "word_count"]

PHRASES: Final[dict[str, str]] = {
    # Time itself.
    "slow": r"\b(?:slow(?:s|ed|er|est|ly|ness|down|ing)?|sluggish|laggy|lags?)\b|(?<!为)慢",
    "fast": r"\b(?:fast(?:er|est)?|quick(?:er|ly)?|speed(?:s|ing)?[ -]?(?:up)?|speedups?)\b",
    "performance": r"\b(?:performances?|performan(?:t|ter)|perf)\b|性能",
    "performance problem": (
        r"\b(?:performance|perf) (?:issue|problem|regression|degrad|penalt|bottleneck|loss)"
        r"|\b(?:poor|bad|terrible|degrad\w+|worse) performance|performance (?:is|gets) (?:bad|wors)"
    ),
    "improve performance": (
        r"\b(?:improv\w+|optimi[sz]\w+|increas\w+|better|enhanc\w+|boost\w*)\b[^.\n]{0,40}"
        r"\b(?:performance|perf|speed|throughput|latency)\b|performance (?:improve|optimi[sz])"
    ),
    "takes long": (
        r"\b(?:tak(?:es?|ing)|took|spen[dt]s?|wait(?:s|ing)?|needs)\b[^.\n]{0,40}"
        r"\b(?:long(?:er)?|time|forever|ages|seconds?|minutes?|hours?|ms|secs?|mins?)\b"
    ),
    "so many seconds": (
        r"(?:>|~|about|over|than)?\s?\b\d+(?:[.,]\d+)?\s?(?:ms|µs|ns|s|sec\w*|min\w*|hours?)\b"
    ),
    "times slower": r"\b\d+(?:[.,]\d+)?\s?(?:x|times|%)\s(?:slower|faster|longer|more time)",
    "time": (
        r"\b(?:execution|running|run|startup|start-up|start|response|build|loading|"
        r"load) ?-?times?\b"
    ),
    "latency": r"\b(?:latenc(?:y|ies)|throughput|delays?|responsive(?:ness)?|hang(?:s|ing)?)\b",
    "timeout": r"\btime[sd]?[ -]?outs?\b|\btiming out\b",
    # Where time goes.
    "profile": (
        r"\b(?:profil(?:e[drs]?|ing)|flame ?graphs?|benchmark\w*|jmh|visualvm|jprofiler|"
        r"hot ?spots?)\b"
    ),
    "cpu": r"\b(?:cpu|processor)\b",
    "expensive": (
        r"\b(?:expensive|costly|heavy|overheads?|inefficien\w+|bottlenecks?|intensive|"
        r"wasteful)\b"
    ),
    "efficient": r"\b(?:more efficient\w*|efficien(?:cy|t|tly))\b",
    "complexity": (
        r"\b(?:quadratic\w*|exponential\w*|complexity)\b|\bo\([^)\n]{1,30}\)|\bn\s?\+\s?1\b"
    ),
    "scale": r"\b(?:scal(?:e|es|ing|ability)|large|huge|big|many|lots of|thousands|millions?)\b",
    # What is usually done about it.
    "cache": r"\b(?:cach(?:e|es|ed|ing)|memoi[sz]\w*)\b|缓存",
    "avoid": r"\b(?:avoid(?:s|ed|ing)?|reduc(?:e|es|ed|ing)|eliminat\w+|skip|minimi[sz]\w+)\b",
    "needless": (
        r"\b(?:unnecessar(?:y|ily)|redundant(?:ly)?|repeated(?:ly)?|duplicate work|"
        r"multiple times|each time|every time|twice|again and again|needless(?:ly)?|"
        r"superfluous)\b"
    ),
    "optimize": r"\b(?:optimi[sz](?:e[ds]?|ing|ations?|ates?)|tune|tuning|fast[ -]path)\b|优化",
    "lock": r"\b(?:lock(?:s|ed|ing)?|contention|contended|synchroni[sz]\w+|block(?:s|ed|ing))\b",
    "parallel": r"\b(?:parallel\w*|concurren\w+|threads?|async\w*|batch(?:es|ed|ing)?|bulk)\b",
    "lazy": r"\b(?:laz(?:y|ily)|eager(?:ly)?|on demand|prefetch\w*|preload\w*)\b",
    "reuse": r"\b(?:re-?us(?:e|es|ed|ing)|pool(?:s|ed|ing)?|singleton)\b",
    "index": r"\b(?:index(?:es)?|full (?:table )?scan)\b",
    "allocation": r"\b(?:allocat\w+|gc|garbage|boxing|copy(?:ing)?|copies)\b",
    "reflection": (
        r"\b(?:reflection|regex(?:es)?|regular expressions?|autobox\w*|stream api|"
        r"replaceall)\b"
    ),
    # Other things than time.
    "memory": r"\b(?:memory|heap|oom|outofmemory\w*|leak(?:s|ing|ed)?|footprint)\b|内存",
    "failure": (
        r"\b(?:exceptions?|npe|nullpointer\w*|stack ?traces?|crash(?:es|ed)?|fail(?:s|ed|ure|"
        r"ures)?|errors?|broken|wrong|incorrect(?:ly)?|invalid)\b"
    ),
    "deadlock": r"\b(?:deadlocks?|races?|race condition|infinite loop|endless)\b",
    "feature": (
        r"\b(?:add support|support for|allow(?:s|ing)?|feature request|new feature|introduce|"
        r"implement|ability to|would be nice|configurable|expose)\b"
    ),
    "documentation": (
        r"\b(?:documentation|docs?|javadoc|typo|readme|changelog|translations?|i18n)\b"
    ),
    "upgrade": r"\b(?:upgrade|update|bump|migrate|migration|deprecat\w+|version)\b",
    "cleanup": r"\b(?:refactor\w*|clean ?up|polish\w*|remove unused|simplif\w+|rename)\b",
    "test": r"\b(?:flaky|unit tests?|test cases?|tests? fail\w*|coverage)\b",
    "build": r"\b(?:maven|gradle|ci|pipeline|dependenc(?:y|ies)|plugin)\b",
    "security": r"\b(?:security|vulnerab\w+|cve|xss|injection|permissions?)\b",
    "disk": r"\b(?:disk space|file size|bandwidth|log(?:s|ging)? (?:spam|noise|volume))\b",
}  # fmt: skip

LABELS: Final = {
    "performance": re.compile(r"perf|slow|speed|optimi[sz]", re.IGNORECASE),
    "bug": re.compile(r"\bbug|defect|regression", re.IGNORECASE),
    "feature": re.compile(r"feature|enhancement|improvement", re.IGNORECASE),
}
"""Names of labels that say something."""

_PATTERNS: Final = {name: re.compile(text, re.IGNORECASE) for name, text in PHRASES.items()}
_FENCE: Final = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)")
_NOISE: Final = re.compile(
    r"!?\[[^\[\]\n]{0,300}\]\([^()\n]{0,500}\)|https?://\S+"  # links, images
    r"|^[ \t]*[-*] \[[ xX]\].*$"  # boxes to tick
    r"|^#+[ \t].*$"  # headings are the template's
    r"|^[ \t]*>.*$|^[ \t]+at [\w.$<>]+\(.*$",  # quotations, stack traces
    re.DOTALL | re.MULTILINE,
)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
"""What a template tells the reporter."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LONGEST: Final = 20_000


def features_of(issue: IssueText) -> frozenset[str]:
    """Names of what the issue has: ``title: slow``, ``text: slow``, ``label: performance``."""
    title, text = issue.title[:_LONGEST], prose(issue.body)
    found = {f"title: {name}" for name, pattern in _PATTERNS.items() if pattern.search(title)}
    found |= {f"text: {name}" for name, pattern in _PATTERNS.items() if pattern.search(text)}
    found |= {
        f"label: {name}"
        for name, pattern in LABELS.items()
        if any(pattern.search(label) for label in issue.labels)
    }
    return frozenset(found)


def prose(body: str) -> str:
    """The text without code, quotations, links, headings and what a template asked for."""
    text = _COMMENT.sub(" ", body[:_LONGEST])
    text = _FENCE.sub(" ", text)
    return "\n".join(_NOISE.sub(" ", line) for line in text.splitlines())


def word_count(issue: IssueText) -> int:
    """Words of title and text: how much there is to go by."""
    return len(_WORD.findall(issue.title)) + len(_WORD.findall(prose(issue.body)))
