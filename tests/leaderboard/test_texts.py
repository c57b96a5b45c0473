"""Text pages: equal in both languages, and every number from the code that uses it."""

import re
from decimal import Decimal

import pytest

from leaderboard.snapshots import freeze
from leaderboard.texts import methodology
from leaderboard.texts.decisions import decisions
from leaderboard.texts.prose import PAGES, markdown, prose
from leaderboard.texts.worked import steps
from leaderboard.views.texts import CHANGES, values
from scoring import ranking
from submissions.contact import href
from submissions.models import Split
from tests.leaderboard import boards
from tests.leaderboard.reader import text_of
from tests.submissions.split_of import small_split

NAMES = sorted({path.name.split(".")[0] for path in PAGES.glob("*.md")})
BASELINE = {
    "languages": {
        "cn": {"interruption": "90.8", "rejection": "36.8"},
        "en": {"interruption": "61.0", "rejection": "33.6"},
    },
    "delay": "2.531",
}


def test_the_published_baseline_is_worked_out_to_its_published_total():
    made = steps(BASELINE, Decimal("0.624"), Decimal("2.531"))
    assert [(step.name, step.rounded) for step in made] == [
        ("interruption", "75.9"),
        ("rejection", "35.2"),
        ("delay_score", "60.0"),
        ("total", "56.4"),
    ]
    assert made[3].exact == "56.44"
    assert made[3].formula == "0.4 · 75.9 + 0.4 · 35.2 + 0.2 · 60.0"


def test_the_worked_mean_of_both_languages_is_rounded_half_up():
    row = BASELINE | {
        "languages": {
            "cn": {"interruption": "81.8", "rejection": "41.0"},
            "en": {"interruption": "73.0", "rejection": "36.1"},
        }
    }
    rejection = steps(row, Decimal("0.624"), Decimal("2.531"))[1]
    assert (rejection.exact, rejection.rounded) == ("38.55", "38.6")


@pytest.mark.parametrize("name", NAMES)
def test_a_text_has_the_same_sections_in_both_languages(name):
    english, chinese = ((PAGES / f"{name}.{code}.md").read_text("utf-8") for code in ("en", "zh"))
    for pattern in (r"(?m)^## ", r"(?m)^- ", r"(?m)^\|", r"\]\([^)]*\)"):
        assert len(re.findall(pattern, english)) == len(re.findall(pattern, chinese)), pattern
    holes = [sorted(re.findall(r"{{ (\w+)", text)) for text in (english, chinese)]
    assert holes[0] == holes[1]


def test_changes_are_told_in_both_languages_one_by_one():
    english, chinese = (path.read_text("utf-8") for path in CHANGES.values())
    for pattern in (r"(?m)^## ", r"(?m)^- "):
        assert len(re.findall(pattern, english)) == len(re.findall(pattern, chinese))


@pytest.mark.parametrize("name", NAMES)
def test_a_text_leaves_no_hole_unfilled(name):
    source = (PAGES / f"{name}.en.md").read_text("utf-8")
    assert set(re.findall(r"{{ (\w+)", source)) <= values().keys()


def test_constants_of_the_scorer_are_never_written_by_hand_in_a_text():
    written = {str(ranking.HUMDIAL_2025_12.l_min), str(ranking.HUMDIAL_2025_12.l_base)}
    for path in PAGES.glob("*.md"):
        numbers = set(re.findall(r"\d+\.\d+", path.read_text("utf-8")))
        assert numbers.isdisjoint(written), path.name


def test_html_in_a_text_stays_text():
    assert "&lt;script&gt;" in markdown("# T\n\n<script>alert(1)</script>").html


def test_headings_of_a_text_can_be_linked_to():
    page = prose("faq", "en", {})
    assert page.headings[0] == ("s1", "Why does an entry have no rank?")
    assert '<h2 id="s1">' in page.html


def test_every_decision_stands_in_both_languages_in_order():
    numbers = [*map(str, range(1, 27)), "26a", "26b", *map(str, range(27, 42))]
    assert [one.number for one in decisions("en")] == numbers
    assert [one.number for one in decisions("zh")] == numbers
    frozen = {one.number: one for one in decisions("en")}["37"]
    assert "0.624 s and 2.531 s" in frozen.official


def test_the_strict_instruction_shows_what_it_adds():
    first, second = methodology.prompts()
    assert first.changes == ()
    assert any(line.startswith("+") and "C_RESUME" in line for line in second.changes)


