"""Records, predictions and errors of JETO-Bench: the lowest layer, without Docker."""

from jeto_bench._version import __version__

__all__ = ["__version__"]
