# Every target makes .venv by itself and is quick the second time.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
DOCS_READY := .venv/docs-ready

.PHONY: demo test test-slow test-browser check format docs bench-core bench-engine bench-predict bench-trial bench-certificate clean help

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(READY)  ## run the example on digits with wrong labels and outliers (a minute)
	@$(BIN)/credprop demo

test: $(READY)  ## run the tests, in two processes of one thread each
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal

test-slow: $(READY)  ## run all tests, the long ones too
	$(BIN)/pytest -m "slow or not slow"

test-browser: $(READY)  ## test the pages of reports in headless Chromium, if it is installed
	$(BIN)/pytest -m slow tests/report

check: $(READY)  ## check format, lint and types (strict)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

format: $(READY)  ## format the files and fix what the linter can
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

docs: $(DOCS_READY)  ## draw the figures and build the documentation into site/
	if [ -f docs/figures.py ]; then $(BIN)/python docs/figures.py; fi
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench-core: $(READY)  ## measure time and memory of the mathematical core, as ratios
	KINETO_LOG_LEVEL=9 $(BIN)/python benchmarks/core.py

bench-engine: $(READY)  ## measure what the training loop adds to the networks and the core, as ratios
	$(BIN)/python benchmarks/engine.py

bench-predict: $(READY)  ## measure what CCPClassifier.predict adds to the forward pass, as a ratio
	$(BIN)/python benchmarks/predict.py

bench-trial: $(READY)  ## measure what the trial adds to a fit, as a ratio
	$(BIN)/python -W ignore benchmarks/trial_time.py

bench-certificate: $(READY)  ## simulate how far the certificate can be believed
	$(BIN)/python benchmarks/certificate.py

clean:  ## delete the virtual environment
	rm -rf .venv

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("credprop needs Python 3.11 or newer; name one with make PYTHON=...") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(READY)

$(DOCS_READY): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	touch $(DOCS_READY)
