"""``python -m scoring rank``: a table of results, its rules and its exit codes."""

import csv
import json
import subprocess
import sys

from tests.golden import golden
from tests.scoring.test_ranking import as_entry


def scoring(*arguments):
    command = [sys.executable, "-m", "scoring", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def table(tmp_path, rows):
    path = tmp_path / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["team", "kind", "interruption", "rejection", "delay"])
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_rank_reproduces_the_published_table(tmp_path):
    rows = golden("humdial_published_table")["rows"]
    done = scoring("rank", table(tmp_path, map(as_entry, rows)), "--json")
    assert done.returncode == 0, done.stderr
    ranked = {row["team"]: row for row in json.loads(done.stdout)["rows"]}
    for row in rows:
        assert ranked[row["team"]]["total"] == float(row["published"]["final"])
        rank = row["published"]["rank"]
        assert ranked[row["team"]]["rank"] == (None if rank is None else int(rank))


def test_rank_takes_mode_weights_and_an_unranked_baseline(tmp_path):
    rows = map(as_entry, golden("humdial_published_table")["rows"])
    rules = ("--mode", "strict", "--weights", "0.6", "0.2", "0.2", "--unranked-baseline")
    report = json.loads(scoring("rank", table(tmp_path, rows), *rules, "--json").stdout)
    assert (report["mode"], report["rank_baseline"]) == ("strict", False)
    assert report["weights"] == ["0.6", "0.2", "0.2"]
    ranks = {row["team"]: row["rank"] for row in report["rows"] if row["kind"] == "participant"}
    assert sorted(ranks.values()) == list(range(1, 9))
    assert ranks["Badcat"] == 1
    assert [row["rank"] for row in report["rows"] if row["kind"] == "baseline"] == [None]


def test_rank_refuses_weights_that_do_not_sum_to_one(tmp_path):
    done = scoring("rank", table(tmp_path, []), "--weights", "0.5", "0.5", "0.5")
    assert (done.returncode, done.stdout) == (2, "")
    assert "0.5, 0.5, 0.5 give no total" in done.stderr


def test_rank_says_in_one_line_what_is_wrong(tmp_path):
    done = scoring("rank", table(tmp_path, [{"team": "a", "kind": "guest"}]))
    assert done.returncode == 2
    assert "guest" in done.stderr
    assert "Traceback" not in done.stderr
