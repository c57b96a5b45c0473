"""What the offline judge says of the demonstration against the known truth: confusion tables.

Run ``python -m tests.bench.confusion``. Two ways of knowing the words: the planned transcripts, as
an organiser would import them, and what the embedded transcribers hear.
"""

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from leaderboard.demo.unpack import unpack
from scoring.home import Engines, score_submission
from scoring.judge import LABELS
from scoring.manifest import LANGUAGES, Manifest
from tests.planned import SYSTEMS

Table = Counter[tuple[str, str, str]]


def tabulate(mini: Path, *, planned: bool) -> Table:
    """Count (language, truth, label) over the judged items of all systems."""
    manifest = Manifest.from_csv((mini / "manifest.csv").read_text(encoding="utf-8"))
    truth = json.loads((mini / "truth.json").read_text(encoding="utf-8"))
    tools = Engines().tools(imported=planned)
    table: Table = Counter()
    for system in SYSTEMS:
        folder = mini / "submissions" / system
        scored = score_submission(
            mini,
            manifest,
            folder / "HD-Track2.zip",
            tools=tools,
            mode="official",
            transcripts=folder / "transcripts" if planned else None,
        )
        for result in scored.items:
            known: Mapping[str, str] = truth[result.item.item]["systems"][system]
            if "label" in known:
                table[result.item.language, known["label"], result.label or "unjudged"] += 1
    return table


def lines(table: Table, language: str) -> list[str]:
    """Lay out one language's table: truth in rows, label in columns."""
    columns = [label for label in (*LABELS, "unjudged") if any(key[2] == label for key in table)]
    rows = sorted({truth for one, truth, _ in table if one == language})
    right = sum(table[language, truth, truth] for truth in rows)
    total = sum(count for key, count in table.items() if key[0] == language)
    head = f"{language}: {right} of {total} right"
    body = [
        f"  {truth:<12}" + "".join(f"{table[language, truth, label]:>8}" for label in columns)
        for truth in rows
    ]
    return [head, f"  {'truth':<12}" + "".join(f"{label[2:10]:>8}" for label in columns), *body]


def main() -> int:
    """Print both tables; no number of them is promised."""
    with TemporaryDirectory() as folder:
        mini = unpack(Path(folder) / "humdial-mini")
        for planned in (True, False):
            table = tabulate(mini, planned=planned)
            title = "planned transcripts" if planned else "embedded transcribers"
            sys.stdout.write(f"\nOffline judge, {title}\n")
            for language in LANGUAGES:
                sys.stdout.write("\n".join(lines(table, language)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
