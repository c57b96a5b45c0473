"""Exports of a view: same rows, columns and order as on the page, every number with its marks."""

import csv
import io
import json
import re

import pytest

from leaderboard.board import exports, print_exports
from leaderboard.board.viewstate import ViewState
from leaderboard.models import Snapshot
from leaderboard.snapshots import freeze
from scoring.rounding import half_up
from submissions.models import Split
from tests.leaderboard import boards
from tests.leaderboard.reader import url
from tests.leaderboard.stage import SIGNATURE

pytestmark = pytest.mark.django_db
DEFAULT = ViewState()


@pytest.fixture
def published(humdial):
    return Snapshot.objects.get()


@pytest.fixture
def drawn(db):
    """A board with intervals."""
    split = Split.objects.create(slug="wide", name="Wide & high", ranking_mode="strict")
    boards.enter(split, "Parrot", quality=0.9, seed=1)
    boards.enter(split, "50%_Mole", quality=0.5, seed=2)
    return freeze(split, "two entries")


def lines(snapshot, state=DEFAULT):
    return list(csv.DictReader(io.StringIO(exports.as_csv(snapshot, state))))


def test_csv_has_the_numbers_of_the_snapshot_and_its_marks(published):
    found = lines(published)
    assert len(found) == 13
    badcat = found[1]
    assert (badcat["delay_score"], badcat["published_delay_score"]) == ("72.5", "72.6")
    assert (badcat["board"], badcat["split"]) == (str(published.pk), "humdial")
    assert found[3]["rank"] == ""


def test_csv_has_the_columns_of_the_view_in_its_order(published):
    state = ViewState(cols=("delay", "architecture"), lang="both")
    names = list(lines(published, state)[0])
    shown = [name for name in names if not name.endswith(("_low", "_high"))]
    start = shown.index("origin") + 1
    assert shown[start : start + 5] == ["total", "delay_cn", "delay_en", "delay", "architecture"]
    assert "interruption" not in names


def test_csv_has_the_rows_of_the_view_in_its_order(published):
    state = ViewState(kind=("closed", "open"), sort="delay")
    assert [one["system"] for one in lines(published, state)] == [
        "Gemini-2.5",
        "Freeze-Omni",
        "Moshi",
    ]
    assert [one["rank"] for one in lines(published, state)] == ["", "", ""]


def test_what_is_missing_by_language_is_empty_and_not_zero(published):
    found = lines(published, ViewState(lang="cn"))
    assert (found[3]["interruption_cn"], found[0]["interruption_cn"]) == ("", "81.8")


def test_csv_has_both_ends_of_every_interval_and_the_signature(drawn):
    parrot = lines(drawn)[0]
    assert float(parrot["total_low"]) < float(parrot["total"]) < float(parrot["total_high"])
    assert len(parrot["delay_low"].partition(".")[2]) == 3
    assert (parrot["rank_low"], parrot["rank_high"], parrot["tie_group"]) == ("1", "1", "1")
    assert parrot["signature"] == SIGNATURE.replace("mode:both", "mode:strict")


def test_csv_never_lets_a_name_run_as_a_formula(published):
    published.rows[0]["team"] = "=1+1"
    assert lines(published)[0]["team"] == "'=1+1"


def test_json_says_null_for_what_is_missing_and_names_the_unofficial(published):
    published.rows[0] |= {"total": "", "unofficial": ["offline"]}
    found = exports.as_json(published)
    assert found["rows"][0]["total"] is None
    assert found["unofficial"] == ["offline"]
    assert (found["l_min"], found["l_min_holder"]) == ("0.624", "HelloWorld")
    assert (found["draws"], found["seed"]) == (None, None)


def test_json_says_which_view_it_is_and_has_its_rows_only(drawn):
    found = exports.as_json(drawn, ViewState(q="parrot", cols=("delay",)))
    assert found["view"] == "cols=delay&q=parrot"
    assert found["columns"] == ["total", "delay"]
    assert [row["system"] for row in found["rows"]] == ["Parrot"]
    assert found["draws"] == 1000


def test_latex_has_booktabs_rules_escaped_names_and_intervals(drawn):
    text = print_exports.as_latex(drawn, DEFAULT, address="https://x/en/board/1/", site="A_B")
    assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")
    assert r"50\%\_Mole & " in text
    first = drawn.rows[0]
    ends = ", ".join(str(half_up(end, 3)) for end in first["intervals"]["delay"])
    assert f"{{{first['delay']}}} [{ends}] & " in text
    assert re.search(r" \$\\pm\$ \d+\.\d ", text)
    assert "% total = 0.4 interruption + 0.4 rejection + 0.2 delay score" in text
    assert r"\textbf{" in text
    assert text.count(r"\\") == 3
    assert f"% {SIGNATURE.replace('mode:both', 'mode:strict')}" in text


def test_latex_says_a_dash_for_what_is_missing(published):
    text = print_exports.as_latex(published, ViewState(lang="cn"), address="a", site="s")
    moshi = next(line for line in text.splitlines() if "Moshi" in line)
    assert moshi.startswith("-- & Moshi & 34.5 & -- & 35.4")


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("a\\input{x}", r"a\textbackslash{}input\{x\}"),
        ("$#~^&", r"\$\#\textasciitilde{}\textasciicircum{}\&"),
        ("a\nb", "a b"),
        ("小猫", "小猫"),
    ],
)
def test_latex_prints_what_was_typed(typed, printed):
    assert print_exports.escaped(typed) == printed


def test_bibtex_cites_the_frozen_board_by_number_date_address_and_signature(drawn):
    text = print_exports.as_bibtex(drawn, address="https://x/en/board/7/", site="Site")
    assert text.startswith(f"@misc{{wide-board-{drawn.pk},")
    assert r"Wide \& high, board" in text
    assert r"\url{https://x/en/board/7/}" in text
    assert "judge:offline" in text
    assert text.count("{") == text.count("}")


# Over the wire


@pytest.mark.parametrize(
    ("form", "kind"),
    [
        ("csv", "text/csv"),
        ("json", "application/json"),
        ("tex", "application/x-tex"),
        ("bib", "application/x-bibtex"),
    ],
)
def test_every_form_can_be_fetched_for_a_board_and_for_the_current_one(
    client, published, form, kind
):
    for address in (url("board-export", published.pk, form), url("split-export", "humdial", form)):
        response = client.get(f"{address}?kind=open&nonsense=1")
        assert response.status_code == 200
        assert response["Content-Type"].startswith(kind)


def test_the_exports_of_a_page_are_those_of_its_view(client, published):
    address = url("board-export", published.pk, "json")
    page = client.get(f"{url('board', published.pk)}?kind=open&sort=delay").content.decode()
    assert f'href="{address}?kind=open&amp;sort=delay"' in page
    found = json.loads(client.get(f"{address}?kind=open&sort=delay").content)
    assert [row["system"] for row in found["rows"]] == ["Freeze-Omni", "Moshi"]


def test_exports_are_the_same_whatever_the_language(client, published):
    english = client.get(f"/en/board/{published.pk}.csv").content
    assert client.get(f"/zh/board/{published.pk}.csv").content == english
