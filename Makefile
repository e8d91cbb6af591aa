# `make demo` and `make test` do everything from a fresh checkout, the virtual environment included.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One BLAS thread per worker: the suite runs two workers, and figures do not depend on the machine.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 $(BIN)/python -m pytest

.PHONY: demo test test-all lint types format bench peers clean

demo: $(VENV)/.demo
	$(BIN)/scoredag demo --output report.html

test: lint types
	$(PYTEST) -n 2 -m "not slow or slice"

test-all: lint types
	$(PYTEST) -n 2

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks

# Systems that others wrote, a venv each in .peers; quick where they are there already.
peers: $(VENV)/.dev
	$(BIN)/python -m scoredag.bench.peers

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "scoredag needs Python 3.11 or newer: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[cli]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@ $(VENV)/.demo

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis report.html
