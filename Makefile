# Every target works alone on a clean clone: it first sets up what is missing.
# Results go to stdout, everything else to stderr.

FOLDERS := $(subst :, ,$(PATH))
PYTHON ?= $(firstword $(foreach name,python3 python3.11 python3.12 python,$(wildcard $(addsuffix /$(name),$(FOLDERS)))))
RUN := .venv/bin/python
FILE ?=
DATA ?=
ONLY ?=
FOLDER ?=
# A file's tests stay together and in order, so that those in a browser, with a stack of their own, come last.
SHARED := -p tests.sharing --numprocesses 3 --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help up down status up-check demo page types check test test-long screenshots image-check bench simulate evidence eval fmt clean rules server-rules page-rules page-lint quick-tests runtime dev

help:
	@sed -n 's/^## //p' Makefile

## make up          start everything; Ctrl-C stops it
up: page
	@$(RUN) -m config.stack up

## make down        stop what `make up` started in another terminal
down: runtime
	@$(RUN) -m config.stack down

## make status      what runs now, as JSON
status: runtime
	@$(RUN) -m config.stack status

## make up-check    start, use and stop a stack of its own, twice
up-check: page
	@$(RUN) -m config.stack check

## make demo FILE=… send a recorded conversation through the API
demo: runtime
	@$(RUN) -m config.stack demo "$(FILE)"

## make page        build the page in the browser, if its sources changed
page: runtime
	@$(RUN) -m config.stack.frontend build

## make types       write the API's description and the page's types of it anew
types: dev
	@$(RUN) -m config.stack.frontend types

## make check       format, lint, types, imports, and the tests that need no server, with few examples each
check: dev
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target page-lint server-rules page-rules quick-tests

## make test        all that check looks at, then every test, those in a real browser too
## make test ONLY=…  the tests of one part alone, without the checks: apps/memory (what mirrors it under tests, and its
##                  doctests), frontend, or a path under tests or docs
ifdef ONLY
test: dev
	$(RUN) -m tests.only "$(ONLY)" $(SHARED)
else
test: rules
	$(RUN) -m config.stack.frontend test
	$(RUN) -m config.stack.frontend build
	$(RUN) -m pytest $(SHARED)
endif

## make test-long   look for counterexamples to the rules of engine and memory with many more examples, and test what takes minutes
test-long: dev
	$(RUN) -m pytest tests/engine tests/turns/test_import_processes.py tests/realtime/test_converging.py \
		tests/memory/test_find_exactly.py tests/memory/test_changing_models.py tests/memory/test_tree_properties.py \
		--hypothesis-profile=long $(SHARED)

## make screenshots [FOLDER=…]  every screen, from the demo workspace
screenshots: dev
	@$(RUN) -m tests.browser.screenshots $(FOLDER)

## make image-check  build and run the container image without an engine (as root, with debootstrap; else skipped)
image-check: dev
	@$(RUN) -m tests.config.image

## make bench [ONLY=…]  measure the running product; lines of JSON
bench: dev
	@$(RUN) -m bench $(ONLY)

## make simulate    how often compaction comes in six kinds of talk, as a table
simulate: dev
	@$(RUN) -m studies.simulate

## make eval DATA=…  how well retrieval and packs find what answers questions, of recorded conversations with questions
eval: dev
	@$(RUN) -m studies.evaluate "$(DATA)"

## make evidence FILE=…  how much of what questions need stands in packs, of recorded conversations with questions
evidence: dev
	@$(RUN) -m studies.coverage "$(FILE)"

## make fmt         format and repair what ruff can
fmt: dev
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .
	$(RUN) -m config.stack.frontend fmt

## make clean       remove caches, packages and the virtual environment, never the data in .continuity
clean:
	rm -rf frontend/node_modules frontend/dist .venv .venv.lock .venv-bench .venv-bench.lock .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Two at a time, the longest first.
rules: dev
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target page-lint server-rules page-rules

server-rules:
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	.venv/bin/lint-imports

# A page that passed is not checked again until one of its sources changes.
page-rules:
	$(RUN) -m config.stack.frontend check

page-lint:
	$(RUN) -m config.stack.frontend lint

quick-tests:
	$(RUN) -m pytest tests/engine apps/engine docs tests/test_architecture.py --hypothesis-profile=quick

runtime:
	@$(PYTHON) -m config.stack.bootstrap

dev:
	@$(PYTHON) -m config.stack.bootstrap --dev
