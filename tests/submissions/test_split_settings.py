"""Settings, reported results and annotations that cannot be are refused alike at every door (A21).

The doors: ``full_clean`` of the models, the organisers' form, commands and the importing workers.
"""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.forms.models import model_to_dict
from django.urls import reverse
from django.utils import timezone

from scoring.dialogue import Annotation
from scoring.errors import AnnotationError
from submissions import validation
from submissions.models import ReportedResult, Split, SplitImport
from submissions.services import import_split as importing
from submissions.services.import_split import SettingsRefused, import_split
from tests.leaderboard import stage
from tests.leaderboard.reader import text_of
from tests.planned import manifest_of
from tests.submissions.split_of import small_split

NOW = timezone.now()
DAY = timedelta(days=1)
AHEAD = {"publication": "reveal", "reveal": NOW + DAY}
BAD = {
    "closes-before-opens": ("closes", {"opens": NOW + 2 * DAY, "closes": NOW + DAY}),
    "reveal-missing": ("reveal", {"publication": "reveal", "reveal": None}),
    "reveal-past": ("reveal", {"publication": "reveal", "reveal": NOW - DAY}),
    "reveal-before-close": ("reveal", AHEAD | {"closes": NOW + 2 * DAY}),
    "limit-zero": ("limit_total", {"limit_total": 0}),
    "limit-zero a day": ("limit_per_day", {"limit_per_day": 0}),
    "limit-zero free": ("refused_per_day", {"refused_per_day": 0}),
    "limit-zero pages": ("min_document_pages", {"min_document_pages": 0}),
    "constants-reversed": ("l_min", {"l_min": Decimal("3.0"), "l_base": Decimal("1.0")}),
    "constants-reversed equal": ("l_min", {"l_min": Decimal(1), "l_base": Decimal(1)}),
    "constant-not-positive": ("l_min", {"l_min": Decimal(-1)}),
    "constant-not-positive zero": ("l_min", {"l_min": Decimal(0)}),
    "constant-not-positive base": ("l_base", {"l_min": None, "l_base": Decimal(0)}),
    "weights-sum": ("weight_interruption", {"weight_delay": Decimal("0.3")}),
    "weight-negative": (
        "weight_delay",
        {"weight_delay": Decimal("-0.2"), "weight_rejection": Decimal("0.8")},
    ),
    "share-impossible": ("min_coverage", {"min_coverage": Decimal("100.1")}),
    "share-impossible low": ("min_coverage", {"min_coverage": Decimal(-1)}),
}
GOOD = [
    {},
    {"opens": NOW, "closes": NOW + DAY},
    AHEAD | {"closes": NOW + DAY},
    {"limit_total": None, "limit_per_day": None},
    {"l_min": None, "l_base": None},
    {"l_min": Decimal("0.5"), "l_base": None},
    {"weight_interruption": Decimal(1), "weight_rejection": Decimal(0), "weight_delay": Decimal(0)},
    {"min_coverage": Decimal(0)},
]
EACH = pytest.mark.parametrize(("code", "field", "values"), [
    (code.partition(" ")[0], field, values) for code, (field, values) in BAD.items()
], ids=list(BAD))  # fmt: skip


@EACH
def test_each_rule_has_field_rule_and_cure(code, field, values):
    found = list(validation.of_split(Split(**values), NOW, is_new=True))
    assert (code, field) in [(one.code, one.field) for one in found]
    assert all(one.rule.endswith(".") and one.cure.endswith(".") for one in found)


@pytest.mark.parametrize("values", GOOD, ids=range(len(GOOD)))
def test_what_can_be_is_left_alone(db, values):
    Split(slug="s", name="S", **values).full_clean()


def test_a_reveal_that_was_may_stay_where_it_is(db):
    made = small_split(publication="reveal", reveal=NOW - DAY)
    made.full_clean()


def test_what_no_field_takes_is_told_by_the_field_alone(db):
    with pytest.raises(ValidationError) as error:
        Split(slug="s", name="S", min_coverage="much", opens="soon", closes=NOW).full_clean()
    assert set(error.value.message_dict) == {"min_coverage", "opens"}


# ---- the organisers' form -----------------------------------------------------------------------


@pytest.fixture
def desk(client, olga):
    client.force_login(olga)
    return client


def filled(split, **values):
    """The form as a browser would send it."""
    asked = {}
    for name, value in (model_to_dict(split) | values).items():
        if isinstance(value, datetime):
            asked |= {f"{name}_0": f"{value:%Y-%m-%d}", f"{name}_1": f"{value:%H:%M:%S}"}
        elif value is not None and value is not False and value != []:
            asked[name] = value
    return asked


