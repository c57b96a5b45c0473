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

from leaderboard.board.rules import Rules, of_board, of_split
from leaderboard.comparison.numbers import MOST, Comparison, as_shown, compare
from leaderboard.models import Snapshot
from scoring import __version__, ranking
from scoring.errors import RankingError
from scoring.ranking import Reference
from submissions import components
from submissions.models import Run, Split, Submission
from submissions.permissions import can_see_items, can_see_results

FORM = 2
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
    scale = _reference(split, board), _rules(split, board)
    made = []
    for mark, key in zip(ascii_uppercase, dict.fromkeys(keys), strict=False):
        if run := runs.get(key):
            made.append(_scored(mark, user, run, rows.get(key), scale))
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
    """The standing runs whose numbers the reader may see; trials have other items."""
    found = Submission.objects.filter(
        pk__in=[key for key in keys if _uuid(key)], split=split, is_trial=False
    ).select_related("team", "system", "split")
    visible = [one for one in found if _sees_results(user, one)]
    standing = [one.board_run_id for one in visible if one.board_run_id]
    runs = {run.submission_id: run for run in Run.objects.filter(pk__in=standing)}
    for one in visible:
        if one.pk in runs:
            runs[one.pk].submission = one
    return {str(key): run for key, run in runs.items()}


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


def _rules(split: Split, board: Snapshot | None) -> Rules:
    """The rules of the newest board, or those of the split for its first one."""
    return of_board(board) if board else of_split(split)


def _scenarios(run: Run | None, mode: str) -> Sequence[Mapping[str, Any]]:
    """What was scored, as every page shows it."""
    found: Sequence[Mapping[str, Any]] = (run.results or {})[mode]["scenarios"] if run else ()
    return found


def _scored(
    mark: str,
    user: Any,
    run: Run,
    row: Mapping[str, Any] | None,
    scale: tuple[Reference | None, Rules],
) -> Contender:
    submission = run.submission
    return Contender(
        mark,
        str(submission.pk),
        submission.system.name,
        submission.team.name,
        submission.kind,
        run,
        row if row is not None else _values(run, *scale),
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


def _values(run: Run, constants: Reference | None, rules: Rules) -> dict[str, str]:
    """What a board would show of a run that is on none."""
    totals = (run.results or {})[rules.mode]["totals"]
    shown = {name: totals[name] or "" for name in NUMBERS}
    raw = (totals[f"{name}_raw"] for name in NUMBERS)
    interruption, rejection, delay = (None if one is None else Decimal(one) for one in raw)
    entry = ranking.Entry("", "participant", interruption, rejection, delay)
    if constants is None:
        return {**shown, "delay_score": "", "total": ""}
    try:
        row = ranking.rank(
            [entry],
            l_min=constants.l_min,
            l_base=constants.l_base,
            mode=rules.mode,
            weights=rules.weights,
        )[0]
    except RankingError:
        return {**shown, "delay_score": "", "total": ""}
    scores = {"delay_score": row.delay_score, "total": row.total}
    return shown | {name: "" if one is None else str(one) for name, one in scores.items()}


def comparison_of(split: Split, board: Snapshot | None, found: Sequence[Contender]) -> Comparison:
    """Compare; what two runs say of each other never changes, so it is kept."""
    constants, rules = _reference(split, board), _rules(split, board)
    mode = rules.mode
    runs = [one.run.pk if one.run else 0 for one in found[:MOST]]
    scale = f"{constants.l_min}:{constants.l_base}" if constants else ""
    weights = ":".join(map(str, rules.weights))
    key = f"compare:{FORM}:{__version__}:{mode}:{weights}:{scale}:{','.join(map(str, runs))}"
    made: Comparison | None = cache.get(key)
    if made is None:
        systems = [components.of_run(one.run, mode) if one.run else None for one in found[:MOST]]
        scored = [_scenarios(one.run, mode) for one in found[:MOST]]
        made = compare(systems, scored, mode=mode, reference=constants, weights=rules.weights)
        cache.set(key, made, KEPT)
    return as_shown(made, [one.values for one in found[:MOST]])