@pytest.mark.django_db
@pytest.mark.parametrize("prefix", ["en", "zh"])
@pytest.mark.parametrize(
    "page", ["methodology", "rules", "faq", "how-to-submit", "data", "api", "changelog"]
)
def test_every_text_page_opens_with_one_heading(client, humdial, page, prefix):
    response = client.get(f"/{prefix}/{page}/")
    assert response.status_code == 200
    assert response.content.decode().count("<h1") == 1


@pytest.mark.django_db
def test_methodology_works_out_the_first_row_of_the_live_board(client, humdial):
    text = text_of(client.get("/en/methodology/"))
    assert "(74.5 + 69.8) / 2 72.15 72.2" in text
    assert "0.4 · 79.3 + 0.4 · 72.2 + 0.2 · 79.9 76.58 76.6" in text


@pytest.mark.django_db
def test_questions_state_the_frozen_constants(client):
    text = text_of(client.get("/en/faq/"))
    assert "L_min = 0.624 s (HelloWorld), has 100 points" in text
    assert "L_base = 2.531 s, has 60" in text


@pytest.mark.django_db
def test_the_feed_tells_each_board_with_its_cause(client, humdial):
    response = client.get("/en/boards.atom")
    assert response["Content-Type"].startswith("application/atom+xml")
    assert "HumDial 2026, board" in response.content.decode()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_mark_of_markdown_is_left_in_a_text(name, language):
    html = re.sub(r"<(pre|code)\b.*?</\1>", "", prose(name, language, values()).html, flags=re.S)
    assert not re.search(r"\*\*|\]\(|^#", html, flags=re.M)


@pytest.mark.django_db
def test_a_language_is_worked_out_from_its_scenarios_as_the_scorer_does(client):
    split = Split.objects.create(slug="wide", name="Wide")
    submission = boards.enter(split, "Parrot", quality=0.8, seed=1)
    boards.enter(split, "Base", quality=0.5, seed=2, kind="baseline")
    snapshot = freeze(split, "two entries")
    totals = submission.runs.get().results["official"]["totals"]["languages"][0]
    found = methodology.staged(snapshot)
    assert (found.team, found.language, totals["language"]) == ("Parrot", "cn", "cn")
    rounded = [step.rounded for step in found.steps[1:]]
    names = ("interruption", "rejection", "stop", "response", "first_response", "delay")
    assert rounded == [totals[name] for name in names]
    assert found.steps[0].formula.endswith(" / 20")
    page = text_of(client.get("/en/methodology/"))
    assert "The stages before: Parrot in Chinese" in page
    assert found.steps[1].formula in page


@pytest.mark.django_db
def test_a_strict_board_is_no_example_of_official_rounding(db):
    split = Split.objects.create(slug="wide", name="Wide", ranking_mode="strict")
    boards.enter(split, "Parrot", quality=0.8, seed=1)
    assert methodology.staged(freeze(split, "one")) is None


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_silent_answers_are_said_to_do_what_the_numbers_do(client, language, settings):
    """They leave the denominator of timing only; a judged one is a failure in both modes."""
    code = "en" if language == "en" else "zh"
    card = prose("metrics", code, values()).html.split("<h2")[1]
    silence = card.split("Silence:" if code == "en" else "静音")[1].split("</li>")[0]
    assert "UNKNOWN" in silence
    assert ("leaves the denominator" if code == "en" else "不进分母") not in silence


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["faq", "rules", "methodology"])
def test_without_a_contact_nobody_is_told_to_write(client, page):
    text = text_of(client.get(f"/en/{page}/"))
    assert not re.search(r"(send|write) [^.]*to the organisers", text)


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["faq", "rules", "methodology"])
def test_the_contacts_of_site_and_splits_stand_where_readers_are_told_to_write(
    client, page, settings
):
    settings.CONTACT = "board@example.org"
    small_split("s", "Night [shift]", contact="https://example.org/ask")
    small_split("d", "Draft", contact="draft@example.org", is_draft=True)
    html = client.get(f"/en/{page}/").content.decode()
    assert '<a href="mailto:board@example.org">board@example.org</a>' in html
    assert '<a href="https://example.org/ask">https://example.org/ask</a>' in html
    assert "Night [shift]" in html
    assert "draft@example.org" not in html


@pytest.mark.parametrize("contact", ["javascript:alert(1)", "<b>room 5</b>", "a@b/c d"])
def test_a_contact_that_is_no_address_leads_nowhere(contact):
    assert href(contact) == ""
