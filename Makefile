# make demo, make test: from a clean checkout with Python 3.11 or later and make. Each sets up what it needs.

PYTHON ?= python3
# Another Python has an environment of its own: make test PYTHON=python3.12
VENV = $(if $(filter python3,$(notdir $(PYTHON))),.venv,.venv-$(notdir $(PYTHON)))
BIN = $(VENV)/bin
LOWEST = $(VENV)-lowest
# Python compiles a module when it is first imported: most of those installed never are. What it compiled must be kept, or
# each of the thousands of processes that tests start compiles it again.
INSTALL = install --disable-pip-version-check --no-compile
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test gates browser spark extension test-lowest check bench leaderboard properties fuzz faults soak replay docs package clean

setup: $(VENV)/ready

$(VENV)/installed: pyproject.toml
	@echo "Setting up $(VENV), once: packages are downloaded and installed, then pagekin is compiled. Some minutes."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip $(INSTALL) --editable '.[dev]'
	touch $@

$(VENV)/ready: $(VENV)/installed
	@echo "Compiling pagekin for this machine. A minute or two."
	$(BIN)/python -m pagekin.answers.warm
	touch $@

# The demo needs a third of the packages that tests need: without .venv it has an environment of its own.
DEMO = $(if $(wildcard $(VENV)/ready),$(VENV),$(VENV)-demo)

$(VENV)-demo/ready: pyproject.toml
	@echo "Setting up $(VENV)-demo, once: packages are downloaded and installed. A minute or two."
	$(PYTHON) -m venv $(VENV)-demo
	$(VENV)-demo/bin/pip $(INSTALL) --editable '.[serve]'
	touch $@

demo: $(DEMO)/ready
	$(DEMO)/bin/pagekin demo

# Many tests wait for a process that they started: one worker more than there are cores.
WORKERS = $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 1)')

# Collections are committed with fsync. A file system in memory does not wait for a disk, if it has room enough.
SHM = /dev/shm
SCRATCH = $(shell $(PYTHON) -c 'import os, shutil; print("$(SHM)" * (os.path.isdir("$(SHM)") and shutil.disk_usage("$(SHM)").free > 4 << 30))')

test: setup
	$(if $(SCRATCH),TMPDIR=$(SCRATCH)) $(BIN)/pytest -n $(WORKERS) --dist worksteal --durations=30 --durations-min=5 -m 'not slow and not browser and not spark'

# What takes too long for every change: more real data, each with a bar that must hold.
gates: setup
	$(BIN)/pytest -n auto -m slow

# The pages, the extension and the lists of see-also in Chromium, and screenshots of them: make browser SCREENSHOTS=folder.
browser: setup
	PAGEKIN_SCREENSHOTS=$(SCREENSHOTS) $(BIN)/pytest -m browser tests/serve/browser tests/extension tests/seealso/browser

# The same build on Spark: real data, and a cluster on loopback of which a worker is killed. Needs Java 17.
spark: setup
	$(BIN)/pytest -m spark tests/engine

# The browser extension, packed for Chromium and for Firefox: build/pagekin-*.zip.
extension:
	$(PYTHON) extension/pack.py

# The lowest versions that pyproject.toml allows, in an environment of their own, and the tests that use most of them.
$(LOWEST)/ready: pyproject.toml
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/pip install --quiet uv
	$(LOWEST)/bin/uv pip compile --quiet --python $(LOWEST)/bin/python --resolution lowest-direct \
		--extra figures --extra ja --extra serve --extra zh --output-file $(LOWEST)/lowest.txt pyproject.toml
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --constraint $(LOWEST)/lowest.txt --editable '.[dev]'
	touch $@

LOWEST_TESTS = tests/shell tests/serve tests/answers tests/parse tests/search tests/engine tests/index/block_pairs \
	tests/evaluate/test_figures.py tests/evaluate/papers/test_paper3.py tests/collection/test_footers.py \
	tests/acquire/crawl/test_robots.py tests/acquire/test_warc.py tests/acquire/test_edges.py tests/test_docs.py

test-lowest: $(LOWEST)/ready
	$(LOWEST)/bin/pytest -n auto -m 'not data' $(LOWEST_TESTS)

# It runs nothing that is compiled: .ci/run has the kernels compiled meanwhile.
check: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest --collect-only -q > /dev/null  # every test can be imported; and pytest keeps what it makes of each file

bench: setup
	$(BIN)/pip install --quiet --editable '.[bench]'
	$(BIN)/python -m bench

# All methods and outside baselines on data with known answers; writes docs/leaderboard.md.
leaderboard: setup
	$(BIN)/pip install --quiet --editable '.[bench]'
	$(BIN)/python -m leaderboard $(SETS)

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

# The archives of a crawl in pywb, which has an environment of its own.
$(VENV)-pywb/ready:
	$(PYTHON) -m venv $(VENV)-pywb
	$(VENV)-pywb/bin/pip install --quiet pywb
	touch $@

replay: setup $(VENV)-pywb/ready
	PATH="$$PATH:$(abspath $(VENV)-pywb)/bin" $(BIN)/pytest -m slow tests/acquire/crawl/test_replay.py

# What people install: the wheel and the source of it, in build/dist.
package: setup
	rm -rf build/dist
	$(BIN)/python -m build --outdir build/dist

clean:
	rm -rf .venv .venv-* build *.egg-info src/*.egg-info

# The command reference in docs/shell/commands.md, the pictures in docs/pictures, and all documents as a site: build/site.
docs: setup
	$(BIN)/python -m docs.make_reference
	$(BIN)/python -m docs.make_pictures
	$(BIN)/python -m docs.make_site
	$(BIN)/mkdocs build --quiet
	@echo "the documents are in build/site: open build/site/index.html"
