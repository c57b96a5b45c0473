"""Score reports as plain JSON values, for files, the database and the API.

Conventions: stable keys, documented in ``scoring/README.md``. Decimals are texts (exact), times
are numbers of seconds, what is absent is ``null`` and never 0. What is kept holds reasons as keys
and values (``scoring.reasons``); a report that leaves the house has them in words (``readable``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from scoring import reasons
from scoring.coverage import Coverage
from scoring.errors import Phrase
from scoring.evidence import ItemResult
from scoring.humdial import diagnostics
from scoring.humdial.scores import Average, ScenarioScore, ScriptScore
from scoring.humdial.totals import LanguageTotals, Totals
from scoring.pipeline import Scored
from scoring.ranking import Row, Weights
from scoring.rounding import half_up
from scoring.signature import Signature

SCHEMA = "score-report/1"
RANKING_SCHEMA = "ranking/1"


def score_report(scored: Scored, signature: Signature, unofficial: Sequence[str]) -> dict[str, Any]:
    """Return the report of one submission in one mode."""
    return {
        "schema": SCHEMA,
        "signature": str(signature),
        "unofficial": list(unofficial),
        "mode": scored.mode,
        "items": [readable(item_to_json(item)) for item in scored.items],
        "scenarios": [readable(scenario_to_json(one)) for one in scored.scenarios],
        "totals": readable(totals_to_json(scored.totals)),
        **diagnostics_to_json(scored.items),
    }


def ranking_report(
    rows: Sequence[Row], *, mode: str, weights: Weights, rank_baseline: bool
) -> dict[str, Any]:
    """Return a ranking with the rules that it was made by."""
    return {
        "schema": RANKING_SCHEMA,
        "mode": mode,
        "weights": [str(weight) for weight in weights],
        "rank_baseline": rank_baseline,
        "rows": [
            {name: _plain(name, value) for name, value in asdict(row).items()} for row in rows
        ],
    }


def _plain(name: str, value: Any) -> Any:
    """Decimals as numbers, the raw ones as exact texts."""
    if not isinstance(value, Decimal):
        return value
    return str(value) if name.endswith("_raw") else float(value)


def readable(stored: Any) -> Any:
    """Return kept JSON with its reasons and warnings in English words.

    An item without a label has the key of its reason beside the words, as ``unjudged_key``; why
    rates and totals are absent (``absent``) stays a key with values.
    """
    if isinstance(stored, list):
        return [readable(one) for one in stored]
    if not isinstance(stored, Mapping):
        return stored
    made = {name: _readable(name, value) for name, value in stored.items()}
    why: Any = stored.get("unjudged")
    return made | ({"unjudged_key": why["key"]} if reasons.is_phrase(why) else {})


def _readable(name: str, value: Any) -> Any:
    if name in ("reasons", "warnings"):
        return [*map(reasons.in_words, value)]
    if name == "unjudged" and reasons.is_phrase(value):
        return reasons.in_words(value)
    return value if name == "absent" else readable(value)


def diagnostics_to_json(items: Sequence[ItemResult]) -> dict[str, Any]:
    """Return how often each diagnostic applied in a submission, and what that suggests."""
    found = diagnostics.shares(item.diagnostics for item in items)
    return {
        "diagnostics": {name: asdict(share) for name, share in found.items()},
        "warnings": diagnostics.warnings(found),
    }


def item_to_json(result: ItemResult) -> dict[str, Any]:
    """Return one item; ``stop`` and ``response`` are null where they are not measured.

    Only a corrected item has the key ``correction``; ``label`` is then the corrected one.
    """
    return {
        "item": result.item.item,
        "language": result.item.language,
        "scenario": result.item.scenario,
        "part": result.item.part,
        "received": result.received,
        "clean_received": result.clean_received,
        "counted": result.counted,
        "label": result.label,
        "success": result.success,
        "silent": result.silent,
        "unjudged": None if result.unjudged is None else reasons.to_json(result.unjudged),
        "first_response_delay": result.first_response_delay,
        "first_response_by_voice": result.first_response_by_voice,
        "difference": result.difference,
        "stop": _segments(result.stop),
        "response": _segments(result.response),
        "response_after_event": _segments(result.response_after_event),
        "diagnostics": dict(result.diagnostics),
        "reasons": [*map(reasons.to_json, result.reasons)],
        **_correction(result),
    }


def _correction(result: ItemResult) -> dict[str, Any]:
    if result.correction is None:
        return {}
    judged = ", ".join(result.judge_labels) or None
    return {"correction": {**asdict(result.correction), "judge_label": judged}}


def scenario_to_json(score: ScenarioScore) -> dict[str, Any]:
    """Return one scenario in one language, with its parts."""
    return {
        "language": score.language,
        "scenario": score.slug,
        "group": score.group,
        "measure": score.measure,
        "rate": _text(score.rate),
        "first_response": _text(score.first_response),
        "stop": _average(score.stop),
        "response": _average(score.response),
        "parts": [_part(part) for part in score.parts],
        **_absent(score.absent),
    }


def totals_to_json(totals: Totals) -> dict[str, Any]:
    """Return the totals, each rounded for reading and, with ``_raw``, as used for ranking."""
    return {
        **_rounded(totals, interruption=1, rejection=1, delay=3),
        "languages": [_language(one) for one in totals.languages],
        **_coverage(totals.coverage),
        "silent": totals.silent,
        "unjudged": totals.unjudged,
        **_corrected(totals.corrected),
        "rankable": totals.rankable,
        "is_whole": totals.is_whole,
        "reasons": [*map(reasons.to_json, totals.reasons)],
        "coverage_reasons": list(totals.coverage.reasons(totals.needed)),
        **_absent(totals.absent),
    }


def _coverage(coverage: Coverage) -> dict[str, int | None]:
    """``expected`` and ``received`` are recordings with the event, one for each item."""
    clean = coverage.clean
    return {
        "expected": coverage.test.expected,
        "received": coverage.test.received,
        "clean_expected": clean.expected if clean else None,
        "clean_received": clean.received if clean else None,
    }


def _language(totals: LanguageTotals) -> dict[str, Any]:
    places = {"interruption": 1, "rejection": 1, "stop": 3, "response": 3}
    return {
        "language": totals.language,
        **_rounded(totals, **places, first_response=3, delay=3, first_response_ten=3),
    }


def _rounded(totals: Totals | LanguageTotals, **places: int) -> dict[str, str | None]:
    values = {name: getattr(totals, name) for name in places}
    shown = {
        name: None if value is None else str(half_up(value, places[name]))
        for name, value in values.items()
    }
    return shown | {f"{name}_raw": _text(value) for name, value in values.items()}


def _part(part: ScriptScore) -> dict[str, Any]:
    return {
        "script": part.script.slug,
        "measure": part.script.measure.value,
        "expected": part.expected,
        "received": part.received,
        "clean_expected": part.clean_expected,
        "clean_received": part.clean_received,
        "silent": part.silent,
        "unjudged": part.unjudged,
        **_corrected(part.corrected),
        "counted": part.counted,
        "successes": part.successes,
        "rate": _text(part.rate),
        "first_response": _average(part.first_response),
        "stop": _average(part.stop),
        "response": _average(part.response),
        "response_after_event": _average(part.response_after_event),
        "first_response_by_voice": _average(part.first_response_by_voice),
        "labels": part.labels,
        "diagnostics": part.diagnostics,
        "warnings": [*map(reasons.to_json, part.warnings)],
    }


def _absent(why: Phrase | None) -> dict[str, Any]:
    """Only what is absent for want of the judge has the key."""
    return {} if why is None else {"absent": reasons.to_json(why)}


def _corrected(number: int) -> dict[str, int]:
    """Reports without corrections are the same as before there were any."""
    return {"corrected": number} if number else {}


def _average(average: Average | None) -> dict[str, Any] | None:
    if average is None:
        return None
    return {
        "value": _text(average.value),
        "n": average.n,
        "mean_of_items": _text(average.mean_of_items),
    }


def _segments(segments: Sequence[Sequence[float]] | None) -> list[list[float]] | None:
    return None if segments is None else [list(segment) for segment in segments]


def _text(value: Decimal | None) -> str | None:
    return None if value is None else str(value)
