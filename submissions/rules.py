"""The rules of a split in words, in the reader's language: the one place that says them.

The submit page, the public page of a split, the API, mails and the organiser's preview all show
these sentences. What a rule does is decided where its field is read; here it is only told.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from submissions.models import Split
from submissions.moments import both
from submissions.permissions import trial_tells_scores
from submissions.queries import choice_end

Counting, Publication = Split.Counting, Split.Publication
WEIGHTS = ("interruption", "rejection", "delay")
FIRST = (
    "draft", "uploads", "opens", "closes", "clock", "approval", "description", "total-limit",
    "daily-limit", "no-limit", "one-at-a-time", "publication",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a split.

    Attributes:
        key: stable short name.
        sentence: what it says.
        at: the moment that it names, for readers with a clock of their own.
    """

    key: str
    sentence: str
    at: datetime | None = None

    @property
    def comes_first(self) -> bool:
        """Whether a team has to know it before it does anything."""
        return self.key in FIRST


def in_words(split: Split) -> list[Rule]:
    """Every rule of a split, in the order in which a team meets them."""
    return [*_access(split), *_slots(split), *_ranking(split), *_showing(split)]


def sentence(split: Split, key: str) -> str:
    """What one rule says; empty where the split has no such rule."""
    return next((one.sentence for one in in_words(split) if one.key == key), "")


def _access(split: Split) -> Iterator[Rule]:
    """Who may submit, when and what."""
    if split.is_draft:
        text = _("This is a draft: only its organisers see it, and nobody can submit to it.")
        yield Rule("draft", text)
    if not split.accepts_uploads:
        yield Rule("uploads", _("This split takes no submissions."))
        return
    yield from _window(split)
    if split.needs_approval:
        text = _("A team asks the organisers for approval before its first upload, on its page.")
        yield Rule("approval", text)
    if split.min_document_pages:
        text = ngettext(
            "A submission comes with a description of the system: a PDF of at least %(number)d "
            "page. A trial needs none.",
            "A submission comes with a description of the system: a PDF of at least %(number)d "
            "pages. A trial needs none.",
            split.min_document_pages,
        )
        yield Rule("description", text % {"number": split.min_document_pages})


def _window(split: Split) -> Iterator[Rule]:
    if split.opens:
        text = _("The window opens at %(time)s.") % {"time": both(split.opens)}
        yield Rule("opens", text, split.opens)
    if split.closes:
        text = _("The window closes at %(time)s.") % {"time": both(split.closes)}
        yield Rule("closes", text, split.closes)
    else:
        yield Rule("closes", _("There is no closing time."))
    text = _("What counts is the moment when the last byte arrives, by the server's clock.")
    yield Rule("clock", text)


def _slots(split: Split) -> Iterator[Rule]:
    """How often."""
    if not split.accepts_uploads:
        return
    yield from _limits(split)
    text = _(
        "A slot is spent once the submission was scored, also if it is withdrawn later: its "
        "numbers could be seen."
    )
    yield Rule("spent", text)
    text = ngettext(
        "What is refused, fails on our side or is withdrawn before it is scored costs no slot; a "
        "team has %(number)d such attempt in any 24 hours.",
        "What is refused, fails on our side or is withdrawn before it is scored costs no slot; a "
        "team has %(number)d such attempts in any 24 hours.",
        split.refused_per_day,
    )
    yield Rule("free", text % {"number": split.refused_per_day})
    yield from _trials(split)


def _limits(split: Split) -> Iterator[Rule]:
    total, daily = split.limit_total, split.limit_per_day
    if total is not None:
        text = ngettext(
            "A team has %(number)d submission in all.",
            "A team has %(number)d submissions in all.",
            total,
        )
        yield Rule("total-limit", text % {"number": total})
    if daily is not None:
        text = ngettext(
            "A team has %(number)d submission in any 24 hours.",
            "A team has %(number)d submissions in any 24 hours.",
            daily,
        )
        yield Rule("daily-limit", text % {"number": daily})
    if total is None and daily is None:
        yield Rule("no-limit", _("A team may submit as often as it likes."))
    if split.one_at_a_time:
        text = _("A team submits one at a time: it waits until its last submission is scored.")
        yield Rule("one-at-a-time", text)


def _trials(split: Split) -> Iterator[Rule]:
    if not split.trial_items:
        yield Rule("trials", _("There are no trials."))
        return
    text = ngettext(
        "A trial answers %(items)d item per scenario and language, costs no slot and is never "
        "published; a team has %(number)d in any 24 hours.",
        "A trial answers %(items)d items per scenario and language, costs no slot and is never "
        "published; a team has %(number)d in any 24 hours.",
        split.trial_items,
    )
    values = {"items": split.trial_items, "number": settings.TRIALS_PER_DAY}
    yield Rule("trials", text % values)
    if trial_tells_scores(split):
        yield Rule("trial-shows", _("A trial shows its team every detail."))
    else:
        text = _(
            "A trial reports on files and pipeline only: no scores, labels, texts or recordings, "
            "because its items rank and are hidden."
        )
        yield Rule("trial-shows", text)


