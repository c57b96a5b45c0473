"""What travels with a board wherever it is shown: that it is made up, its engines, its sources.

Conventions: pages, embeds, cards, badges, exports and feeds ask here, so that no picture of a
demonstration goes without its warning, and no published number without its source. Exports are
English; everything else is in the reader's language.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from leaderboard.board.tables import engine_words
from leaderboard.models import Snapshot
from submissions.models import Split

Row = Mapping[str, Any]
PAPERS = Path(__file__).parent.parent / "content" / "publications.json"


@dataclass(frozen=True, slots=True)
class Publication:
    """Where rows were published: what is known of the paper, or the words of the source alone.

    Attributes:
        source: as the rows say it, with the table.
        url: of the source; empty where nobody gave one.
        published_on: ISO date, empty where nobody said.
        key, title, authors, arxiv: of a paper that is known here.
        challenge, challenge_url: whose results it tells.
    """

    source: str
    url: str
    published_on: str
    key: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    arxiv: str = ""
    challenge: str = ""
    challenge_url: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """What has to be known of a board's rows; small, so that pages keep it and not the rows.

    Attributes:
        engines: names of the unofficial engines behind them.
        publications: sources of the reported rows.
        has_scored: whether any row was scored here.
    """

    engines: tuple[str, ...]
    publications: tuple[Publication, ...]
    has_scored: bool


def about(snapshot: Snapshot) -> About:
    """Read it off the rows of a board."""
    return About(
        tuple(engines(snapshot.rows)),
        tuple(publications(snapshot)),
        any(row["origin"] == "scored" for row in snapshot.rows),
    )


def engines(rows: Iterable[Row]) -> list[str]:
    """Names of all engines behind rows that are not the official ones."""
    return sorted({name for row in rows for name in row["unofficial"]})


def warnings(split: Split, engines: Iterable[str] = ()) -> list[str]:
    """What a reader has to know before any number of a board, in sentences; mostly nothing."""
    found = []
    if split.is_demo:
        found.append(
            _(
                "A demonstration with made-up systems and synthetic speech; its numbers mean "
                "nothing outside of it."
            )
        )
    if names := engine_words(engines):
        found.append(_("Made with unofficial engines: %(names)s.") % {"names": names})
    return found


def stamp(snapshot: Snapshot) -> str:
    """The same in a few words, for pictures."""
    return stamp_of(snapshot.split, *snapshot.rows)


def stamp_of(split: Split, *rows: Row) -> str:
    """The same for some rows of a board."""
    marks = [_("made-up demonstration")] if split.is_demo else []
    marks += [_("unofficial engines")] if engines(rows) else []
    return " · ".join(marks)


def publications(snapshot: Snapshot) -> list[Publication]:
    """The sources of a board's reported rows, each once.

    Boards from before a row named its source ask the results themselves.
    """
    reported = [row for row in snapshot.rows if row["origin"] == "reported"]
    named = [_named(row.get("source"), row.get("source_url"), row.get("published_on"))
             for row in reported]  # fmt: skip
    if reported and not any(source for source, _url, _day in named):
        stored = snapshot.split.reported.values_list("source", "source_url", "published_on")
        named = [_named(*one) for one in stored]
    return [_publication(*one) for one in dict.fromkeys(named) if one[0]]


def _named(source: Any, url: Any, day: Any) -> tuple[str, str, str]:
    return str(source or ""), str(url or ""), str(day or "")


def _publication(source: str, url: str, day: str) -> Publication:
    known = _papers().get(url, {})
    authors = tuple(known.get("authors", ()))
    return Publication(source, url, day, **{**known, "authors": authors})


@cache
def _papers() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(PAPERS.read_text(encoding="utf-8"))
    return known
