"""Totals of HumDial as a vectorised statistic: from item components to every number of a board.

Conventions: the same way as ``scoring.humdial.totals``, without its rounding, for many resamples
and systems at once. Arrays are ``(..., columns)``; an undefined value is NaN, never 0, except where
the official scripts average nothing to 0.000 (decision 18).
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from scoring import reasons
from scoring.components import Array, Components, Counted, collect, effective_items
from scoring.humdial.scenarios import INTERRUPTION, REJECTION, SCENARIOS, SCRIPTS
from scoring.manifest import LANGUAGES
from scoring.ranking import DELAY_FACTOR, FULL_SCORE, WEIGHTS, Reference, Weights
from scoring.reasons import NO_JUDGE, NOT_ASKED, is_pending

COLUMNS = (
    "hits", "counted",
    "first_sum", "first_n",
    "stop_sum", "stop_n",
    "response_sum", "response_n",
    "withheld",
)  # fmt: skip
HITS, COUNTED, FIRST, FIRST_N, STOP, STOP_N, RESPONSE, RESPONSE_N, WITHHELD = range(len(COLUMNS))


def components(items: Iterable[Mapping[str, Any]], mode: str) -> Components:
    """Return the components of items as a score report has them (``report.item_to_json``)."""
    known = list(items)
    rows = [_row(item, mode) for item in known]
    return collect((f"{one['language']}/{_script(one)}" for one in known), rows, len(COLUMNS))


def _script(item: Mapping[str, Any]) -> str:
    return f"{item['scenario']}_{item['part']}" if item["part"] else str(item["scenario"])


def _row(item: Mapping[str, Any], mode: str) -> tuple[float, ...]:
    delay = item["first_response_delay"]
    first = (0.0, 0) if delay is None else (float(delay), 1)
    lengths = (*_lengths(item["stop"]), *_lengths(item["response"]))
    return (*_outcome(item, mode), *first, *lengths, _withheld(item, mode))


def _withheld(item: Mapping[str, Any], mode: str) -> int:
    """Whether the rate of its stratum is absent for its sake (``scores.absence``).

    Older releases counted an unjudged item as a failure in strict mode; their numbers stay.
    """
    if not item["unjudged"] or item["counted"]:
        return 0
    why = reasons.from_json(item["unjudged"])
    return int(mode == "strict" or why in (NOT_ASKED, NO_JUDGE) or is_pending(why))


def _outcome(item: Mapping[str, Any], mode: str) -> tuple[int, int]:
    if not item["counted"]:
        return 0, 0
    measure = SCRIPTS[_script(item)].measure
    if mode == "official" and measure.is_judged:
        # Decision 25: the official rate counts labels, not items.
        labels = (item["label"] or "").split(", ") if item["label"] else []
        return labels.count(measure.value), len(labels)
    return int(bool(item["success"])), 1


def _lengths(segments: Sequence[Sequence[float]] | None) -> tuple[float, int]:
    return sum(end - start for start, end in segments or ()), len(segments or ())


def totals(
    sums: Mapping[str, Array],
    *,
    mode: str,
    reference: Reference | None,
    weights: Weights = WEIGHTS,
) -> dict[str, Array]:
    """Return every number of a board row from component sums per stratum.

    Args:
        sums: per stratum (``cn/follow_up``) an array ``(..., columns)``.
        mode: ``official`` or ``strict``.
        reference: constants of the delay score; ``None`` where a board has none.
        weights: of the total.

    Returns:
        ``interruption, rejection`` (0-100), ``delay`` (seconds), ``delay_score`` and ``total``, and
        the first three with ``_cn`` and ``_en``, each of shape ``(...)``.
    """
    found: dict[str, Array] = {}
    present = [one for one in LANGUAGES if any(key.startswith(f"{one}/") for key in sums)]
    for language in present:
        for name, values in _language(_scenarios(sums, language, mode), mode)._asdict().items():
            found[f"{name}_{language}"] = values
    for name in _Language._fields:
        found[name] = _mean([found[f"{name}_{language}"] for language in present])
    found["delay_score"] = _delay_score(found["delay"], reference)
    capped = np.minimum(found["delay_score"], float(FULL_SCORE))
    parts = (found["interruption"], found["rejection"], capped)
    found["total"] = np.sum([float(w) * p for w, p in zip(weights, parts, strict=True)], axis=0)
    return found


def counts_of_totals(
    sums: Mapping[str, Array], *, weights: Weights = WEIGHTS
) -> dict[str, Counted]:
    """Return what the numbers of ``totals`` count that are means of rates.

    The total is one where its delay score is the same in every draw.
    """
    found: dict[str, Counted] = {}
    known = counts_of_rates(sums)
    present = [one for one in LANGUAGES if any(key.startswith(f"{one}/") for key in sums)]
    for name, slugs in (("interruption", INTERRUPTION), ("rejection", REJECTION)):
        sides = {
            f"{name}_{language}": [
                known[key] for slug in slugs if (key := f"{language}/{slug}") in known
            ]
            for language in present
        }
        if all(sides.values()):
            found |= {side: mean_rate(rates) for side, rates in sides.items()}
            found[name] = mean_rate([found[side] for side in sides])
    if {"interruption", "rejection"} <= found.keys() and weights.delay_score < 1:
        found["total"] = _both_groups(found["interruption"], found["rejection"], weights)
    return found


def counts_of_rates(sums: Mapping[str, Array]) -> dict[str, Counted]:
    """Return what the numbers of ``rates`` count."""
    found = {}
    for language, slug in product(LANGUAGES, SCENARIOS):
        if parts := _parts(sums, language, slug):
            found[f"{language}/{slug}"] = Counted(_rate(parts), _effective(parts), 1)
    return found


def _effective(parts: Sequence[Array]) -> Array:
    return effective_items([part[..., COUNTED] for part in parts])


def mean_rate(rates: Sequence[Counted]) -> Counted:
    """The mean of some rates, in percent."""
    items = effective_items([one.items for one in rates])
    return Counted(_mean([one.rate for one in rates]), items, 100)


def _both_groups(one: Counted, other: Counted, weights: Weights) -> Counted:
    """Both groups in a total, whose delay score stands still."""
    shares = (float(weights.interruption), float(weights.rejection))
    items = effective_items([one.items, other.items], shares)
    rate = np.average(np.stack([one.rate, other.rate]), axis=0, weights=shares)
    return Counted(np.asarray(rate), items, 100 * sum(shares))


def rates(sums: Mapping[str, Array]) -> dict[str, Array]:
    """Return the rate (0-1) of every scenario and language, named like a stratum."""
    return {
        f"{language}/{one.slug}": one.rate
        for language in LANGUAGES
        for one in _scenarios(sums, language, mode="official")
    }


class _Scenario(NamedTuple):
    slug: str
    rate: Array
    first: Array
    stop: Array
    response: Array
    measured: Array


class _Language(NamedTuple):
    interruption: Array
    rejection: Array
    delay: Array


def _scenarios(sums: Mapping[str, Array], language: str, mode: str) -> list[_Scenario]:
    scenarios = []
    for slug in SCENARIOS:
        if parts := _parts(sums, language, slug):
            scenarios.append(_scenario(slug, parts, mode))
    return scenarios


def _parts(sums: Mapping[str, Array], language: str, slug: str) -> list[Array]:
    keys = (f"{language}/{one.slug}" for one in SCRIPTS.values() if one.scenario == slug)
    return [sums[key] for key in keys if key in sums]


def _scenario(slug: str, parts: Sequence[Array], mode: str) -> _Scenario:
    # Decision 11: which items strict mode times hangs on their labels.
    first = [_ratio(part, FIRST, FIRST_N) for part in parts]
    first = [*map(_known, first, parts)] if mode == "strict" else first
    return _Scenario(
        slug,
        rate=_rate(parts),
        first=_mean(first),
        stop=_ratio(parts[0], STOP, STOP_N),
        response=_ratio(parts[0], RESPONSE, RESPONSE_N),
        measured=np.sum([p[..., FIRST_N] + p[..., STOP_N] + p[..., RESPONSE_N] for p in parts], 0),
    )


def _rate(parts: Sequence[Array]) -> Array:
    return _mean([_known(_ratio(part, HITS, COUNTED), part) for part in parts])


def _known(values: Array, part: Array) -> Array:
    """Undefined where an item withholds its outcome."""
    return np.where(part[..., WITHHELD] > 0, np.nan, values)


def _ratio(part: Array, numerator: int, denominator: int) -> Array:
    below = part[..., denominator]
    unknown = np.full(below.shape, np.nan)
    share: Array = np.divide(part[..., numerator], below, out=unknown, where=below > 0)
    return share


def _language(scenarios: Sequence[_Scenario], mode: str) -> _Language:
    timed = [one for one in scenarios if one.slug in INTERRUPTION]
    nothing = np.full(scenarios[0].rate.shape, np.nan)
    delay = _delay(
        _mean([_latency(one.stop, mode) for one in timed], nothing),
        _mean([_latency(one.response, mode) for one in timed], nothing),
        _first([one.first for one in scenarios], mode),
        measured=np.sum([one.measured for one in scenarios], axis=0) > 0,
        mode=mode,
    )
    return _Language(
        100 * _mean([one.rate for one in scenarios if one.slug in INTERRUPTION], nothing),
        100 * _mean([one.rate for one in scenarios if one.slug in REJECTION], nothing),
        delay,
    )


def _latency(values: Array, mode: str) -> Array:
    """Decision 18: the official average of no interval is 0.0."""
    return np.nan_to_num(values, nan=0.0) if mode == "official" else values


def _first(values: Sequence[Array], mode: str) -> Array:
    """Decision 20: a missing delay leaves the mean in official mode, strict is incomplete."""
    return _mean_of_known(values) if mode == "official" else _mean(values)


def _delay(stop: Array, response: Array, first: Array, *, measured: Array, mode: str) -> Array:
    parts = (stop, response, first)
    values = _mean_of_known(parts) if mode == "official" else _mean(parts)
    return np.where(measured, values, np.nan)


def _mean(values: Sequence[Array], nothing: Array | None = None) -> Array:
    """Mean over scenarios, parts or languages; undefined as soon as one is."""
    if not values and nothing is not None:
        return nothing
    found: Array = np.mean(np.stack(values), axis=0)
    return found


def _mean_of_known(values: Sequence[Array]) -> Array:
    stacked = np.stack(values)
    known = ~np.isnan(stacked)
    count = known.sum(axis=0)
    unknown = np.full(count.shape, np.nan)
    summed = np.where(known, stacked, 0).sum(axis=0)
    found: Array = np.divide(summed, count, out=unknown, where=count > 0)
    return found


def _delay_score(delay: Array, reference: Reference | None) -> Array:
    """Paper eq. 2 with the constants of the board; no score where there is no latency above 0."""
    if reference is None:
        return np.full(delay.shape, np.nan)
    l_min, l_base = float(reference.l_min), float(reference.l_base)
    logs = np.log(delay / l_min, out=np.full(delay.shape, np.nan), where=delay > 0)
    score: Array = float(FULL_SCORE) - DELAY_FACTOR * logs / np.log(l_base / l_min)
    return score
