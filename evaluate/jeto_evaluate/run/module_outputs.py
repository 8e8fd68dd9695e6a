"""The builds' outputs of a project with several modules, compared module by module."""

from __future__ import annotations

from collections.abc import Mapping

from jeto_evaluate.patching.outputs import output_intruders

__all__ = ["module_intruders"]


def module_intruders(base: Mapping[str, str], candidate: Mapping[str, str]) -> tuple[str, ...]:
    """Name output files by which a candidate reaches into what measures it.

    Two modules may hold the same path, one changed and one not, so each is asked by itself.

    Args:
        base: Hash by path, relative to the repository, of everything below base's
            ``target/classes`` directories.
        candidate: Likewise of the candidate.
    """
    before = _by_module(base)
    return tuple(
        f"{module}/{path}"
        for module, outputs in sorted(_by_module(candidate).items())
        for path in output_intruders(before.get(module, {}), outputs)
    )


def _by_module(outputs: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Name output files as the class path sees them, per module."""
    modules: dict[str, dict[str, str]] = {}
    for path, digest in outputs.items():
        module, _, inside = path.partition("/target/classes/")
        modules.setdefault(module.removeprefix("./"), {})[inside] = digest
    return modules
