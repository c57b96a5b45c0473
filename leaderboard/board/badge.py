"""A small picture of one entry's place, for README files and papers' pages elsewhere.

Conventions: server-made SVG without fonts of its own, so widths are estimated; English, because it
stands on pages that are not ours.
"""

import unicodedata
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

HEIGHT, PADDING = 20, 8
NARROW, WIDE = 6.6, 11.5
# A badge stands on foreign pages, so it brings its own two colours (text on both above 4.5:1).
DARK, BLUE, PAPER = "#40474f", "#005a9c", "#ffffff"


def words(row: Mapping[str, Any], board: int, split: str = "", warning: str = "") -> str:
    """What a badge says of a row: split, place or why there is none, total, and any warning."""
    rank = "" if row["rank"] is None else f"rank {row['rank']}"
    low, high = row.get("rank_low"), row.get("rank_high")
    if rank and low is not None and low != high:
        rank = f"{rank} ({low}–{high})"
    total = f"total {row['total']}" if row["total"] else "no total"
    parts = [warning, split, rank or row["kind"], total, f"board {board}"]
    return " · ".join(filter(None, parts))


def svg(label: str, text: str) -> str:
    """Return the picture: the site's name, and what it says of the entry."""
    left, right = _width(label), _width(text)
    title = escape(f"{label}: {text}", {'"': "&quot;"})
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{HEIGHT}" '
        f'role="img" aria-label="{title}"><title>{title}</title>'
        f'<rect width="{left + right}" height="{HEIGHT}" rx="3" fill="{DARK}"/>'
        f'<path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right - 3}z" '
        f'fill="{BLUE}"/>'
        f'<g fill="{PAPER}" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" '
        f'text-anchor="middle">{_text(label, left / 2)}{_text(text, left + right / 2)}</g></svg>'
    )


def _text(text: str, middle: float) -> str:
    return f'<text x="{middle:.1f}" y="14">{escape(text)}</text>'


def _width(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    return round(wide * WIDE + (len(text) - wide) * NARROW) + 2 * PADDING
