"""Versions of a dataset: their numbers, what a version pins, and how two of them differ."""