def codes_of(page, field):
    return [one.code for one in page.context["adminform"].form.errors.as_data()[field]]


@EACH
def test_the_form_refuses_it_at_its_field(desk, code, field, values):
    page = desk.post(
        reverse("admin:submissions_split_add"), filled(Split(slug="s", name="S"), **values)
    )
    assert code in codes_of(page, field)
    assert not Split.objects.exists()


def test_a_split_that_is_there_is_not_spoilt_either(desk, db):
    made = small_split()
    address = reverse("admin:submissions_split_change", args=[made.pk])
    page = desk.post(address, filled(made, l_min="-1"))
    assert codes_of(page, "l_min") == ["constant-not-positive"]
    made.refresh_from_db()
    assert made.l_min > 0


def test_the_form_sets_every_rule_of_a_split(desk, olga, alice):
    news = {
        "name": "Challenge", "is_draft": True, "contact": "hello@example.org",
        "organisers": [alice.pk], "needs_approval": True, "min_document_pages": 2,
        "opens": datetime(2030, 1, 1, tzinfo=UTC), "closes": datetime(2030, 2, 1, tzinfo=UTC),
        "limit_total": 5, "limit_per_day": 2, "one_at_a_time": True, "refused_per_day": 4,
        "trial_items": 1, "ranking_mode": "strict", "both_modes": False, "min_coverage": "90",
        "weight_interruption": "0.5", "weight_rejection": "0.3", "weight_delay": "0.2",
        "l_min": "0.5", "l_base": "2", "reference_name": "ours", "latency": "measured",
        "rank_baseline": False, "counting": "chosen", "publication": "reveal",
        "reveal": datetime(2030, 2, 2, tzinfo=UTC), "items_public": True, "is_demo": True,
        "position": 7, "accepts_uploads": False,
    }  # fmt: skip
    page = desk.post(
        reverse("admin:submissions_split_add"), filled(Split(slug="s", name="S"), **news)
    )
    assert page.status_code == 302, page.context["adminform"].form.errors
    made = Split.objects.get()
    stored = model_to_dict(made) | {"organisers": [one.pk for one in made.organisers.all()]}
    decimals = {name for name, value in stored.items() if isinstance(value, Decimal)}
    assert {name: stored[name] for name in news} == {
        name: Decimal(value) if name in decimals else value for name, value in news.items()
    }
    fields = {one.name for one in Split._meta.get_fields() if getattr(one, "editable", False)}
    assert fields - set(news) - {"id", "slug", "description", "benchmark"} == set()


def test_a_new_split_begins_as_a_draft_and_the_form_shows_its_rules(desk, db):
    form = desk.get(reverse("admin:submissions_split_add"))
    assert form.context["adminform"].form.initial["is_draft"] is True
    assert "There is no closing time." in text_of(form)
    made = small_split(limit_total=3)
    page = text_of(desk.get(reverse("admin:submissions_split_change", args=[made.pk])))
    assert "A team has 3 submissions in all." in page


def test_the_benchmark_of_a_split_with_items_stays(desk, db):
    made, bare = small_split(), Split.objects.create(slug="bare", name="Bare")
    for split, may in ((made, False), (bare, True)):
        page = desk.get(reverse("admin:submissions_split_change", args=[split.pk]))
        assert ("benchmark" in page.context["adminform"].form.fields) is may


def test_a_split_from_a_folder_keeps_its_organisers(desk, alice, source, planned_tools, media):
    asked = filled(Split(slug="small", name="Small"), folder=str(source), organisers=[alice.pk])
    desk.post(reverse("admin:submissions_split_add"), asked)
    job = SplitImport.objects.get()
    made = importing.make("small", job.fields, [])
    assert list(made.organisers.all()) == [alice]


# ---- commands and workers -----------------------------------------------------------------------


@EACH
def test_an_import_refuses_it_before_a_file_is_read(db, tmp_path, mini, code, field, values):
    with pytest.raises(SettingsRefused, match=field) as refusal:
        import_split("s", tmp_path, manifest_of(mini), tools=None, fields=values)
    assert refusal.value.code == "settings-refused"
    assert not Split.objects.exists()


def test_the_command_says_so(db, source, planned_tools, media):
    with pytest.raises(CommandError, match="name: "):
        call_command("import_split", "s", source, source / "manifest.csv", name="x" * 81)


# ---- reported results ---------------------------------------------------------------------------

REPORTED = [
    ("interruption", "170.5", "rate-impossible"),
    ("rejection_cn", "-3", "rate-impossible"),
    ("delay", "-1", "delay-negative"),
    ("published_rank", 0, "rank-impossible"),
]


