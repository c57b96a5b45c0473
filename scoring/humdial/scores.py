"""Scores of one scenario in one language: counts first, one division at the end.

Conventions: rates are 0-1, latencies seconds. In official mode numbers pass the stages of the
official scripts (binary rounding inside a folder, protocol 4.4, 5.5, 6); in strict mode they stay
exact. A number that cannot be computed is ``None`` with a reason in ``warnings``.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction

from scoring.errors import Phrase
from scoring.evidence import ItemResult
from scoring.humdial.latency import mean_of_item_means, pooled_average
from scoring.humdial.scenarios import Script
from scoring.judge import count_labels
from scoring.reasons import NO_JUDGE, NOT_ASKED, Said, is_pending
from scoring.rounding import decimal, half_up, printed

HALF = Decimal("0.5")


@dataclass(frozen=True, slots=True)
class Average:
    """A mean with the number of values behind it; ``value`` is ``None`` when there is none."""

    value: Decimal | None
    n: int
    mean_of_items: Decimal | None = None


@dataclass(frozen=True, slots=True)
class ScriptScore:
    """One script in one language.

    Attributes:
        expected, received, silent, unjudged, corrected: how many items.
        clean_expected, clean_received: how many recordings without the event.
        counted, successes: parts of the rate (for labels in official mode: labels, not items).
        rate: share of successes; ``None`` when nothing is counted.
        stop, response, first_response: average latencies.
        response_after_event, first_response_by_voice: read otherwise, never part of a total
            (decisions 30 and 12).
        labels: how often each label came.
        diagnostics: how often each diagnostic applied.
        warnings: what is missing, or odd, in sentences.
        absent: why the judge's part is missing, so that there is no rate; ``None`` where it is not.
    """

    language: str
    script: Script
    expected: int
    received: int
    silent: int
    unjudged: int
    counted: int
    successes: int
    rate: Decimal | None
    first_response: Average
    stop: Average | None = None
    response: Average | None = None
    response_after_event: Average | None = None
    first_response_by_voice: Average | None = None
    labels: dict[str, int] = field(default_factory=dict)
    diagnostics: dict[str, int] = field(default_factory=dict)
    warnings: tuple[Said, ...] = ()
    corrected: int = 0
    clean_expected: int = 0
    clean_received: int = 0
    absent: Phrase | None = None


@dataclass(frozen=True, slots=True)
class ScenarioScore:
    """One of the nine scenarios in one language, parts combined (protocol 6.3, decision D11)."""

    language: str
    slug: str
    group: str
    measure: str
    rate: Decimal | None
    first_response: Decimal | None
    parts: tuple[ScriptScore, ...]

    @property
    def absent(self) -> Phrase | None:
        """Why there is no rate for want of the judge; ``None`` where that is not why."""
        return foremost(part.absent for part in self.parts)

    @property
    def stop(self) -> Average | None:
        """Average stop latency; ``None`` where it is not measured."""
        return self.parts[0].stop

    @property
    def response(self) -> Average | None:
        """Average response latency; ``None`` where it is not measured."""
        return self.parts[0].response


def score_script(script: Script, results: Sequence[ItemResult], *, mode: str) -> ScriptScore:
    """Score the items of one script in one language.

    Args:
        script: its rules.
        results: one per expected item; at least one.
        mode: ``official`` or ``strict``.
    """
    official = mode == "official"
    absent = absence(results, mode=mode)
    counted, successes, rate = _rate(script, results, official=official)
    averages = _latencies(script, results, official=official)
    if absent and not official:
        # Decision 11: strict mode times successful items only, and which those are is not known.
        averages["first_response"] = replace(averages["first_response"], value=None)
    return ScriptScore(
        results[0].item.language,
        script,
        expected=len(results),
        received=sum(result.received for result in results),
        silent=sum(bool(result.silent) for result in results),
        unjudged=sum(result.unjudged is not None for result in results),
        counted=counted,
        successes=successes,
        rate=None if absent else rate,
        labels=dict(Counter(label for result in results for label in result.labels)),
        diagnostics=dict(
            Counter(name for result in results for name, yes in result.diagnostics.items() if yes)
        ),
        warnings=_warnings(script, results, rate, averages, absent),
        corrected=sum(result.correction is not None for result in results),
        clean_expected=sum(result.clean_received is not None for result in results),
        clean_received=sum(bool(result.clean_received) for result in results),
        absent=absent,
        **averages,
    )


def absence(results: Iterable[ItemResult], *, mode: str) -> Phrase | None:
    """Say why items cannot have a rate for want of the judge; ``None`` where they can.

    Official mode leaves an unjudged item out, as the script does an empty list; strict mode waits
    until it is judged (decision 25). Neither makes a rate of what the judge was not asked about.
    """
    whys = [result.unjudged for result in results if result.unjudged is not None]
    for unasked in (NOT_ASKED, NO_JUDGE):
        if unasked in whys:
            return unasked
    if waiting := sum(map(is_pending, whys)):
        return Phrase("items-pending", {"n": str(waiting)})
    return Phrase("items-unjudged", {"n": str(len(whys))}) if whys and mode == "strict" else None


def foremost(absences: Iterable[Phrase | None]) -> Phrase | None:
    """Of several reasons the one that explains most, its items counted together."""
    known = [one for one in absences if one is not None]
    for kind in (NOT_ASKED.key, NO_JUDGE.key, "items-pending", "items-unjudged"):
        alike = [one for one in known if one.key == kind]
        if alike:
            number = sum(int(str(one.values.get("n", 0))) for one in alike)
            return Phrase(kind, {"n": str(number)}) if number else alike[0]
    return None


def combine(parts: Sequence[ScriptScore], *, mode: str) -> ScenarioScore:
    """Make a scenario of its parts: one script, or third party after and before at 0.5 each."""
    first = parts[0].script
    return ScenarioScore(
        parts[0].language,
        first.scenario,
        first.group,
        "mixed" if len(parts) > 1 else first.measure.value,
        _halves([part.rate for part in parts], mode),
        _halves([part.first_response.value for part in parts], mode),
        tuple(parts),
    )


def _halves(values: Sequence[Decimal | None], mode: str) -> Decimal | None:
    """Mean of the parts; ``None`` when one is missing."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    if len(known) == 1:
        return known[0]
    combined = sum((HALF * value for value in known), Decimal(0))
    return half_up(combined, 3) if mode == "official" else combined


