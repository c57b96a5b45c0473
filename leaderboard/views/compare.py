"""Compare two to six systems of one split."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from leaderboard import boards, words
from leaderboard.board import tables
from leaderboard.boards import latest, mode_of
from leaderboard.comparison import tables as compare_tables
from leaderboard.comparison import words as compare_words
from leaderboard.comparison.data import Contender, comparison_of, contenders, split_of
from leaderboard.comparison.numbers import FEWEST, MOST
from leaderboard.models import Snapshot
from leaderboard.scenarios.exports import as_csv
from submissions.models import Split, Submission
from submissions.permissions import can_see_results

Rows = Sequence[Mapping[str, Any]]


class Choice(NamedTuple):
    """One system to choose; ``is_own`` of the reader's team and not on the board."""

    key: str
    name: str
    team: str
    kind: Any
    is_chosen: bool
    is_own: bool = False


class Preset(NamedTuple):
    """A comparison that is one click away."""

    name: str
    query: str


def page(request: HttpRequest) -> HttpResponse:
    """The comparison that the address asks for, and the form to ask for another."""
    names = _names(request)
    split = _split(request, names)
    if split is None:
        return render(request, "compare/page.html", {"split": None})
    board = latest(split)
    context: dict[str, Any] = {
        "split": split,
        "mode": mode_of(split, board),
        "splits": Split.objects.visible_to(request.user),
        "snapshot": board,
        "most": MOST,
        "problem": _problem(names),
    }
    found = contenders(request.user, split, board, names[:MOST])
    if len(found) >= FEWEST:
        context |= _compared(split, board, found)
    context |= _picker(request, board.rows if board else [], split, [one.key for one in found])
    return render(request, "compare/page.html", context)


