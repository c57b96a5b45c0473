"""Totals of a submission: per language, then combined.

Conventions: interruption and rejection are 0-100, delay is seconds (protocol section 8; paper
section 4.3). In official mode each stage is rounded half up as published (scores to 1 decimal,
delays to 3); in strict mode numbers stay exact and are rounded for display only. A total whose
parts are incomplete is ``None`` and says why. A rank needs whole totals, and enough of the expected
recordings, with the event and clean ones each (decision 15); a split may ask for another share than
``scoring.coverage.NEEDED``.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from scoring.coverage import NEEDED, Came, Coverage
from scoring.errors import Phrase
from scoring.evidence import ItemResult
from scoring.humdial.scenarios import INTERRUPTION, REJECTION, SCENARIOS, SCRIPTS
from scoring.humdial.scores import ScenarioScore, combine, foremost, score_script
from scoring.manifest import LANGUAGES
from scoring.reasons import NOT_ASKED, Said
from scoring.rounding import half_up, mean

# Below this share of the expected recordings a submission is not rankable (decision 15, strict).
MIN_COVERAGE = float(NEEDED["strict"] / 100)


@dataclass(frozen=True, slots=True)
class LanguageTotals:
    """Totals of one language; ``None`` is a total that is incomplete.

    ``first_response_ten`` is the mean over ten folders, as one ranked team read the rules; it is
    for comparison only and enters nothing (decision 19).
    """

    language: str
    interruption: Decimal | None
    rejection: Decimal | None
    stop: Decimal | None
    response: Decimal | None
    first_response: Decimal | None
    delay: Decimal | None
    first_response_ten: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals of a submission.

    Attributes:
        languages: one per language of the split.
        interruption, rejection, delay: of all languages together.
        coverage: what came, of what was expected.
        silent, unjudged, corrected: how many items.
        is_whole: whether a ranking could use the totals, whatever came.
        reasons: why not; and what else a reader should know, but for what did not come.
        needed: the share of the recordings (%) that a rank needs where no split says otherwise.
        absent: why totals are missing for want of the judge; ``None`` where that is not why.
    """

    languages: tuple[LanguageTotals, ...]
    interruption: Decimal | None
    rejection: Decimal | None
    delay: Decimal | None
    coverage: Coverage
    silent: int
    unjudged: int
    is_whole: bool
    needed: Decimal
    reasons: tuple[Said, ...] = ()
    corrected: int = 0
    absent: Phrase | None = None

    @property
    def expected(self) -> int:
        """How many items there are."""
        return self.coverage.test.expected

    @property
    def received(self) -> int:
        """How many items were answered."""
        return self.coverage.test.received

    @property
    def rankable(self) -> bool:
        """Whether a ranking may use the totals, by the share that is needed by default."""
        return self.is_whole and not self.coverage.short(self.needed)


def score_scenarios(results: Iterable[ItemResult], *, mode: str) -> tuple[ScenarioScore, ...]:
    """Score every scenario of every language that has expected items, in the paper's order."""
    groups: dict[tuple[str, str], list[ItemResult]] = defaultdict(list)
    for result in results:
        groups[result.item.language, result.item.script].append(result)
    scores = []
    for language in LANGUAGES:
        parts = defaultdict(list)
        for slug, script in SCRIPTS.items():
            if group := groups.get((language, slug)):
                parts[script.scenario].append(score_script(script, group, mode=mode))
        scores += [combine(parts[slug], mode=mode) for slug in SCENARIOS if slug in parts]
    return tuple(scores)


def total(scenarios: Sequence[ScenarioScore], *, mode: str) -> Totals:
    """Combine scenario scores into totals.

    Args:
        scenarios: as from ``score_scenarios``.
        mode: ``official`` or ``strict``.
    """
    present = [one for one in LANGUAGES if any(score.language == one for score in scenarios)]
    languages = tuple(
        _language(language, [s for s in scenarios if s.language == language], mode)
        for language in present
    )
    combined: dict[str, Decimal | None] = {
        name: _across([getattr(one, name) for one in languages], places, mode)
        for name, places in (("interruption", 1), ("rejection", 1), ("delay", 3))
    }
    absent = foremost(score.absent for score in scenarios)
    if absent == NOT_ASKED:
        # A mode that was not asked has the parts that need no judge, but no totals.
        combined = dict.fromkeys(combined)
    reasons = (*([absent] if absent else []), *_reasons(scenarios, combined))
    return Totals(
        languages,
        interruption=combined["interruption"],
        rejection=combined["rejection"],
        delay=combined["delay"],
        coverage=_coverage(scenarios),
        silent=_count(scenarios, "silent"),
        unjudged=_count(scenarios, "unjudged"),
        corrected=_count(scenarios, "corrected"),
        is_whole=not reasons,
        needed=NEEDED[mode],
        reasons=(
            *reasons,
            *([] if absent else _unjudged(scenarios)),
            *_corrected(scenarios),
            *_official_zeros(scenarios, mode),
            *_absent(scenarios),
        ),
        absent=absent,
    )


def _coverage(scenarios: Sequence[ScenarioScore]) -> Coverage:
    return Coverage(
        test=Came(_count(scenarios, "received"), _count(scenarios, "expected")),
        clean=Came(_count(scenarios, "clean_received"), _count(scenarios, "clean_expected")),
    )


def _count(scenarios: Sequence[ScenarioScore], name: str) -> int:
    return sum(getattr(part, name) for score in scenarios for part in score.parts)


