from __future__ import annotations

import importlib
import types

import pytest

import jeto_bench


@pytest.mark.parametrize("name", ["jeto_bench", "jeto_bench.patches", "jeto_bench.predictions"])
def test_all_names_what_the_package_offers(name: str) -> None:
    module = importlib.import_module(name)
    public = {
        key
        for key, value in vars(module).items()
        if not key.startswith("_")
        and not isinstance(value, types.ModuleType)
        and key != "annotations"
    }
    assert public | ({"__version__"} & set(module.__all__)) == set(module.__all__)
    assert list(module.__all__) == sorted(set(module.__all__), key=_ruff_order)


def test_the_names_that_users_rely_on_are_there() -> None:
    promised = {
        "EtipRecord",
        "JetoError",
        "Prediction",
        "__version__",
        "gold_predictions",
        "load",
        "read_predictions",
    }
    assert promised <= set(jeto_bench.__all__)


def _ruff_order(name: str) -> tuple[int, str]:
    kind = 0 if name.isupper() else 1 if name[:1].isupper() else 2
    return kind, name