def export(request: HttpRequest, form: str) -> HttpResponse:
    """The same comparison as CSV (``?table=agreement`` for that one) or JSON."""
    names = _names(request)
    split = _split(request, names)
    if split is None or not FEWEST <= len(names) <= MOST:
        raise Http404
    board = latest(split)
    found = contenders(request.user, split, board, names)
    made = comparison_of(split, board, found)
    rows = {
        "differences": compare_tables.rows(found, made),
        "agreement": compare_tables.agreement_rows(found, made),
    }
    if form == "json":
        whole = {
            "schema": compare_tables.SCHEMA,
            "split": split.slug,
            "mode": mode_of(split, board),
            "signatures": {one.key: one.signature or None for one in found},
            **rows,
        }
        return JsonResponse(whole, json_dumps_params={"ensure_ascii": False})
    table = request.GET.get("table", "differences")
    if form != "csv" or table not in rows:
        raise Http404
    response = HttpResponse(as_csv(rows[table]), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{split.slug}-{table}.csv"'
    return response


def _names(request: HttpRequest) -> list[str]:
    """``?s=a&s=b`` and ``?s=a,b`` mean the same; one system named twice is named once."""
    texts = ",".join(request.GET.getlist("s")).split(",")
    return list(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _split(request: HttpRequest, names: Sequence[str]) -> Split | None:
    known = Split.objects.visible_to(request.user)
    if slug := request.GET.get("split", ""):
        return get_object_or_404(known, slug=slug)
    if names:
        meant = split_of(names)
        return get_object_or_404(known, pk=meant.pk if meant else None)
    return boards.home()


def _problem(names: Sequence[str]) -> str:
    if len(names) == 1:
        return _("Choose at least one more system.")
    if len(names) > MOST:
        return _("At most %(most)d systems can be compared; these are the first of them.") % {
            "most": MOST
        }
    return ""


def _compared(split: Split, board: Snapshot | None, found: list[Contender]) -> dict[str, Any]:
    made = comparison_of(split, board, found)
    pairs = list(zip(found[1:], made.pairs, strict=True))
    engines = sorted({name for one in found for name in one.unofficial})
    return {
        "contenders": found,
        "verdicts": compare_words.verdicts(found, made.pairs),
        "in_front": _in_front(split, found),
        "has_intervals": any(
            one.low is not None for pair in made.pairs for one in pair.differences.values()
        ),
        "has_scenarios": any(made.rates),
        "caveats": compare_words.caveats(found),
        "unofficial": tables.engine_words(engines),
        "lines": compare_tables.lines(found, made),
        "agreements": [
            (other, compare_tables.agreement(split, found[0], other, pair.agreement))
            for other, pair in pairs
            if pair.agreement
        ],
        "slopes": compare_tables.slopes(found, made),
        "is_private": not all(one.is_published for one in found),
        **_addresses(split, found),
    }


def _in_front(split: Split, found: Sequence[Contender]) -> list[tuple[Contender, str]]:
    """Each system with the query that compares all others with it; the first needs none."""
    return [
        (
            one,
            _query(split, [one, *(other for other in found if other is not one)]) if number else "",
        )
        for number, one in enumerate(found)
    ]


def _query(split: Split, found: Sequence[Contender]) -> str:
    return urlencode([("split", split.slug), *(("s", one.key) for one in found)])


def _addresses(split: Split, found: Sequence[Contender]) -> dict[str, Any]:
    query = _query(split, found)
    forms = (
        (form, f"{reverse('compare-export', args=[form])}?{query}") for form in ("csv", "json")
    )
    agreement = f"{reverse('compare-export', args=['csv'])}?{query}&table=agreement"
    return {"exports": dict(forms), "agreement_csv": agreement}


def _picker(
    request: HttpRequest, rows: Rows, split: Split, chosen: Sequence[str]
) -> dict[str, Any]:
    own = _own(request.user, split, {row["link"] for row in rows})
    choices = [
        Choice(row["link"], row["system"], row["team"], words.KINDS.get(row["kind"], ""),
               row["link"] in chosen)
        for row in rows
    ]  # fmt: skip
    choices += [
        Choice(str(one.pk), one.system.name, one.team.name, one.get_kind_display(),
               str(one.pk) in chosen, is_own=True)
        for one in own
    ]  # fmt: skip
    return {"choices": choices, "presets": list(_presets(request.user, rows, own, split))}


def _own(user: Any, split: Split, on_board: set[str]) -> list[Submission]:
    """Scored submissions of the reader's teams that are on no board, if they may see numbers."""
    if not user.is_authenticated:
        return []
    found = Submission.objects.filter(
        split=split, team__members=user, board_run__isnull=False, is_trial=False
    ).select_related("split", "team", "system")
    return [one for one in found if str(one.pk) not in on_board and can_see_results(user, one)]


def _presets(user: Any, rows: Rows, own: Sequence[Submission], split: Split) -> list[Preset]:
    baseline = [row["link"] for row in rows if row["kind"] == "baseline"][:1]
    ranked = [row["link"] for row in rows if row["rank"] is not None]
    mine = [str(one.pk) for one in own[:1]] or _mine(user, rows)
    opened = [row["link"] for row in rows if row.get("weights") == "open"]
    asked = (
        (_("Your system against the baseline"), [*baseline, *mine] if mine else []),
        (_("The first against the baseline"), list(dict.fromkeys([*baseline, *ranked[:1]]))),
        (_("The first five"), ranked[:5]),
        (_("All with open weights"), opened[:MOST]),
    )
    return [
        Preset(name, urlencode([("split", split.slug), *(("s", key) for key in keys)]))
        for name, keys in asked
        if len(keys) >= FEWEST
    ]


def _mine(user: Any, rows: Rows) -> list[str]:
    """The reader's first row on the board."""
    if not user.is_authenticated:
        return []
    teams = set(user.teams.values_list("name", flat=True))
    return [row["link"] for row in rows if row["origin"] == "scored" and row["team"] in teams][:1]
