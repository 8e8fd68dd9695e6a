"""What tokens cost, and when to stop. Pure.

A price table is JSON: ``{"MODEL": {"input": 0.25, "output": 2.0}}``, US dollars per million tokens.
A model of one's own has the price 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Final

from jeto_bench.convert import Where, convert
from jeto_bench.errors import UsageError
from jeto_bench.json_text import Cursor, decode_text

__all__ = ["Budget", "Price", "read_prices"]

_MILLION: Final = 1e6
_CHARACTERS_PER_TOKEN: Final = 2.0
"""Fewer than any common tokenizer needs on prose, so that estimates are too high, not too low."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """US dollars per million tokens.

    Attributes:
        input: Of what is asked.
        output: Of what is answered.
    """

    input: float
    output: float

    def cost(self, asked: int, answered: int) -> float:
        """US dollars for so many tokens."""
        return (asked * self.input + answered * self.output) / _MILLION

    def at_most(self, characters: int, answered: int) -> float:
        """US dollars that a question of so many characters may cost before it is asked."""
        return self.cost(round(characters / _CHARACTERS_PER_TOKEN), answered)


@dataclass(kw_only=True, slots=True)
class Budget:
    """What was spent, and what may be.

    Attributes:
        limit: US dollars; None for no limit.
        spent: US dollars.
        asked: Tokens asked.
        answered: Tokens answered.
    """

    limit: float | None
    spent: float = 0.0
    asked: int = 0
    answered: int = 0

    def reserve(self, cost: float) -> None:
        """Refuse a question that might cross the limit.

        Raises:
            UsageError: It might.
        """
        if self.limit is not None and self.spent + cost > self.limit:
            raise UsageError(
                f"--max-cost {self.limit:g} is reached: {self.spent:.4f} US dollars are spent, and"
                f" the next answer may cost {cost:.4f}",
                advice="What was answered is kept; the same command with more goes on from there.",
            )

    def spend(self, cost: float, *, asked: int, answered: int) -> None:
        """Count what an answer has cost."""
        self.spent += cost
        self.asked += asked
        self.answered += answered


def read_prices(data: bytes, *, source: str) -> dict[str, Price]:
    """Return prices by model.

    Raises:
        DecodeError: Not a table of prices.
    """
    where = Where(source=source, line=None)
    cursor = Cursor(text=decode_text(data, source, None), source=source)
    value = cursor.value()
    if cursor.peek() or not isinstance(value, dict):
        where.fail("a price table is one JSON object", "", advice='{"MODEL": {"input": 1, ...}}')
    prices: dict[str, Price] = {}
    for model, entry in value.items():
        price: Price = convert(entry, Price, where, model)
        for name in ("input", "output"):
            amount = getattr(price, name)
            if not isfinite(amount) or amount < 0:
                where.fail(f"{amount} is no price", f"{model}.{name}", advice="0 or more.")
        prices[model] = price
    return prices
