"""The lines around a board: where it comes from, what moved, what its intervals mean."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leaderboard import sentences, words
from leaderboard.models import Snapshot
from leaderboard.show.numbers import DASH
from scoring.ranking import DELAY_FACTOR, FULL_SCORE
from scoring.uncertainty import CONFIDENCE, MIN_ITEMS
from submissions.queries import SELF_REPORTED

NAMES_SHOWN = 5
CHANGES = ("new", "gone", "places", "l_min", "l_base", "weights")


@dataclass(frozen=True, slots=True)
class Line:
    """Where a board comes from: label and value, in order."""

    label: str
    value: str


def origin(snapshot: Snapshot) -> list[Line]:
    """The facts of a board: number, date, cause, mode, delay scale."""
    frozen = f"{words.utc(snapshot.created)} ({words.anywhere(snapshot.created)})"
    return [
        Line(_("Board"), f"{snapshot.pk} · {frozen}"),
        Line(_("Cause"), sentences.known(snapshot.cause)),
        Line(_("Mode"), str(words.MODES.get(snapshot.mode, snapshot.mode))),
        Line(_("Delay scale"), _scale(snapshot)),
        Line(_("Intervals"), _drawn(snapshot)),
    ]


def _scale(snapshot: Snapshot) -> str:
    """What has 100 points and what 60, and whether a faster system moves it."""
    if not snapshot.l_min or not snapshot.l_base:
        return _("none yet: it needs a baseline and a faster ranked system")
    named = f" ({snapshot.l_min_holder})" if snapshot.l_min_holder else ""
    points = {
        "full": FULL_SCORE,
        "fast": f"{snapshot.l_min} s{named}",
        "some": FULL_SCORE - DELAY_FACTOR,
        "base": f"{snapshot.l_base} s",
    }
    scale = _("L_min %(fast)s has %(full)s points, L_base %(base)s has %(some)s") % points
    if snapshot.reference_name:
        return _("%(scale)s; frozen as %(name)s, so no faster system moves it") % {
            "scale": scale, "name": snapshot.reference_name,
        }  # fmt: skip
    return _("%(scale)s; the fastest ranked system sets it") % {"scale": scale}


def _drawn(snapshot: Snapshot) -> str:
    if not snapshot.draws:
        return _("none; the reason stands below the table")
    values = {"percent": f"{CONFIDENCE:.0%}", "draws": snapshot.draws, "seed": snapshot.seed}
    return _("%(percent)s, paired bootstrap over items, %(draws)d draws, seed %(seed)d") % values


def about_intervals(snapshot: Snapshot) -> str:
    """What intervals and bold mean on this board, or why there are none."""
    if snapshot.draws:
        return _(
            # xgettext:no-python-format
            "Small, with a number or a rank: its 95 % interval, as ± where both ends are equally "
            "far. Systems along one bar cannot be told from the first of them. Bold: best, or not "
            "to be told from the best."
        )
    if not snapshot.rows:
        return ""
    if all(row["origin"] == "reported" for row in snapshot.rows):
        return _(
            "All rows are as reported by their source, without item results, so no interval, "
            "tie or best value can be told; close totals may be chance."
        )
    return _(
        "No intervals: they need at least %(count)d items per scenario and language, scored here."
    ) % {"count": MIN_ITEMS}


def about_latency(rows: Sequence[Mapping[str, Any]]) -> str:
    """Where all delays of a board come from, if that is one place; marks tell of the others."""
    sources = {row.get("latency_source", "") for row in rows if row["origin"] == "scored"}
    if sources != {SELF_REPORTED}:
        return ""
    if all(row["origin"] == "scored" for row in rows):
        return _("All delays come from the recordings that teams handed in.")
    return _("Delays of the rows scored here come from the recordings that teams handed in.")


def about_differences(has_intervals: bool) -> str:
    """What range, bold and words mean among differences, or why there are none."""
    if not has_intervals:
        return _(
            "These differences have no intervals, because too few items of the pinned row are "
            "known here; close ones may be chance."
        )
    return _(
        # xgettext:no-python-format
        "Below a difference stands its 95 % interval: the items were drawn again and again, the "
        "same ones for both systems. Bold, “better” or “worse”: the interval leaves 0 out. Pale, "
        "“not separable”: chance may explain it. Rows that were not resampled on the same items "
        "have no interval."
    )


def moved(snapshot: Snapshot) -> list[str]:
    """What changed since the board before, in sentences; nothing for the first board."""
    found = snapshot.moved
    return [line for line in _movements(found) if line] if found else []


def _movements(found: Mapping[str, Any]) -> Iterable[str]:
    if found["new"]:
        yield _("New: %s.") % _names(found["new"])
    if found["gone"]:
        yield _("Gone: %s.") % _names(found["gone"])
    places = [f"{name} {before or DASH} → {now or DASH}" for name, before, now in found["places"]]
    if places:
        yield _("Places: %s.") % _names(places)
    if found["l_min"]:
        before, holder, now, other = found["l_min"]
        yield _constant(_("The fastest delay L_min"), _held(before, holder), _held(now, other))
    if found["l_base"]:
        before, now = found["l_base"]
        yield _constant(_("The baseline's delay L_base"), _held(before), _held(now))
    if found.get("weights"):  # boards from before there was a choice do not say
        before, now = found["weights"]
        yield _(
            "The weights of interruption, rejection and delay score went from %(before)s to "
            "%(now)s, so every total moved with them."
        ) % {"before": before, "now": now}
    yield _others(found)


def _constant(name: str, before: str, now: str) -> str:
    """A constant of the delay score that has changed, come, or gone."""
    values = {"name": name, "before": before, "now": now}
    if not now:
        text = _("%(name)s was %(before)s and is unknown now, so no entry has a delay score.")
    elif not before:
        text = _("%(name)s is known now: %(now)s. So entries have delay scores and totals.")
    else:
        text = _(
            "%(name)s went from %(before)s to %(now)s, so every delay score and total moved with "
            "it."
        )
    return text % values


def _held(seconds: str, holder: str = "") -> str:
    """A constant with whoever holds it; empty where there is none."""
    if not seconds:
        return ""
    return f"{seconds} s ({holder})" if holder else f"{seconds} s"


def _others(found: Mapping[str, Any]) -> str:
    """Totals that changed, and the sentence for a board on which nothing did."""
    number = len(found["totals"])
    if number:
        return ngettext("%(number)d total changed.", "%(number)d totals changed.", number) % {
            "number": number
        }
    return "" if any(found.get(name) for name in CHANGES) else _("Nothing moved.")


def _names(names: Sequence[str]) -> str:
    shown = names[:NAMES_SHOWN]
    rest = len(names) - NAMES_SHOWN
    if rest <= 0:
        return words.listed(shown)
    more = ngettext("%(number)d more", "%(number)d more", rest) % {"number": rest}
    return words.listed([*shown, more])
