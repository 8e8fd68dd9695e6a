"""Options of commands that classify issues."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

__all__ = ["WORK_FOLDER", "Classify", "MaxCost", "Model", "ModelUrl", "Prices", "Work"]

WORK_FOLDER: Final = Path(".jeto/classifier")

Classify = Annotated[
    str,
    typer.Option(
        help="offline (no key, no network); labels:FILE; endpoint (a language model, key from"
        " JETO_MODEL_KEY or OPENAI_API_KEY)."
    ),
]
Model = Annotated[str, typer.Option(help="Endpoint: name of the model.")]
ModelUrl = Annotated[
    str, typer.Option("--model-url", help="Endpoint: root of an OpenAI-compatible API.")
]
Prices = Annotated[
    Path | None,
    typer.Option(help="Endpoint: JSON of prices, US dollars per million tokens, by model."),
]
MaxCost = Annotated[
    float | None, typer.Option("--max-cost", min=0, help="Endpoint: US dollars to stop at.")
]
Work = Annotated[Path, typer.Option(help="Folder for answers of an endpoint, and of GitHub.")]
