"""The card itself: front matter and text from ``dataset_card/README.md.jinja``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from jeto_bench._version import __version__
from jeto_bench.card.facts import ConfigFacts
from jeto_bench.errors import InputError, UsageError

__all__ = ["CardText", "cell", "needs_libraries", "render_card", "template_folder"]

TEMPLATE: Final = "README.md.jinja"
_NEEDED: Final = {"jinja2": "jinja2", "yaml": "pyyaml"}


@dataclass(frozen=True, kw_only=True, slots=True)
class CardText:
    """Everything that the template may say.

    Attributes:
        name: Shown name of the dataset.
        hub_id: ``owner/name`` on the Hub.
        version: Of the data.
        front_matter: See ``card.front_matter``.
        configs: Facts of each config of records.
        index_rows: Rows of the config ``index``; 0 where there is none.
        index_tiers: Its rows by tier.
        repositories: (repository, ETIPs, stars, licence), largest first.
        figures: File names below ``figures/``.
        columns: Name and type of each column of a record.
        default: Config that is loaded when none is named.
    """

    name: str
    hub_id: str
    version: str
    front_matter: Mapping[str, object]
    configs: Sequence[ConfigFacts]
    index_rows: int
    index_tiers: Mapping[str, int]
    repositories: Sequence[tuple[str, int, int | None, str]]
    figures: Sequence[str]
    columns: Sequence[tuple[str, str]]
    default: str


def needs_libraries() -> None:
    """Refuse early where a card can be neither written nor checked.

    Raises:
        UsageError: jinja2 or PyYAML is missing.
    """
    missing = [package for module, package in _NEEDED.items() if find_spec(module) is None]
    if missing:
        raise UsageError(
            f"a dataset's card needs {' and '.join(missing)}",
            advice="pip install 'jeto-bench[hub]'",
        )


def template_folder() -> Path:
    """Return the folder of the template: a checkout's own, else the one that was installed."""
    here = Path(__file__).resolve()
    for place in (here.parents[3] / "dataset_card", here.parents[1] / "_dataset_card"):
        if (place / TEMPLATE).is_file():
            return place
    raise InputError(
        f"the card's template {TEMPLATE} is not installed", advice="Install jeto-bench again."
    )


def render_card(text: CardText) -> bytes:
    """Return README.md.

    Raises:
        UsageError: jinja2 or PyYAML is missing.
    """
    needs_libraries()
    import jinja2  # noqa: PLC0415  # optional
    import yaml  # noqa: PLC0415  # optional

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_folder()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  # Markdown; what comes from outside goes through the filter
    )
    environment.filters["cell"] = cell
    block = yaml.safe_dump(dict(text.front_matter), sort_keys=False, allow_unicode=True, width=1000)
    return (
        environment.get_template(TEMPLATE)
        .render(card=text, front_matter=block, harness=__version__)
        .encode()
    )


def cell(value: object) -> str:
    """Text for a table's cell: numbers short, nothing that ends the cell or becomes markup."""
    if value is None or value == "":
        return "-"
    if isinstance(value, float):
        return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
    if isinstance(value, int):
        return f"{value:,}"
    plain = " ".join(str(value).split())
    for mark, safe in (("&", "&amp;"), ("<", "&lt;"), ("|", "\\|"), ("`", "'"), ("[", "\\[")):
        plain = plain.replace(mark, safe)
    return plain
