"""Hypothesis on shared machines: no deadline per example, which would measure the neighbours."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("jeto", deadline=None)
settings.load_profile("jeto")