def _language(language: str, scenarios: Sequence[ScenarioScore], mode: str) -> LanguageTotals:
    stop = _mean_delay([_latency(s, "stop", mode) for s in scenarios if s.stop], mode)
    response = _mean_delay([_latency(s, "response", mode) for s in scenarios if s.response], mode)
    first = _mean_first([score.first_response for score in scenarios], mode)
    folders = [part.first_response.value for score in scenarios for part in score.parts]
    parts = [part for part in (stop, response, first) if part is not None]
    measured = any(_values(score) for score in scenarios)
    complete = len(parts) == 3 or (mode == "official" and parts)
    delay = mean(parts) if measured and complete else None
    return LanguageTotals(
        language,
        _group(scenarios, INTERRUPTION, mode),
        _group(scenarios, REJECTION, mode),
        stop,
        response,
        first,
        _rounded(delay, 3, mode),
        _mean_first(folders, mode),
    )


def _group(scenarios: Sequence[ScenarioScore], slugs: Sequence[str], mode: str) -> Decimal | None:
    rates = [score.rate for score in scenarios if score.slug in slugs]
    known = [rate for rate in rates if rate is not None]
    average = mean(known) if len(known) == len(rates) else None
    return None if average is None else _rounded(100 * average, 1, mode)


def _latency(score: ScenarioScore, name: str, mode: str) -> Decimal | None:
    average = getattr(score, name)
    if average.value is None and mode == "official":
        # Decision 18: the official average of no interval is 0.0.
        return Decimal("0.000")
    value: Decimal | None = average.value
    return value


def _mean_delay(values: Sequence[Decimal | None], mode: str) -> Decimal | None:
    known = [value for value in values if value is not None]
    return _rounded(mean(known), 3, mode) if len(known) == len(values) else None


def _mean_first(values: Sequence[Decimal | None], mode: str) -> Decimal | None:
    """Decision 20: a missing delay leaves the mean in official mode, strict is incomplete."""
    known = [value for value in values if value is not None]
    if mode == "strict" and len(known) < len(values):
        return None
    return _rounded(mean(known), 3, mode)


def _values(score: ScenarioScore) -> int:
    return sum(
        average.n
        for part in score.parts
        for average in (part.first_response, part.stop, part.response)
        if average is not None
    )


def _across(values: Sequence[Decimal | None], places: int, mode: str) -> Decimal | None:
    """Mean over languages (decision D10 for the delay); ``None`` when one is missing."""
    known = [value for value in values if value is not None]
    return _rounded(mean(known), places, mode) if len(known) == len(values) else None


def _rounded(value: Decimal | None, places: int, mode: str) -> Decimal | None:
    return half_up(value, places) if mode == "official" and value is not None else value


def _reasons(
    scenarios: Sequence[ScenarioScore], combined: dict[str, Decimal | None]
) -> tuple[Said, ...]:
    """Say why the totals cannot be ranked, whatever came; nothing when they can."""
    reasons = [
        f"There is no {name} total: {_cause(scenarios, name)}"
        for name, value in combined.items()
        if value is None and not _waits(scenarios, name)
    ]
    if combined["delay"] == 0:
        reasons.append("The total delay is 0.000 s because no interval was measured.")
    return tuple(reasons)


def _missing(scenarios: Sequence[ScenarioScore], name: str) -> list[ScenarioScore]:
    if name == "delay":
        return [s for s in scenarios if s.first_response is None or _no_interval(s)]
    return [s for s in scenarios if s.group == name and s.rate is None]


def _waits(scenarios: Sequence[ScenarioScore], name: str) -> bool:
    """Whether a total is missing for want of the judge alone, which is said once for all."""
    missing = _missing(scenarios, name)
    if any(score.absent == NOT_ASKED for score in scenarios):
        return True
    return bool(missing) and all(score.absent for score in missing)


def _cause(scenarios: Sequence[ScenarioScore], name: str) -> str:
    missing = _missing(scenarios, name)
    if not missing:
        return "nothing was measured."
    places = ", ".join(f"{score.slug} ({score.language})" for score in missing)
    what = "a latency is missing" if name == "delay" else "nothing was measured"
    return f"{what} in {places}."


def _no_interval(score: ScenarioScore) -> bool:
    return any(
        average is not None and average.value is None for average in (score.stop, score.response)
    )


def _unjudged(scenarios: Sequence[ScenarioScore]) -> tuple[Said, ...]:
    number = _count(scenarios, "unjudged")
    return (Phrase("items-left-out", {"n": str(number)}),) if number else ()


def _corrected(scenarios: Sequence[ScenarioScore]) -> tuple[str, ...]:
    number = _count(scenarios, "corrected")
    return (f"{number} item(s) have a label that a person corrected.",) if number else ()


def _absent(scenarios: Sequence[ScenarioScore]) -> tuple[str, ...]:
    """Say which scenarios the split lacks: means are over those it has."""
    lacking = [slug for slug in SCENARIOS if not any(one.slug == slug for one in scenarios)]
    return (f"The split has no items of {', '.join(lacking)}.",) if lacking else ()


def _official_zeros(scenarios: Sequence[ScenarioScore], mode: str) -> tuple[str, ...]:
    """Warn where official mode used 0.0 for nothing, or left a missing delay out (18, 20)."""
    if mode == "strict":
        return ()
    zeros = [f"{s.slug} ({s.language})" for s in scenarios if _no_interval(s)]
    gone = [f"{s.slug} ({s.language})" for s in scenarios if s.first_response is None]
    lines = []
    if zeros:
        lines.append(
            "No stop or no response interval, which the official average counts as 0.000 s: "
            f"{', '.join(zeros)}."
        )
    if gone:
        lines.append(f"No first-response delay, left out of the official mean: {', '.join(gone)}.")
    return tuple(lines)
