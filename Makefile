# make demo    evaluate a sample prediction in containers and print the report
# make test    all tests, those with real containers and real Maven too
# make check   format, lint, types, unit and property tests; no containers
# make mini    rebuild the mini split: images, measured detectors, Parquet
# make bench   the benchmarks of tests/benchmarks

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
DEMO := jeto-bench__textmill-61

# Tests without containers keep nothing that others see, so every CPU takes files of them.
SPREAD := -n auto --dist loadfile

.PHONY: demo test check lint unit golden containers mini bench clean engine

$(VENV)/.base: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -e .
	touch $@

$(VENV)/.dev: $(VENV)/.base
	$(PIP) install -e '.[dev]'
	touch $@

# An agent made for SWE-bench, to be driven in an image of ours.
$(VENV)/.agents: $(VENV)/.dev
	$(PIP) install -e '.[agents]'
	touch $@

engine: $(VENV)/.base
	@sh scripts/engine.sh $(BIN)/python

demo: engine
	$(BIN)/jeto-bench images build -i $(DEMO)
	$(BIN)/jeto-bench eval -p data/mini/predictions/alternative.jsonl -i $(DEMO) --run-id demo --report-dir logs --overwrite

check: lint unit

test: check golden containers

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

unit: $(VENV)/.dev
	$(BIN)/pytest -q $(SPREAD) tests/unit tests/property

golden: $(VENV)/.agents engine
	@sh scripts/engine.sh $(BIN)/python chromium
	$(BIN)/pytest -q --run-docker $(SPREAD) tests/golden

containers: $(VENV)/.agents engine
	@sh scripts/engine.sh $(BIN)/python docker-registry
	$(BIN)/pytest --run-docker tests/docker

mini: engine
	$(BIN)/jeto-mine mini

bench: $(VENV)/.dev engine
	$(BIN)/pytest --run-docker -s tests/benchmarks

clean:
	rm -rf $(VENV) logs
