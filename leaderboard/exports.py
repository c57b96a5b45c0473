"""A board as CSV and JSON: the snapshot's own numbers, with everything that marks them.

Conventions: keys and headings are stable and English whatever the page's language; what is
missing is empty in CSV and ``null`` in JSON.
"""

import csv
import io
from typing import Any

from leaderboard.models import Snapshot

SCHEMA = "board/1"
COLUMNS = (
    "rank", "team", "system", "kind", "origin",
    "interruption_cn", "interruption_en", "interruption",
    "rejection_cn", "rejection_en", "rejection",
    "delay", "delay_score", "total",
    "published_delay_score", "published_total", "published_rank",
    "beyond_reference", "unofficial", "notes", "signature", "board", "split", "mode",
)  # fmt: skip
# A spreadsheet would run a cell that begins like this as a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_json(snapshot: Snapshot) -> dict[str, Any]:
    """Return a board with its constants and signatures."""
    return {
        "schema": SCHEMA,
        "board": snapshot.pk,
        "split": snapshot.split.slug,
        "created": snapshot.created.isoformat(timespec="seconds"),
        "cause": snapshot.cause,
        "mode": snapshot.mode,
        "l_min": snapshot.l_min or None,
        "l_min_holder": snapshot.l_min_holder or None,
        "l_base": snapshot.l_base or None,
        "reference": snapshot.reference_name or None,
        "signatures": snapshot.signatures,
        "unofficial": unofficial(snapshot),
        "rows": [_absent(row) for row in snapshot.rows],
    }


def as_csv(snapshot: Snapshot) -> str:
    """Return a board as a table, one line per entry."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(_line(snapshot, row) for row in snapshot.rows)
    return out.getvalue()


def unofficial(snapshot: Snapshot) -> list[str]:
    """Names of all engines behind a board that are not the official ones."""
    return sorted({name for row in snapshot.rows for name in row["unofficial"]})


def _line(snapshot: Snapshot, row: dict[str, Any]) -> dict[str, str]:
    published = row["published"] or {}
    values = {
        **{name: row[name] for name in COLUMNS if name in row},
        **{
            f"{group}_{language}": row["languages"].get(language, {}).get(group, "")
            for group in ("interruption", "rejection")
            for language in ("cn", "en")
        },
        **{f"published_{key}": value for key, value in published.items()},
        "rank": "" if row["rank"] is None else row["rank"],
        "beyond_reference": "yes" if row["beyond_reference"] else "",
        "unofficial": " ".join(row["unofficial"]),
        "notes": " ".join(row["notes"]),
        "board": snapshot.pk,
        "split": snapshot.split.slug,
        "mode": snapshot.mode,
    }
    return {name: _harmless(name, values.get(name, "")) for name in COLUMNS}


def _harmless(name: str, value: Any) -> str:
    text = str(value)
    is_word = name in ("team", "system", "notes")
    return f"'{text}" if is_word and text.startswith(FORMULA) else text


def _absent(row: dict[str, Any]) -> dict[str, Any]:
    """Empty texts stand for what is missing; JSON has a word for that."""
    kept_as_text = {"system", "note", "link", "architecture", "signature"}
    return {
        key: None if value == "" and key not in kept_as_text else value
        for key, value in row.items()
    }
