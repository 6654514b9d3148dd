# make demo, make test: from a clean checkout with Python 3.11 or later and make. Each sets up what it needs.

PYTHON ?= python3
BIN = .venv/bin

.PHONY: setup demo test check bench properties fuzz faults soak docs clean

setup: .venv/ready

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[dev]'
	$(BIN)/python -m pagekin.answers.warm
	touch $@

demo: setup
	$(BIN)/pagekin demo

test: setup
	$(BIN)/pytest -n auto

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/pip install --quiet --editable '.[bench]'
	$(BIN)/python -m bench

# The property tests again, with a hundred times as many examples.
properties: setup
	$(BIN)/pytest -n auto -m 'not data' --hypothesis-profile=many tests

# Inputs that nobody would write, for every reader: make fuzz SECONDS=60; see docs/trials.md.
fuzz: setup
	$(BIN)/python -m trials.fuzz --seconds $(or $(SECONDS),60)

# Every file of a collection damaged in every way, and commands killed at random; see docs/trials.md.
faults: setup
	$(BIN)/python -m trials.faults

# Questions from several processes while another one adds and builds: make soak SECONDS=120.
soak: setup
	$(BIN)/python -m trials.soak $(SECONDS)

clean:
	rm -rf .venv build *.egg-info src/*.egg-info

# The command reference in docs/shell/commands.md.
docs: setup
	$(BIN)/python -m docs.make_reference
