"""What a comparison says: plain verdicts, and what makes two systems' numbers differ in kind."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leaderboard import sentences, words
from leaderboard.comparison.data import Contender
from leaderboard.comparison.numbers import FALLING, Difference, Pair
from leaderboard.show import numbers as show
from scoring.humdial import BENCHMARK
from scoring.rounding import half_up
from scoring.signature import Signature, differences

PLACES = {column.name: column.places for column in BENCHMARK.columns}
UNITS = {"delay": "s", "interruption": "%", "rejection": "%"}
TITLES = {
    "total": gettext_lazy("Total"),
    "interruption": gettext_lazy("Interruption"),
    "rejection": gettext_lazy("Rejection"),
    "delay_score": gettext_lazy("Delay score"),
    "delay": gettext_lazy("Total delay"),
} | words.SCENARIOS
# Parts that a verdict names; the delay score only says the delay again.
NAMED = ("interruption", "rejection", "delay")
IN_SENTENCES = {
    "interruption": gettext_lazy("interruption"),
    "rejection": gettext_lazy("rejection"),
    "delay": gettext_lazy("total delay"),
}


NO_ITEMS = gettext_lazy(
    "%(one)s against %(others)s: published totals only, so nobody can say whether chance explains "
    "the differences."
)
OTHER_ITEMS = gettext_lazy(
    "%(one)s was not scored on the same items as %(others)s, so they cannot be compared item by "
    "item."
)
TOO_FEW = gettext_lazy(
    "%(one)s against %(others)s: too few items for intervals, so nobody can say whether chance "
    "explains the differences."
)


def verdicts(found: Sequence[Contender], pairs: Sequence[Pair]) -> list[str]:
    """What can be said of the first system and each other; what stops several is said once."""
    first, *others = found
    stopped: dict[str, list[str]] = {}
    for other, pair in zip(others, pairs, strict=True):
        if obstacle := _obstacle(first, other, pair):
            stopped.setdefault(obstacle, []).append(label(other))
    told = [
        _("; ").join(_parts(first, other, pair)) + _(".")
        for other, pair in zip(others, pairs, strict=True)
        if not _obstacle(first, other, pair)
    ]
    return told + [
        obstacle % {"one": label(first), "others": words.listed(names)}
        for obstacle, names in stopped.items()
    ]


def _obstacle(one: Contender, other: Contender, pair: Pair) -> str:
    """Why nothing can be said; empty where something can."""
    if one.run is None or other.run is None:
        return str(NO_ITEMS)
    if not pair.is_comparable:
        return str(OTHER_ITEMS)
    known = [name for name, found in pair.differences.items() if found.low is not None]
    return "" if {"total", *NAMED} & set(known) else str(TOO_FEW)


def label(one: Contender) -> str:
    """A system in a sentence; two entries may share a name, never a letter."""
    return f"{one.mark} ({one.name})"


def _parts(one: Contender, other: Contender, pair: Pair) -> Iterable[str]:
    found = pair.differences
    total = found.get("total")
    if total is None:
        yield _("%(one)s and %(other)s have no total to compare") % {
            "one": label(one), "other": label(other),
        }  # fmt: skip
    elif total.low is None:
        yield _("for the totals of %(one)s and %(other)s there is no interval") % {
            "one": label(one), "other": label(other),
        }  # fmt: skip
    elif not total.is_separable:
        yield _("%(one)s and %(other)s are not separable on the total (%(numbers)s)") % {
            "one": label(one), "other": label(other), "numbers": numbers("total", total),
        }  # fmt: skip
    else:
        yield _("%(better)s is better on the total (%(numbers)s)") % _won(
            one, other, "total", total
        )
    for name in NAMED:
        if (part := found.get(name)) is not None and part.is_separable:
            yield _("%(better)s is better on %(part)s (%(numbers)s)") % {
                **_won(one, other, name, part),
                "part": IN_SENTENCES[name],
            }


def _won(one: Contender, other: Contender, name: str, found: Difference) -> dict[str, str]:
    """Who is better, with the difference seen from there."""
    if other_wins(name, found):
        return {"better": label(other), "numbers": numbers(name, found)}
    return {"better": label(one), "numbers": numbers(name, turned(found))}


def other_wins(name: str, found: Difference) -> bool:
    """Whether the difference favours the other system over the first."""
    return (found.value < 0) == (name in FALLING)


def turned(found: Difference) -> Difference:
    """The same difference seen from the other side."""
    low = None if found.high is None else -found.high
    high = None if found.low is None else -found.low
    return Difference(-found.value, low, high)


def numbers(name: str, found: Difference) -> str:
    """A difference with its interval, for a sentence."""
    unit = " s" if name in FALLING else ""
    ends = interval(name, found)
    value = f"{signed(found.value, name)}{unit}"
    return _("%(value)s, 95 %% %(interval)s") % {"value": value, "interval": ends}


def interval(name: str, found: Difference) -> str:
    """Both ends; empty where there are none."""
    if found.low is None or found.high is None:
        return ""
    ends = {"low": signed(found.low, name), "high": signed(found.high, name)}
    return _("%(low)s to %(high)s") % ends


def signed(value: float, name: str) -> str:
    """A difference with its sign, and a real minus."""
    return show.signed(half_up(value, PLACES.get(name, show.RATE)))


def caveats(found: Sequence[Contender]) -> list[tuple[str, list[str]]]:
    """Per system, how its signature differs from that of the first one scored here."""
    scored = [one for one in found if one.signature]
    if not scored:
        return []
    first = Signature.parse(scored[0].signature)
    pairs = [(one, differences(first, Signature.parse(one.signature))) for one in scored[1:]]
    return [
        (f"{scored[0].mark} – {one.mark}", [sentences.known(line) for line in lines])
        for one, lines in pairs
        if lines
    ]
