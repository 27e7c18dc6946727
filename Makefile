# Every target makes .venv by itself and is quick the second time.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: demo test test-slow test-browser check format bench-core bench-engine bench-predict clean help

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(READY)  ## badly labeled digits with strangers among them, learned in half a minute
	@$(BIN)/credprop demo

test: $(READY)  ## the tests, in two processes of one thread each
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal

test-slow: $(READY)  ## the long tests too
	$(BIN)/pytest -m "slow or not slow"

test-browser: $(READY)  ## the report in a headless Chromium, if there is one
	$(BIN)/pytest -m slow tests/report

check: $(READY)  ## formatter, linter, strict types
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

format: $(READY)  ## let the formatter and the linter change the files
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench-core: $(READY)  ## time and memory of the mathematical core, as ratios
	KINETO_LOG_LEVEL=9 $(BIN)/python benchmarks/core.py

bench-engine: $(READY)  ## what the engine adds to the networks and the core, as ratios
	$(BIN)/python benchmarks/engine.py

bench-predict: $(READY)  ## what CCPClassifier.predict adds to the network's own forward pass, as a ratio
	$(BIN)/python benchmarks/predict.py

clean:  ## forget the virtual environment
	rm -rf .venv

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("credprop needs Python 3.11 or newer; name one with make PYTHON=...") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(READY)
