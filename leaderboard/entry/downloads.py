"""All item results of one run as files: CSV and JSON rows, and the report of ``score --json``.

Conventions: keys are those of a score report (``scoring/README.md``); what is absent is ``null``,
in CSV empty. Files are made piece by piece while the rows come. What judging cost is never inside.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from leaderboard.board.exports import FORMULA
from scoring.humdial.diagnostics import WORDS as DIAGNOSTICS
from scoring.report import SCHEMA as REPORT
from scoring.report import readable
from submissions.models import Run
from submissions.services import correct

ITEMS = "item-results/1"
PLAIN = (
    "item", "language", "scenario", "part", "received", "counted", "label", "success", "silent",
    "unjudged", "first_response_delay", "difference", "first_response_by_voice",
)  # fmt: skip
INTERVALS = ("stop", "response", "response_after_event")
ABOUT = ("submission", "split", "mode", "signature")
CORRECTION = {"judge_label": "judge_label", "correction_reason": "reason"}
TEXTS = ("item", "label", "unjudged", "reasons", *CORRECTION)

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """A finished run in one mode, and where its item results come from."""

    run: Run
    mode: str

    @property
    def signature(self) -> str:
        """As in a report made at home: with the one mode that the numbers are of."""
        return self.run.signature_of(self.mode)

    @property
    def about(self) -> dict[str, str]:
        """What every file says of itself."""
        submission = self.run.submission
        values = (str(submission.pk), submission.split.slug, self.mode, self.signature)
        return dict(zip(ABOUT, values, strict=True))

    def items(self) -> Iterator[Item]:
        """Results in the order of the split, a few hundred in memory at a time."""
        rows = self.run.items.order_by("item__position").values_list(self.mode, flat=True)
        return (readable(row) for row in rows.iterator(chunk_size=500) if row is not None)


def as_csv(source: Source) -> Iterator[str]:
    """Yield one line per item; intervals as ``start-end``, one column per diagnostic."""
    columns = [*PLAIN, *INTERVALS, *DIAGNOSTICS, "reasons", *ABOUT, *CORRECTION]
    writer = csv.DictWriter(_Echo(), columns, lineterminator="\r\n")
    about = source.about
    yield writer.writerow(dict(zip(columns, columns, strict=True)))
    for item in source.items():
        yield writer.writerow(_line(item) | about)


def as_json(source: Source) -> Iterator[str]:
    """Yield the item results with what they were made with."""
    return _object({"schema": ITEMS, **source.about}, source.items(), {})


def as_report(source: Source) -> Iterator[str]:
    """Yield the report that ``python -m scoring score --json`` writes, without its usage."""
    own = (source.run.results or {})[source.mode]
    head = {
        "schema": REPORT,
        "signature": source.signature,
        "unofficial": source.run.unofficial,
        "mode": source.mode,
    }
    names = ("scenarios", "totals", "diagnostics", "warnings")
    tail = {name: readable(own[name]) for name in names if name in own}
    return _object(head, source.items(), tail)


def as_corrections(run: Run) -> str:
    """The corrections that a run took, as ``python -m scoring score --corrections`` takes them."""
    return correct.of(run).to_csv()


class _Echo:
    """A file that hands back what is written."""

    def write(self, text: str) -> str:
        return text


def _line(item: Item) -> dict[str, str]:
    found, correction = item["diagnostics"], item.get("correction") or {}
    values = {
        # Runs from before a value was stored lack it.
        **{name: _text(item.get(name)) for name in PLAIN},
        **{name: _segments(item[name]) for name in INTERVALS},
        **{name: _text(found.get(name)) for name in DIAGNOSTICS},
        "reasons": " ".join(item["reasons"]),
        **{name: _text(correction.get(key)) for name, key in CORRECTION.items()},
    }
    return values | {name: _harmless(values[name]) for name in TEXTS}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _segments(pairs: Iterable[Iterable[float]] | None) -> str:
    return " ".join("-".join(map(str, pair)) for pair in pairs or ())


def _harmless(text: str) -> str:
    """A spreadsheet would run a cell that begins like a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _object(
    head: Mapping[str, Any], items: Iterable[Item], tail: Mapping[str, Any]
) -> Iterator[str]:
    """One JSON object whose ``items`` are written one by one, in their place."""
    yield "{" + "".join(f"{_json(name)}: {_json(value)},\n" for name, value in head.items())
    yield '"items": ['
    between = "\n"
    for item in items:
        yield between + _json(item)
        between = ",\n"
    yield "\n]"
    yield "".join(f",\n{_json(name)}: {_json(value)}" for name, value in tail.items()) + "}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
