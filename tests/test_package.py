"""The scorer as a package: the wheel holds just the scorer, and runs where nothing else is.

A real ``pip install .`` would fetch two gigabytes from a network that tests do not have. Instead
the wheel is built as pip builds it, and unpacked into an empty folder beside links to the packages
that pip would install with it (``tests.closure``); an interpreter that knows only this folder and
the standard library runs it there. What this leaves out is pip's download, and nothing else: a
package that is used but not declared is missing, and so are Django, Celery and the other floors.
"""

import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import Distribution
from importlib.util import find_spec
from pathlib import Path

import pytest

import scoring
from scoring.__main__ import main
from tests.closure import closure, lay_out

ROOT = Path(__file__).parents[1]
FOREIGN = (
    "celery",
    "django",
    "kombu",
    "leaderboard",
    "plotly",
    "psycopg2",
    "redis",
    "submissions",
    "tests",
)

# Started with -I and -S, the interpreter knows the standard library only; now this folder too.
EMPTY = """
import json, sys

place, foreign, commands = json.loads(sys.argv[1])
assert not [path for path in sys.path if "-packages" in path], sys.path
sys.path.insert(0, place)
"""
RUN = """
import scoring.__main__
assert scoring.__file__.startswith(place), scoring.__file__
codes = []
for command in commands:
    print(f"--- {command[0]}", flush=True)
    codes.append(scoring.__main__.main(command))
assert not {name.split(".")[0] for name in sys.modules} & set(foreign)
print("--- codes")
print(json.dumps(codes))
"""
TRY = """
from importlib.util import find_spec
print(json.dumps([name for name in foreign if find_spec(name) is not None]))
"""
ALL = """
import importlib, pkgutil
import scoring

missing = []
for module in pkgutil.walk_packages(scoring.__path__, "scoring."):
    if module.name == "scoring.__main__":
        continue
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        missing.append([module.name, error.name])
print(json.dumps(missing))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy, so that the build leaves nothing in the source tree."""
    if not (find_spec("setuptools") and find_spec("pip")):
        pytest.skip("needs pip and setuptools")
    folder = tmp_path_factory.mktemp("package")
    source = folder / "source"
    # The other floors come along, so that leaving them out is the doing of the build.
    for name in ("scoring", "submissions", "leaderboard", "templates", "docker"):
        ignored = shutil.ignore_patterns("__pycache__", "*.flac", "*.mo")
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in ("pyproject.toml", "manage.py", "README.md"):
        shutil.copy(ROOT / name, source)
    command = [
        sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
        "--no-index", "--disable-pip-version-check", "--wheel-dir", folder, source,
    ]  # fmt: skip
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory):
    """What ``pip install .`` leaves in an empty environment."""
    place = tmp_path_factory.mktemp("environment")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    (metadata,) = Distribution.discover(path=[str(place)])
    plain = [line for line in metadata.requires or () if "extra ==" not in line]
    lay_out(closure(plain), place)
    return place


def test_the_wheel_holds_the_scorer_and_nothing_else(names):
    assert {name.split("/")[0] for name in names} == {
        "scoring",
        f"full_duplex_leaderboard-{scoring.__version__}.dist-info",
    }


def test_the_wheel_holds_all_of_the_scorer(names):
    files = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "scoring").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if name.startswith("scoring/")} == files
    assert "scoring/py.typed" in files
    assert {"scoring/judge/prompts/humdial-1.txt", "scoring/README.md"} <= files


def test_the_package_needs_neither_framework_nor_database_nor_queue():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    needed = [line.lower() for line in [*project["dependencies"], *extras]]
    assert [line for line in needed if line.startswith(FOREIGN)] == []


def interpreter(unpacked, program, *commands):
    told = json.dumps([str(unpacked), FOREIGN, [list(map(str, one)) for one in commands]])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", EMPTY + program, told],
        capture_output=True,
        text=True,
        check=False,
        cwd=unpacked,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def alone(unpacked, *commands):
    """Run commands of the unpacked wheel with nothing else of ours; return outputs and codes."""
    output = interpreter(unpacked, RUN, *commands)
    parts = [part.partition("\n")[2] for part in output.split("--- ")[1:]]
    return parts[:-1], json.loads(parts[-1])


def test_the_place_is_as_empty_as_it_claims(unpacked):
    assert find_spec("django") is not None  # here it could be imported
    assert json.loads(interpreter(unpacked, TRY)) == []
    assert {"numpy", "openai", "scoring", "torch"} <= {path.name for path in unpacked.iterdir()}


def test_what_is_imported_is_declared(unpacked):
    """Of all modules only the one of the embedded transcriber needs an extra."""
    missing = json.loads(interpreter(unpacked, ALL))
    assert [name for name, _ in missing] in ([], ["scoring.asr._whisper"]), missing


def score(mini, system, mode, out):
    folder = mini / "submissions" / system
    return [
        "score", "--no-cache", "--reference", mini, "--manifest", mini / "manifest.csv",
        "--submission", folder / "HD-Track2.zip", "--transcripts", folder / "transcripts",
        "--judge", "offline", "--mode", mode, "--json", out,
    ]  # fmt: skip


@pytest.mark.slow
def test_every_command_runs_alone_and_scores_as_here(unpacked, mini, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text(
        "team,kind,interruption,rejection,delay\n"
        "HelloWorld,participant,79.3,72.2,1.260\n"
        "Baseline,baseline,56.5,37.2,2.531\n",
        encoding="utf-8",
    )
    archive = mini / "submissions" / "jumpy" / "HD-Track2.zip"
    reports = {mode: tmp_path / f"{mode}.json" for mode in ("official", "strict")}
    (checked, _, _, ranked, compared), codes = alone(
        unpacked,
        ["check", archive, "--manifest", mini / "manifest.csv", "--json"],
        score(mini, "jumpy", "official", reports["official"]),
        score(mini, "jumpy", "strict", reports["strict"]),
        ["rank", table, "--l-min", "0.624", "--json"],
        ["compare", reports["official"], reports["strict"], "--json"],
    )
    assert codes == [0, 0, 0, 0, 0]
    assert json.loads(checked)["received"] == 36
    first, second = json.loads(ranked)["rows"]
    assert (first["delay_score"], first["total"], first["rank"]) == (79.9, 76.6, 1)
    assert (second["delay_score"], second["rank"]) == (60.0, 2)
    differences = json.loads(compared)["differences"]
    assert differences == ["The mode differs: official against strict."]
    for mode, path in reports.items():
        here = tmp_path / f"here-{mode}.json"
        assert main(list(map(str, score(mini, "jumpy", mode, here)))) == 0
        found, expected = (json.loads(one.read_text(encoding="utf-8")) for one in (path, here))
        # The words were brought along; the transcribers are an extra, and really not there.
        assert "asr_en:imported,else:whisper-tiny-en/absent" in found.pop("signature")
        assert "absent" not in expected.pop("signature")
        assert found == expected


def test_a_refused_archive_is_refused_alone_too(unpacked, mini, tmp_path):
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK\x03\x04 cut off")
    check = ["check", broken, "--manifest", mini / "manifest.csv", "--json"]
    rank = ["rank", tmp_path / "gone.csv"]
    (told, nothing), codes = alone(unpacked, check, rank)
    assert codes == [1, 2]
    assert json.loads(told)["findings"][0]["code"] == "archive-truncated"
    assert nothing == ""