def _rate(
    script: Script, results: Sequence[ItemResult], *, official: bool
) -> tuple[int, int, Decimal | None]:
    counted = [result for result in results if result.counted]
    successes = sum(bool(result.success) for result in counted)
    if official and script.measure.is_judged:
        # Decision 8 (D8): the code rounds to 2 decimals, counting labels and not items.
        counts = count_labels([result.labels for result in counted])
        hits = counts.counts.get(script.measure.value, 0)
        rate = counts.rounded(script.measure.value) if counts.total else None
        return counts.total, hits, None if rate is None else decimal(rate)
    if not counted:
        return 0, 0, None
    if official:
        percent = printed(100 * successes / len(counted))
        return len(counted), successes, half_up(percent / 100, 3)
    exact = Fraction(successes, len(counted))
    return len(counted), successes, Decimal(exact.numerator) / Decimal(exact.denominator)


def _latencies(
    script: Script, results: Sequence[ItemResult], *, official: bool
) -> dict[str, Average]:
    averages = {
        "first_response": _plain([r.first_response_delay for r in results], official),
        "first_response_by_voice": _plain([r.first_response_by_voice for r in results], official),
    }
    if script.group != "interruption":
        return averages
    for name in ("stop", "response", "response_after_event"):
        lists = [getattr(result, name) or () for result in results]
        averages[name] = Average(
            _staged(pooled_average(lists), official),
            sum(map(len, lists)),
            _staged(mean_of_item_means(lists), official),
        )
    return averages


def _plain(values: Sequence[float | None], official: bool) -> Average:
    """Mean of one value per item, over the items that have one."""
    known = [value for value in values if value is not None]
    return Average(_staged(sum(known) / len(known) if known else None, official), len(known))


def _staged(value: float | None, official: bool) -> Decimal | None:
    if value is None:
        return None
    return printed(value) if official else decimal(value)


def _warnings(
    script: Script,
    results: Sequence[ItemResult],
    rate: Decimal | None,
    averages: dict[str, Average],
    absent: Phrase | None,
) -> tuple[Said, ...]:
    name = f"{script.slug} ({results[0].item.language})"
    missing = sum(not result.received for result in results)
    lines: list[Said] = []
    if missing:
        lines.append(f"{name}: {missing} of {len(results)} recordings are missing.")
    if absent:
        lines.append(absent)
    elif rate is None:
        lines.append(f"{name}: no item could be counted, so there is no rate.")
    for key, words in (
        ("first_response", "first-response delay"),
        ("stop", "stop interval"),
        ("response", "response interval"),
    ):
        if key in averages and averages[key].value is None and not averages[key].n:
            lines.append(f"{name}: no {words} was measured.")
    return tuple(lines)
