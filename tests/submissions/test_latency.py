"""The organisers' latency of an entry: written down by a service, with an event and a new board."""

from decimal import Decimal

import pytest
from django.urls import reverse

from leaderboard.snapshots import freeze, latest
from submissions.models import Event, Split
from submissions.services.latency import LatencyRefused, measure
from tests.leaderboard import boards

pytestmark = pytest.mark.django_db
HOW = "RTX A6000, 2026-12-01"


@pytest.fixture
def entry(db, media):
    split = Split.objects.create(slug="contest", name="Contest", latency="measured")
    made = boards.enter(split, "Parrot", quality=0.9, seed=1)
    freeze(split, "one entry")
    return made


def test_a_measurement_is_kept_with_who_said_so_and_makes_a_new_board(entry, olga):
    measure(entry, Decimal("0.700"), f" {HOW} ", who=olga)
    entry.refresh_from_db()
    assert (entry.measured_delay, entry.measured_how) == (Decimal("0.700"), HOW)
    event = entry.events.get()
    assert (event.who, event.role, event.detail) == (olga, Event.Role.ORGANISER, HOW)
    assert (event.from_state, event.to_state) == (entry.state, entry.state)
    board = latest(entry.split)
    assert board.cause == "The organisers' latency of Parrot is 0.700 s"
    assert (board.rows[0]["delay"], board.rows[0]["rank"]) == ("0.700", 1)


def test_the_same_measurement_again_is_no_news(entry, olga):
    measure(entry, Decimal("0.700"), HOW, who=olga)
    number = latest(entry.split).pk
    measure(entry, Decimal("0.700"), HOW, who=olga)
    assert latest(entry.split).pk == number
    assert entry.events.count() == 1


def test_a_measurement_can_be_taken_back(entry, olga):
    measure(entry, Decimal("0.700"), HOW, who=olga)
    measure(entry, None, "", who=olga)
    entry.refresh_from_db()
    assert (entry.measured_delay, entry.measured_how) == (None, "")
    assert latest(entry.split).rows[0]["rank"] is None


def test_where_recordings_rank_no_board_is_made(entry, olga):
    Split.objects.update(latency="recordings")
    number = latest(entry.split).pk
    measure(entry, Decimal("0.700"), HOW, who=olga)
    assert latest(entry.split).pk == number


@pytest.mark.parametrize(
    ("delay", "how", "code"),
    [
        ("0", HOW, "latency-out-of-range"),
        ("-1", HOW, "latency-out-of-range"),
        ("1000", HOW, "latency-out-of-range"),
        ("NaN", HOW, "latency-out-of-range"),
        ("0.7", "  ", "latency-unexplained"),
    ],
)
def test_what_is_no_latency_is_refused(entry, olga, delay, how, code):
    with pytest.raises(LatencyRefused) as raised:
        measure(entry, Decimal(delay), how, who=olga)
    assert raised.value.code == code
    assert not entry.events.exists()


def test_a_trial_has_no_latency(entry, olga):
    entry.is_trial = True
    entry.save()
    with pytest.raises(LatencyRefused) as raised:
        measure(entry, Decimal("0.7"), HOW, who=olga)
    assert raised.value.code == "latency-of-a-trial"


def act(client, entry, **form):
    data = {"action": "measure_latency", "_selected_action": [str(entry.pk)], **form}
    return client.post(reverse("admin:submissions_submission_changelist"), data, follow=True)


def test_an_organiser_writes_it_down_in_the_admin(entry, client, olga):
    client.force_login(olga)
    assert "how it was measured" in act(client, entry).content.decode().lower()
    act(client, entry, save_latency="1", measured_delay="0.7", measured_how=HOW)
    entry.refresh_from_db()
    assert entry.measured_delay == Decimal("0.700")
    assert entry.events.get().who == olga


def test_the_admin_says_what_is_wrong_and_keeps_nothing(entry, client, olga):
    client.force_login(olga)
    page = act(client, entry, save_latency="1", measured_delay="0.7", measured_how="")
    assert "Nobody says how the latency was measured." in page.content.decode()
    entry.refresh_from_db()
    assert entry.measured_delay is None


def test_whoever_may_only_look_is_not_offered_it(entry, client, django_user_model):
    from django.contrib.auth.models import Permission

    viewer = django_user_model.objects.create_user("vera", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_submission"))
    client.force_login(viewer)
    act(client, entry, save_latency="1", measured_delay="0.7", measured_how=HOW)
    entry.refresh_from_db()
    assert entry.measured_delay is None
