# `make demo` and `make test` do everything from a fresh checkout, the virtual environment included.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The version of each package; without a file, pip takes the newest.
LOCK := constraints.txt
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check $(addprefix --constraint ,$(LOCK))
# PyTorch of this version, if pip finds its CPU build; if not, GraN-DAG's tests are skipped. The GPU build, which most indexes
# have for Linux, takes five gigabytes and tests nothing more.
TORCH := 2.13.0
# One BLAS thread per worker: the suite runs two workers, and figures do not depend on the machine.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 $(BIN)/python -m pytest

.PHONY: demo test test-all test-newest test-lowest pytest lint types format bench peers lock clean

demo: $(VENV)/.demo
	$(BIN)/scoredag demo --output report.html

test: lint types pytest

test-all: lint types
	$(PYTEST) -n 2

# The same checks with the newest release of everything but PyTorch.
test-newest:
	rm -rf .venv-newest
	$(MAKE) test VENV=.venv-newest LOCK=

# The tests with the lowest versions that pyproject.toml declares; without PyTorch, whose lowest version has no CPU build in most
# indexes. Old releases use what newer releases of their own dependencies deprecate: those warnings are not ours to mend.
test-lowest:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	  { echo "The lowest versions are those for Python 3.11: make test-lowest PYTHON=/path/to/python3.11"; exit 1; }
	rm -rf .venv-lowest
	mkdir .venv-lowest
	$(PYTHON) tools/lowest.py > .venv-lowest/constraints.txt
	$(MAKE) pytest VENV=.venv-lowest LOCK=.venv-lowest/constraints.txt TORCH= OPTIONS='-W ignore::DeprecationWarning'

pytest: $(VENV)/.dev
	$(PYTEST) -n 2 -m "not slow or slice" $(OPTIONS)

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

# The newest versions for each Python from 3.11 and each platform, of all that the targets here install.
lock: | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	printf 'hatchling\ntorch==$(TORCH)\n' | $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	  --no-annotate --custom-compile-command 'make lock' --output-file $(LOCK) --extra dev pyproject.toml -

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "scoredag needs Python 3.11 or newer: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The backend first: an isolated build would take its newest release.
$(VENV)/.demo: pyproject.toml $(LOCK) | $(BIN)/python
	$(PIP) hatchling
	$(PIP) --no-build-isolation --editable '.[cli]'
	@touch $@

$(VENV)/.dev: pyproject.toml $(LOCK) | $(BIN)/python
	$(PIP) hatchling
	$(PIP) --no-build-isolation --editable '.[dev]'
ifneq ($(TORCH),)
	@$(PIP) 'torch==$(TORCH)+cpu; sys_platform == "linux"' 'torch==$(TORCH); sys_platform != "linux"' 2> /dev/null || \
	  echo "pip finds no CPU build of PyTorch $(TORCH): GraN-DAG's tests will be skipped."
endif
	@touch $@ $(VENV)/.demo

clean:
	rm -rf $(VENV) .venv-newest .venv-lowest .mypy_cache .pytest_cache .ruff_cache .hypothesis report.html