def _ranking(split: Split) -> Iterator[Rule]:
    """What ranks, and how."""
    yield Rule("mode", _mode(split))
    yield Rule("coverage", _coverage(split.min_coverage))
    text = _(
        "Total = %(interruption)s × interruption + %(rejection)s × rejection + %(delay)s × delay "
        "score."
    )
    weights = {name: getattr(split, f"weight_{name}") for name in WEIGHTS}
    yield Rule("weights", text % {name: _plain(value) for name, value in weights.items()})
    yield Rule("scale", _scale(split))
    if split.latency == Split.Latency.MEASURED:
        text = _("Latency ranks as the organisers measured it on their own machine.")
    else:
        text = _("Latency is read from the recordings that teams submit.")
    yield Rule("latency", text)
    if split.rank_baseline:
        yield Rule("baseline", _("The baseline holds a rank among the teams."))
    else:
        yield Rule("baseline", _("The baseline stands on the board in its order, without a rank."))
    yield from _counting(split)


def _mode(split: Split) -> str:
    values = {"mode": split.get_ranking_mode_display()}
    if split.both_modes:
        return _("The %(mode)s mode ranks; the other mode is scored too.") % values
    return _("The %(mode)s mode ranks; the other mode is not scored.") % values


def _coverage(percent: Decimal) -> str:
    if percent >= 100:
        return _(
            "A rank needs every expected recording, those with the event and the clean ones. "
            "Silence is an answer."
        )
    text = _(
        "A rank needs %(percent)s %% of the expected recordings, of those with the event and of "
        "the clean ones each. Silence is an answer."
    )
    return text % {"percent": _plain(percent)}


def _scale(split: Split) -> str:
    fastest, base = split.frozen_reference
    parts = [
        _("100 points of the delay score are the fastest ranked system of each board")
        if fastest is None
        else _("100 points of the delay score are a total delay of %(seconds)s s")
        % {"seconds": _plain(fastest)},
        _("60 points the baseline of each board")
        if base is None
        else _("60 points one of %(seconds)s s") % {"seconds": _plain(base)},
    ]
    named = f" ({split.reference_name})" if split.reference_name and fastest is not None else ""
    return _("%(fastest)s, %(base)s%(named)s.") % {
        "fastest": parts[0], "base": parts[1], "named": named,
    }  # fmt: skip


def _counting(split: Split) -> Iterator[Rule]:
    yield Rule("counting", _which_counts(split))
    if split.counting == Counting.EVERY:
        return
    ends = choice_end(split)
    if ends is None:
        return
    text = _(
        "The choice ends at %(time)s: what is withdrawn or disqualified after that leaves its team "
        "without an entry, and no other one takes its place."
    )
    yield Rule("choice", text % {"time": both(ends)}, ends)


def _which_counts(split: Split) -> str:
    return {
        Counting.EVERY: _("Every published submission of a team has its own row on the board."),
        Counting.NEWEST: _("The newest published submission of each team counts."),
        Counting.CHOSEN: _(
            "Each team chooses which of its published submissions counts; until it does, its "
            "newest one counts."
        ),
    }[Counting(split.counting)]


def _showing(split: Split) -> Iterator[Rule]:
    """Who sees what, and when."""
    yield _publication(split)
    if split.items_public:
        yield Rule("items", _("Everybody may see and hear single items."))
    else:
        text = _(
            "Single items are hidden; a team sees and hears those of its own submission once it "
            "may see the scores."
        )
        yield Rule("items", text)
    if split.contact:
        yield Rule("contact", _("Questions: %(contact)s") % {"contact": split.contact})


def _publication(split: Split) -> Rule:
    if split.publication == Publication.AUTOMATIC:
        return Rule("publication", _("Entries are published as soon as they are scored."))
    if split.publication == Publication.BY_HAND:
        text = _("The organisers publish entries; before that a team sees its own scores.")
        return Rule("publication", text)
    if split.reveal is None:
        text = _("This split is blind: nobody sees scores until the organisers reveal them.")
        return Rule("publication", text)
    text = _("This split is blind: nobody sees scores before %(time)s.")
    return Rule("publication", text % {"time": both(split.reveal)}, split.reveal)


def _plain(value: Decimal) -> str:
    """A number without the zeros that its column adds."""
    return f"{Decimal(value).normalize():f}"
