"""What the methodology page says, from the constants, the instructions and the live board."""

import difflib
from decimal import Decimal
from importlib.metadata import version
from importlib.resources import files
from typing import Any, NamedTuple

from leaderboard.board.rules import of_board
from leaderboard.models import Snapshot
from leaderboard.texts.worked import Step, stages, steps
from scoring import __version__, ranking, segments, uncertainty
from scoring.humdial import BENCHMARK, SCENARIOS, SCRIPTS
from scoring.humdial.totals import MIN_COVERAGE
from scoring.manifest import LANGUAGES
from submissions.models import Run

PROMPTS = ("humdial-1", "humdial-2")


class Prompt(NamedTuple):
    """One version of the judge's instruction, and what it changes in the one before."""

    name: str
    text: str
    changes: tuple[str, ...]


class Example(NamedTuple):
    """A row of a board, worked out."""

    team: str
    board: int
    steps: tuple[Step, ...]


class Stages(NamedTuple):
    """One language of a run on a board, worked out from its scenarios."""

    team: str
    submission: str
    language: str
    steps: tuple[Step, ...]


def constants() -> dict[str, Any]:
    """Every number that the texts of the site state, under the name by which they call it."""
    return {
        "weights": ranking.WEIGHTS,
        "factor": ranking.DELAY_FACTOR,
        "full_score": ranking.FULL_SCORE,
        "baseline_score": ranking.FULL_SCORE - ranking.DELAY_FACTOR,
        "reference": ranking.HUMDIAL_2025_12,
        "user_gap": segments.USER_GAP,
        "model_gap": segments.MODEL_GAP,
        "vad": f"silero-vad {version('silero-vad')}",
        "protocol": f"{BENCHMARK.slug}-{BENCHMARK.version}",
        "scorer": __version__,
        "min_coverage": f"{100 * MIN_COVERAGE:.0f} %",
        "scripts": SCRIPTS.values(),
        "draws": uncertainty.DRAWS,
        "seed": uncertainty.SEED,
    }


def example(snapshot: Snapshot | None) -> Example | None:
    """Work out the best ranked row of an official board that has all its parts; else ``None``.

    The baseline comes last: its delay score is 60 by definition and would show nothing. A strict
    total has no steps that a reader could follow: it is rounded once, at the end.
    """
    if snapshot is None or snapshot.mode == "strict" or not (snapshot.l_min and snapshot.l_base):
        return None
    ranked = [row for row in snapshot.rows if row["rank"] is not None and _has_parts(row)]
    row = next(iter(sorted(ranked, key=lambda row: row["kind"] == "baseline")), None)
    if row is None:
        return None
    scale = Decimal(snapshot.l_min), Decimal(snapshot.l_base)
    worked = steps(row, *scale, of_board(snapshot).weights)
    return Example(row["system"], snapshot.pk, worked)


def staged(snapshot: Snapshot | None) -> Stages | None:
    """Work out a language of the best ranked row that was scored here in official mode."""
    if snapshot is None or snapshot.mode != "official":
        return None
    for row in snapshot.rows:
        if row["rank"] is not None and row["origin"] == "scored":
            found = _staged_row(row)
            if found:
                return found
    return None


def _has_parts(row: dict[str, Any]) -> bool:
    parts = [row["languages"].get(one, {}) for one in ("cn", "en")]
    return bool(row["total"]) and all(
        one.get("interruption") and one.get("rejection") for one in parts
    )


def _staged_row(row: dict[str, Any]) -> Stages | None:
    run = Run.objects.filter(pk=row["run"]).first() if row.get("run") else None
    rows = (run.results or {}).get("official", {}).get("scenarios", []) if run else []
    for language in LANGUAGES:
        own = [one for one in rows if one["language"] == language]
        if {one["scenario"] for one in own} == set(SCENARIOS) and all(map(_is_whole, own)):
            return Stages(row["system"], row["link"], language, stages(own))
    return None


def _is_whole(scenario: dict[str, Any]) -> bool:
    """Whether nothing is missing: an average of nothing would need words, not arithmetic."""
    timed = [scenario[name] for name in ("stop", "response") if scenario[name] is not None]
    values = [scenario["rate"], scenario["first_response"], *(one["value"] for one in timed)]
    return all(value is not None for value in values)


def prompts() -> tuple[Prompt, ...]:
    """Return the judge's instructions, each with its differences from the one before."""
    texts = {name: _text(name) for name in PROMPTS}
    before = [None, *texts.values()]
    return tuple(
        Prompt(name, text, _changes(old, text))
        for (name, text), old in zip(texts.items(), before, strict=False)
    )


def _text(name: str) -> str:
    return files("scoring.judge").joinpath("prompts", f"{name}.txt").read_text(encoding="utf-8")


def _changes(old: str | None, new: str) -> tuple[str, ...]:
    if old is None:
        return ()
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
    return tuple(line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---"))
