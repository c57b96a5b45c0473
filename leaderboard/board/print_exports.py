"""A view of a board for papers: a LaTeX table (booktabs) and its BibTeX entries.

Conventions: pure texts; whatever a team typed is escaped. Columns and order are those of the page.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from django.utils.translation import override

from leaderboard.board import provenance
from leaderboard.board.cells import ends
from leaderboard.board.columns import Head
from leaderboard.board.exports import Against, Row, against, cells, columns, rows_of
from leaderboard.board.provenance import About, Publication
from leaderboard.board.rules import of_board
from leaderboard.board.viewstate import ViewState
from leaderboard.models import Snapshot
from leaderboard.show.numbers import signed

MISSING = "--"
PARTS = ("interruption", "rejection", "delay score")
VALUES = "beside a number its 95 % interval; bold: best, or not to be told from the best"
ABOUT = "in brackets the paired 95 % interval; bold: it leaves 0 out"
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{one: f"\\{one}" for one in "&%$#_{}"},
}
_PATTERN = re.compile("|".join(map(re.escape, _SPECIAL)))
_TITLES = {
    "interruption": r"Int.\ (\%)",
    "rejection": r"Rej.\ (\%)",
    "delay": "Delay (s)",
    "delay_score": "Delay score",
    "architecture": "Architecture",
    "weights": "Weights",
    "received": "Received",
    "stability": "Keeps its place",
    "total": "Total",
}


def as_latex(snapshot: Snapshot, state: ViewState, *, address: str, site: str) -> str:
    """Return a table that compiles with the package booktabs."""
    heads, base = columns(state), against(snapshot, state)
    lines = [
        f"% {_comment(site)}, board {snapshot.pk}, {snapshot.created:%Y-%m-%d}, {snapshot.mode}",
        f"% {_comment(address)}",
        *(f"% {_comment(one)}" for one in _warnings(snapshot, provenance.about(snapshot))),
        *(
            f"% results as published: {_comment(f'{one.source} {one.url} {one.published_on}')}"
            for one in provenance.publications(snapshot)
        ),
        *(f"% {_comment(signature)}" for signature in snapshot.signatures),
        f"% {_formula(snapshot)}",
        f"% {VALUES}",
        "% needs \\usepackage{booktabs}",
        *([f"% differences to {_comment(base.row['system'])}; {ABOUT}"] if base.row else []),
        rf"\begin{{tabular}}{{rl{''.join('l' if head.is_text else 'r' for head in heads)}}}",
        r"\toprule",
        " & ".join(["Rank", "System", *map(_title, heads)]) + r" \\",
        r"\midrule",
        *(_line(row, state, base) for row in rows_of(snapshot, state)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def as_bibtex(snapshot: Snapshot, about: About | None = None, *, address: str, site: str) -> str:
    """Return the entry that cites a frozen board, and one for each paper that its rows are of."""
    about = about or provenance.about(snapshot)
    board = _board_entry(snapshot, about, address=address, site=site)
    return "\n".join([board, *map(_paper, about.publications)])


def _board_entry(snapshot: Snapshot, about: About, *, address: str, site: str) -> str:
    papers, is_scored = about.publications, about.has_scored
    title = f"{{{escaped(site)}: {escaped(snapshot.split.name)}, board {snapshot.pk}}}"
    frozen = f"Board frozen {snapshot.created:%Y-%m-%d %H:%M} UTC"
    made = f"mode {snapshot.mode}, signature {escaped('; '.join(snapshot.signatures))}"
    notes = [
        _results(papers) if papers else "",
        *map(escaped, _warnings(snapshot, about)),
        f"{frozen}, {made}" if is_scored else frozen,
    ]
    fields = {
        "title": title,
        # Other people's results have authors of their own; the site only made the board.
        "author" if is_scored else "key": f"{{{escaped(site)}}}",
        **_dates(snapshot, papers, is_scored=is_scored),
        "howpublished": rf"\url{{{address}}}",
        "note": ". ".join(filter(None, notes)),
    }
    return _entry(f"{snapshot.split.slug}-board-{snapshot.pk}", fields)


def _dates(snapshot: Snapshot, papers: Sequence[Publication], *, is_scored: bool) -> dict[str, str]:
    """The day of the results: of the board where it scored any, else of their publication."""
    if is_scored or not papers:
        return {"year": f"{snapshot.created:%Y}", "month": f"{snapshot.created:%m}"}
    day = max(one.published_on for one in papers)
    return {"year": day[:4], "month": day[5:7]} if day else {}


def _results(papers: Sequence[Publication]) -> str:
    told = [
        f"{escaped(one.source)}{f' ({one.published_on})' if one.published_on else ''}"
        for one in papers
    ]
    return f"Results as published: {'; '.join(told)}"


def _warnings(snapshot: Snapshot, about: About) -> list[str]:
    with override("en"):
        found = provenance.warnings(snapshot.split, about.engines)
    return [one.rstrip(".") for one in found]


def _paper(one: Publication) -> str:
    """The entry of a paper that is known, or of a source of which only its words are."""
    fields = {
        "title": f"{{{escaped(one.title or one.source)}}}",
        "author": escaped(" and ".join(one.authors)),
        "year": one.published_on[:4],
        "eprint": one.arxiv,
        "archiveprefix": "arXiv" if one.arxiv else "",
        "url": one.url,
    }
    return _entry(one.key or f"source-{_name(one.source)}", fields)


def _entry(key: str, fields: Mapping[str, str]) -> str:
    body = ",\n".join(f"  {name} = {{{text}}}" for name, text in fields.items() if text)
    return f"@misc{{{key},\n{body}\n}}\n"


def _name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40]


def escaped(text: str) -> str:
    """Return the text so that LaTeX prints it as it is."""
    plain = " ".join(text.split())
    return _PATTERN.sub(lambda found: _SPECIAL[found[0]], plain)


def _comment(text: str) -> str:
    """Keep it in one line: what follows a line break would be no comment."""
    return " ".join(text.split())


def _formula(snapshot: Snapshot) -> str:
    """What the total is made of on this board."""
    parts = zip(of_board(snapshot).weights, PARTS, strict=True)
    return "total = " + " + ".join(f"{weight} {part}" for weight, part in parts)


def _title(head: Head) -> str:
    title = _TITLES[head.group]
    return f"{title} {head.language.upper()}" if head.language else title


def _line(row: Row, state: ViewState, base: Against) -> str:
    rank = MISSING if row["rank"] is None else str(row["rank"])
    is_difference = base.row is not None and base.row is not row
    texts = _differences(row, state, base) if is_difference else _texts(row, state)
    return " & ".join([rank, escaped(row["system"]), *texts]) + r" \\"


def _texts(row: Row, state: ViewState) -> Iterable[str]:
    for head, (text, interval) in zip(columns(state), cells(row, state), strict=True):
        shown = escaped(text) or MISSING
        if head.name in row.get("best", ()):
            shown = rf"\textbf{{{shown}}}"
        yield f"{shown} {_interval(interval)}" if interval else shown


def _interval(text: str) -> str:
    if text.startswith("±"):
        return rf"$\pm$ {text.removeprefix('±')}"
    low, high = text.split("–")
    return f"[{low}, {high}]"


def _differences(row: Row, state: ViewState, base: Against) -> Iterable[str]:
    for head, (text, _interval_text) in zip(columns(state), cells(row, state), strict=True):
        difference, gap = base.plain(row, head), base.gap(row, head.name)
        if not difference:
            yield (escaped(text) or MISSING) if head.is_text else MISSING
            continue
        shown = f"${_minus(signed(Decimal(difference)))}$"
        if gap is None:
            yield shown
            continue
        if gap.is_separable:
            shown = rf"\textbf{{\boldmath{shown}}}"
        yield f"{shown} $[{', '.join(map(_minus, ends(gap, head)))}]$"


def _minus(text: str) -> str:
    """In mathematics LaTeX makes the true minus itself."""
    return text.replace("−", "-")