@pytest.mark.parametrize(("field", "value", "code"), REPORTED)
def test_reported_results_that_cannot_be_are_refused(desk, split, field, value, code):
    row = ReportedResult(split=split, team="A", slug="a", kind="participant", source="paper")
    setattr(row, field, value)
    with pytest.raises(ValidationError) as error:
        row.full_clean()
    assert [one.code for one in error.value.error_dict[field]] == [code]
    page = desk.post(
        reverse("admin:submissions_reportedresult_add"),
        filled(row, aliases="[]") | {"split": split.pk},
    )
    assert codes_of(page, field) == [code]
    assert not ReportedResult.objects.exists()


def test_the_published_table_passes(db):
    call_command("load_published", verbosity=0)
    for row in ReportedResult.objects.all():
        row.full_clean()


def test_an_impossible_published_table_is_not_loaded(db, tmp_path, monkeypatch):
    from leaderboard.management.commands import load_published

    data = json.loads(load_published.DATA.read_text(encoding="utf-8"))
    data["rows"][0]["interruption"] = "170.5"
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(data), encoding="utf-8")
    monkeypatch.setattr(load_published, "DATA", wrong)
    with pytest.raises(ValidationError, match=r"170\.5"):
        call_command("load_published", verbosity=0)
    assert not Split.objects.exists()


# ---- annotations --------------------------------------------------------------------------------


def segments(*parts, final=14.0):
    rows = [{"xmin": one, "xmax": other, "text": text} for one, other, text in parts]
    return Annotation.from_json({"final_duration": final, "speech_segments": rows})


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ((9.0, 2.0, "a"), "Segment 0 ends at 2 s, not after its start at 9 s."),
        ((3.0, 3.0, "a"), "Segment 0 ends at 3 s, not after its start at 3 s."),
        ((99.0, 120.0, "a"), "Segment 0 starts at 99 s, but the recording ends at 14.00 s."),
        ((9.0, 15.0, "a"), "Segment 0 ends at 15 s, but the recording at 14.00 s."),
        ((-5.0, -1.0, "a"), "Segment 0 starts at -5 s, before the recording."),
        ((1.0, 2.0, " "), "Segment 0 has no text."),
        ((1.0, None, "a"), "Segment 0 has no complete times."),
    ],
)
def test_an_impossible_segment_is_told(part, problem):
    assert segments(part).problems(14.0) == [problem]


def test_an_end_slightly_past_the_recording_is_none_of_ours():
    """Protocol 1.3: clamp, do not reject."""
    assert segments((9.0, 14.4, "a")).problems(14.0) == []


def test_a_negative_length_of_the_whole_is_told():
    assert segments((1.0, 2.0, "a"), final=-3).problems(14.0) == ["'final_duration' is -3 s."]


def spoil(source):
    path = next(source.rglob("0011_1054_sentence.json"))
    data = json.loads(path.read_text(encoding="utf-8"))
    data["speech_segments"][0] |= {"xmin": 9.0, "xmax": 2.0, "text": ""}
    path.write_text(json.dumps(data), encoding="utf-8")


def test_a_command_refuses_an_impossible_annotation(source, planned_tools, media, db):
    spoil(source)
    manifest = manifest_of(source)
    wrong = r"0011_1054_sentence\.json: Segment 0 has no text\. Segment 0 ends at 2 s"
    with pytest.raises(AnnotationError, match=wrong) as error:
        import_split("s", source, manifest, tools=planned_tools)
    assert error.value.code == "annotation-impossible"
    assert not Split.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_worker_refuses_it_too(desk, source, planned_tools, media, eager):
    spoil(source)
    asked = filled(Split(slug="small", name="Small"), folder=str(source))
    desk.post(reverse("admin:submissions_split_add"), asked)
    job = SplitImport.objects.get()
    assert job.state == SplitImport.State.FAILED
    assert "Segment 0 ends at 2 s, not after its start at 9 s." in job.problems[0]
    assert not Split.objects.exists()


def test_the_demonstration_stage_passes_its_own_rules(db):
    stage.make_split().full_clean()


def test_a_reveal_that_was_is_not_moved_ahead_of_scores_that_are_public(db, team, media):
    split = small_split(publication="reveal", reveal=NOW - DAY)
    submission = stage.make_submission(split, team)
    split.reveal = NOW + DAY
    split.clean()  # nothing is public yet
    stage.score(submission)
    with pytest.raises(ValidationError) as refused:
        split.clean()
    assert refused.value.error_dict["reveal"][0].code == "reveal-after-scores"
