"""Which rule decides, with the parameters of both: the robust one, and the paper's beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from jeto_bench.errors import UsageError
from jeto_evaluate.criteria import JETO, PRESETS, Criteria, decimal_settings, parse_criteria
from jeto_evaluate.statistics.robust_criteria import ROBUST, RobustCriteria

__all__ = ["DEFAULT_RULES", "RULE_NAMES", "Decider", "Rules", "parse_rules"]


class Decider(StrEnum):
    """The family of rules that an outcome follows from."""

    ROBUST = "robust"
    JETO = "jeto"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """Both verdicts are always given; one of them decides the outcome.

    Attributes:
        decides: Whose classes make the outcome.
        jeto: The paper's rule; its number of rounds is that of the screen.
        robust: The robust rule.
    """

    decides: Decider = Decider.ROBUST
    jeto: Criteria = JETO
    robust: RobustCriteria = ROBUST

    @property
    def name(self) -> str:
        """Name of the rule that decides."""
        return self.robust.name if self.decides is Decider.ROBUST else self.jeto.name

    @property
    def rounds(self) -> int:
        """Pairs that the screen measures."""
        return self.jeto.rounds

    def with_rounds(self, rounds: int) -> Rules:
        """Return the same rules for another number of pairs."""
        return replace(
            self,
            jeto=replace(self.jeto, rounds=rounds),
            robust=replace(self.robust, rounds=rounds),
        )


DEFAULT_RULES = Rules()
RULE_NAMES = (ROBUST.name, *PRESETS)


def parse_rules(text: str) -> Rules:
    """Return the rules under which the one that a user named decides.

    Args:
        text: ``robust``, or a preset of the paper's rule, then any number of ``,key=value``:
            ``robust,min_improvement=0.03``, ``jeto,alpha=0.05``.

    Raises:
        UsageError: Unknown rule or key, or a value that is not a plain decimal.
    """
    name, _, settings = text.strip().partition(",")
    if name != ROBUST.name:
        if name not in PRESETS:
            raise UsageError(
                f"no criteria named {name!r}", advice=f"Choose from {', '.join(RULE_NAMES)}."
            )
        return Rules(decides=Decider.JETO, jeto=parse_criteria(text))
    robust = ROBUST
    for key, value in decimal_settings(settings):
        if key == "min_improvement":
            robust = replace(robust, min_improvement=Fraction(value))
        elif key == "alpha":
            robust = replace(robust, alpha=Fraction(value))
        elif key == "max_detectable":
            robust = replace(robust, max_detectable=Fraction(value))
        else:
            raise UsageError(
                f"criteria setting {key}={value} is not understood",
                advice="Keys of robust are min_improvement, alpha and max_detectable (decimals).",
            )
    return Rules(robust=replace(robust, name=text.strip()))
