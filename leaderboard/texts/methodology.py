"""What the methodology page says, from the constants, the instructions and the live board."""

import difflib
from decimal import Decimal
from importlib.metadata import version
from importlib.resources import files
from typing import Any, NamedTuple

from leaderboard.board.rules import of_board
from leaderboard.models import Snapshot
from leaderboard.texts.worked import Step, steps
from scoring import __version__, ranking, segments, uncertainty
from scoring.humdial import BENCHMARK, SCRIPTS
from scoring.humdial.totals import MIN_COVERAGE

PROMPTS = ("humdial-1", "humdial-2")


class Prompt(NamedTuple):
    """One version of the judge's instruction, and what it changes in the one before."""

    name: str
    text: str
    changes: tuple[str, ...]


class Example(NamedTuple):
    """A row of the newest board, worked out."""

    team: str
    board: int
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
    """Work out the baseline of an official board; ``None`` when it lacks it, or a part of it.

    A strict total has no steps that a reader could follow: it is rounded once, at the end.
    """
    if snapshot is None or snapshot.mode == "strict" or not (snapshot.l_min and snapshot.l_base):
        return None
    row = next((row for row in snapshot.rows if row["kind"] == "baseline"), None)
    if row is None or not row["total"] or {"cn", "en"} - row["languages"].keys():
        return None
    scale = Decimal(snapshot.l_min), Decimal(snapshot.l_base)
    worked = steps(row, *scale, of_board(snapshot).weights)
    return Example(row["team"], snapshot.pk, worked)


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
