"""Weights written by hand: what each phrase says for or against an issue being about time. Pure.

Log odds. They are where training starts, and what it is held back towards (``logistic.py``), so
that a phrase which the few labels do not have keeps the meaning that it plainly has.
"""

from __future__ import annotations

from typing import Final

from jeto_mine.classifiers.logistic import Weights

__all__ = ["LEXICON"]

_TITLE: Final = {
    "slow": 3.5,
    "takes long": 3.0,
    "performance problem": 2.0,
    "improve performance": 2.0,
    "times slower": 1.5,
    "performance": 1.5,
    "fast": 1.2,
    "expensive": 1.2,
    "complexity": 1.2,
    "latency": 1.0,
    "time": 1.0,
    "efficient": 1.0,
    "needless": 1.0,
    "cpu": 0.7,
    "cache": 0.7,
    "optimize": 0.7,
    "so many seconds": 0.7,
    "profile": 0.5,
    "avoid": 0.5,
    "reuse": 0.4,
    "allocation": 0.4,
    "lock": 0.3,
    "scale": 0.3,
    "reflection": 0.3,
    "timeout": 0.2,
    "lazy": 0.2,
    "parallel": 0.2,
    "cleanup": -0.5,
    "upgrade": -0.7,
    "build": -0.7,
    "disk": -0.7,
    "memory": -1.0,
    "feature": -1.0,
    "test": -1.0,
    "security": -1.0,
    "failure": -1.2,
    "deadlock": -1.5,
    "documentation": -1.5,
}
_TEXT: Final = {
    "slow": 1.2,
    "performance problem": 1.2,
    "improve performance": 1.0,
    "times slower": 1.0,
    "profile": 0.9,
    "takes long": 0.8,
    "expensive": 0.8,
    "complexity": 0.8,
    "performance": 0.6,
    "fast": 0.6,
    "efficient": 0.6,
    "needless": 0.6,
    "time": 0.5,
    "cpu": 0.5,
    "latency": 0.4,
    "optimize": 0.4,
    "so many seconds": 0.4,
    "cache": 0.3,
    "avoid": 0.2,
    "reuse": 0.2,
    "allocation": 0.2,
    "scale": 0.2,
    "test": -0.2,
    "build": -0.2,
    "memory": -0.3,
    "security": -0.3,
    "failure": -0.4,
    "deadlock": -0.4,
    "feature": -0.4,
    "documentation": -0.4,
}

LEXICON: Final = Weights(
    bias=-3.0,
    weights={
        **{f"title: {name}": value for name, value in _TITLE.items()},
        **{f"text: {name}": value for name, value in _TEXT.items()},
        "label: performance": 1.2,
    },
)
"""The bias is that of an issue without any of them: hardly ever about time."""
