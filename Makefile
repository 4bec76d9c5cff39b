# Everything runs from a local .venv that `make setup` builds with plain Python and pip.
PYTHON ?= python3
BIN := .venv/bin

FRAMEWORKS := react vue vitepress docsify datatables docusaurus angular

.PHONY: setup demo test soak fuzz lint docs frameworks bench bench-policies results gate clean

setup: .venv/ready

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable ".[all]" --group dev
	touch .venv/ready

demo: setup
	$(BIN)/lodehound demo

# The tests start many processes: without bytecode, each would compile all modules anew.
test soak: export PYTHONDONTWRITEBYTECODE =

test: setup
	$(BIN)/python -m pytest -m "not serial and not soak" -n auto --dist worksteal
	$(BIN)/python -m pytest -m "serial and not soak" $$(grep -rl --include="test_*.py" mark.serial tests)

soak: setup
	$(BIN)/python -m pytest -m soak

# Small sites of seven frameworks, which tests render; without them (they need npm), these tests are skipped.
frameworks: $(FRAMEWORKS:%=build/frameworks/%.zip)

build/frameworks/%.zip: $(shell find tests/live/frameworks/src -type f) tests/live/frameworks/build.sh
	bash tests/live/frameworks/build.sh $*

# SECONDS=60 READER=html: one minute of one reader.
fuzz: setup
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),600) $(if $(READER),--reader $(READER))

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# build/site: the documentation; a broken link or a page without a place fails.
docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

gate: setup
	$(BIN)/lodehound gate

bench: setup
	$(BIN)/python -m bench.speed
	$(BIN)/python -m bench.scale
	$(BIN)/python -m bench.resume
	$(BIN)/python -m bench.updates
	$(BIN)/python -m bench.live
	$(BIN)/python -m bench.fleet
	$(BIN)/python -m bench.rdf

# Every page of results, at one state of the program. QUICK=1: few seeds, small sites, no page that
# takes hours, into build/results. ROWS=FOLDER keeps runs; SITES=NAME,... and ONLY=PAGE,... choose.
results: setup
	$(BIN)/python -m bench.results $(if $(QUICK),--quick) $(if $(ROWS),--rows $(ROWS)) \
	  $(if $(SITES),--sites $(SITES)) $(if $(ONLY),--only $(ONLY))

# QUICK=1: three seeds, sites under 7,000 requests.
bench-policies: setup
	$(BIN)/python -m bench.policies $(if $(QUICK),--quick)

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
