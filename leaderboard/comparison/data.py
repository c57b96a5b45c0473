"""The systems that an address compares, for a reader who may see their numbers.

Whoever may not see one of them is told that it does not exist. Only systems of one split can be
compared, since only they answered the same items.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from string import ascii_uppercase
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db.models import Q
from django.http import Http404

from leaderboard.comparison.numbers import MOST, Comparison, as_shown, compare
from leaderboard.entry.shown_run import known_until
from leaderboard.models import Snapshot
from scoring import __version__, ranking
from scoring.errors import RankingError
from scoring.ranking import Reference
from submissions import components
from submissions.models import Run, Split, Submission
from submissions.permissions import can_see_items, can_see_results
from submissions.queries import finished_runs

FORM = 1
KEPT = 86_400
NUMBERS = ("interruption", "rejection", "delay")


@dataclass(frozen=True, slots=True)
class Contender:
    """One compared system.

    Attributes:
        mark: its letter.
        key: in addresses; a submission's id, or a reported row's slug.
        run: ``None`` for rows published elsewhere.
        values: numbers as a board shows them; empty where absent.
        shows_items: whether the reader may see its items.
    """

    mark: str
    key: str
    name: str
    team: str
    kind: str
    run: Run | None
    values: Mapping[str, str]
    unofficial: Sequence[str]
    signature: str
    shows_items: bool
    is_published: bool


def contenders(
    user: Any, split: Split, board: Snapshot | None, names: Sequence[str]
) -> list[Contender]:
    """Find what is named, in the order of the names.

    Raises:
        Http404: there is no such system in the split, or not for this reader.
    """
    rows = {row["link"]: row for row in (board.rows if board else [])}
    keys = [_key(name, rows) for name in names]
    runs = _runs(user, split, [key for key in keys if key not in rows or _is_ours(rows[key])])
    constants = _reference(split, board)
    made = []
    for mark, key in zip(ascii_uppercase, dict.fromkeys(keys), strict=False):
        if run := runs.get(key):
            made.append(_scored(mark, user, run, rows.get(key), constants))
        elif key in rows and not _is_ours(rows[key]):
            made.append(_reported(mark, rows[key]))
        else:
            raise Http404
    return made


def split_of(names: Sequence[str]) -> Split | None:
    """The split of the first named system, for addresses that do not say."""
    if not names:
        return None
    key, slug = _uuid(names[0]), names[0]
    meant = Q(submissions__pk=key) if key else Q(reported__slug=slug)
    if not key:
        meant |= Q(submissions__system__slug=slug, submissions__published__isnull=False)
    return Split.objects.filter(meant).order_by("position", "slug").first()


def _key(name: str, rows: Mapping[str, Mapping[str, Any]]) -> str:
    """A system's name in addresses means its best row on the board."""
    if name in rows or _uuid(name):
        return name.lower()
    named = (key for key, row in rows.items() if row.get("system_slug") == name)
    return next(named, name)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _is_ours(row: Mapping[str, Any]) -> bool:
    return bool(row["origin"] == "scored")


def _runs(user: Any, split: Split, keys: Sequence[str]) -> dict[str, Run]:
    """Runs whose numbers the reader may see, as the board knows them; trials have other items."""
    found = Submission.objects.filter(
        pk__in=[key for key in keys if _uuid(key)], split=split, is_trial=False
    ).select_related("team", "system", "split")
    visible = [one for one in found if _sees_results(user, one)]
    return {str(run.submission_id): run for run in finished_runs(visible, known_until(user, split))}


def _sees_results(user: Any, one: Submission) -> bool:
    """What everybody sees is asked first: it costs no look at teams and organisers."""
    return can_see_results(AnonymousUser(), one) or can_see_results(user, one)


def _sees_items(user: Any, one: Submission) -> bool:
    return any(can_see_items(who, one.split, one) for who in (AnonymousUser(), user))


def _reference(split: Split, board: Snapshot | None) -> Reference | None:
    """The constants of the newest board, or the frozen ones of the split."""
    texts = (board.l_min, board.l_base) if board else split.frozen_reference
    if not all(texts):
        return None
    l_min, l_base = (Decimal(text) for text in texts if text)
    return Reference(l_min, l_base)


def _scored(
    mark: str,
    user: Any,
    run: Run,
    row: Mapping[str, Any] | None,
    constants: Reference | None,
) -> Contender:
    submission = run.submission
    return Contender(
        mark,
        str(submission.pk),
        submission.system.name,
        submission.team.name,
        submission.kind,
        run,
        row if row is not None else _values(run, constants),
        run.unofficial,
        run.signature_of(submission.split.ranking_mode),
        _sees_items(user, submission),
        submission.published is not None,
    )


def _reported(mark: str, row: Mapping[str, Any]) -> Contender:
    return Contender(
        mark, row["link"], row["system"], row["team"], row["kind"], None, row, [], "",
        shows_items=False, is_published=True,
    )  # fmt: skip


def _values(run: Run, constants: Reference | None) -> dict[str, str]:
    """What a board would show of a run that is on none."""
    totals = (run.results or {})[run.submission.split.ranking_mode]["totals"]
    shown = {name: totals[name] or "" for name in NUMBERS}
    raw = (totals[f"{name}_raw"] for name in NUMBERS)
    interruption, rejection, delay = (None if one is None else Decimal(one) for one in raw)
    entry = ranking.Entry("", "participant", interruption, rejection, delay)
    if constants is None:
        return {**shown, "delay_score": "", "total": ""}
    try:
        row = ranking.rank([entry], l_min=constants.l_min, l_base=constants.l_base)[0]
    except RankingError:
        return {**shown, "delay_score": "", "total": ""}
    scores = {"delay_score": row.delay_score, "total": row.total}
    return shown | {name: "" if one is None else str(one) for name, one in scores.items()}


def comparison_of(split: Split, board: Snapshot | None, found: Sequence[Contender]) -> Comparison:
    """Compare; what two runs say of each other never changes, so it is kept."""
    constants, mode = _reference(split, board), split.ranking_mode
    runs = [one.run.pk if one.run else 0 for one in found[:MOST]]
    scale = f"{constants.l_min}:{constants.l_base}" if constants else ""
    key = f"compare:{FORM}:{__version__}:{mode}:{scale}:{','.join(map(str, runs))}"
    made: Comparison | None = cache.get(key)
    if made is None:
        systems = [components.of_run(one.run, mode) if one.run else None for one in found[:MOST]]
        made = compare(systems, mode=mode, reference=constants)
        cache.set(key, made, KEPT)
    return as_shown(made, [one.values for one in found[:MOST]])
