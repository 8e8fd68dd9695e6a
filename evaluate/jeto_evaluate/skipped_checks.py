"""What a build does besides compiling and testing, switched off in every arm and every build.

Licences, style, API comparison, coverage, signing, documentation and git's metadata say nothing of
how fast the code is, cost time, and fail in a tree without history or network (field.md rows 83,
90). A property that no plugin of a project knows does nothing.
"""

from __future__ import annotations

from typing import Final

__all__ = ["SKIPPED_CHECKS"]

_SKIPPED: Final = {
    "licence": ("license.skip", "rat.skip", "license.skipAddThirdParty"),
    "style": (
        "checkstyle.skip",
        "pmd.skip",
        "cpd.skip",
        "spotbugs.skip",
        "findbugs.skip",
        "spotless.check.skip",
        "spotless.apply.skip",
        "formatter.skip",
        "fmt.skip",
        "impsort.skip",
        "sort.skip",
        "sortpom.skip",
        "editorconfig.skip",
        "modernizer.skip",
        "forbiddenapis.skip",
        "basepom.check.skip-all",
        "air.check.skip-all",
    ),
    "api and dependencies": (
        "animal.sniffer.skip",
        "japicmp.skip",
        "revapi.skip",
        "clirr.skip",
        "enforcer.skip",
        "mdep.analyze.skip",
        "dependency-check.skip",
        "cyclonedx.skip",
    ),
    "coverage": ("jacoco.skip", "cobertura.skip", "maven.clover.skip"),
    "signing": ("gpg.skip",),
    "documentation": ("maven.javadoc.skip", "maven.source.skip", "asciidoctor.skip"),
    "git's metadata": ("maven.gitcommitid.skip", "maven.buildNumber.skip"),
}

SKIPPED_CHECKS: Final = tuple(f"-D{name}=true" for names in _SKIPPED.values() for name in names)
"""Arguments for Maven: the same in every arm, when building and in every round."""
