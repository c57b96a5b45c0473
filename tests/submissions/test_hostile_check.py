"""Every archive of the table at the site: the service's check says what the command line says."""

import os

import pytest

from submissions.models import Submission, System
from submissions.services.check import report_of
from tests.scoring.handed_in import SPLIT
from tests.scoring.hostile_cases import CASES
from tests.submissions.split_of import split_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def received(media, team, hostile_archives):
    """Submissions whose archives lie where uploads lie."""
    split = split_of(SPLIT, items_public=True)
    system = System.objects.create(team=team, name="Parrot", slug="parrot")
    (media / "archives").mkdir(parents=True)

    def receive(name, **fields):
        place = media / "archives" / f"{name}.zip"
        os.link(hostile_archives / f"{name}.zip", place)
        return Submission(
            split=split, team=team, system=system, archive=f"archives/{name}.zip", size=0, **fields
        )

    return receive


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_service_gives_verdict_and_codes(case, received, media):
    report = report_of(received(case.name))
    assert sorted({one["code"] for one in report["findings"]}) == sorted(case.codes)
    assert report["acceptable"] is case.acceptable
    assert [path.name for path in media.rglob("*") if path.is_file()] == [f"{case.name}.zip"]


def test_answers_beyond_a_trial_are_left_alone_with_a_note(received):
    submission = received("as-expected", is_trial=True)
    submission.split.trial_items = 1
    assert report_of(submission)["findings"] == []
    submission.split.trial_items = 0
    codes = [one["code"] for one in report_of(submission)["findings"]]
    assert codes == ["beyond-the-trial", "nothing-expected-found"]
