"""A report on an archive for a hidden split tells of files only, wherever it is shown (A19)."""

import csv
import io

import pytest

from scoring.archive import open_outputs
from scoring.check import check
from scoring.check.file_list import files_from_csv
from scoring.errors import ArchiveError
from submissions.check_reports import files_only, report_for
from submissions.models import Split, Submission, System
from submissions.services import tokens
from submissions.services.check import report_of
from submissions.services.stored import SEPARATOR
from tests.leaderboard.reader import login, text_of, url
from tests.scoring import hostile
from tests.scoring.handed_in import SPLIT, filled
from tests.scoring.hostile_cases import CASES
from tests.submissions.split_of import split_of

HOME = files_from_csv("file\n" + "\n".join(sorted(file.path for file in SPLIT)))
ITEMS = list(dict.fromkeys(file.item for file in SPLIT))
TESTS = [file.path for file in SPLIT if file.kind == "test"]
CLEAN = {file.item.key: file.path for file in SPLIT if file.kind == "clean"}
PAIR = next((file.path, CLEAN[file.item.key]) for file in SPLIT
            if file.kind == "test" and file.item.key in CLEAN)  # fmt: skip
NO_PAIR = (PAIR[0], next(path for path in CLEAN.values() if path != PAIR[1]))


@pytest.fixture
def hidden(db, media, settings):
    settings.MEDIA_ROOT = media
    return split_of(SPLIT)


@pytest.fixture
def checked(hidden, team, media):
    """Check an archive of these files as the worker does."""
    system = System.objects.create(team=team, name="Parrot", slug="parrot")
    folder = media / "archives"
    folder.mkdir(parents=True, exist_ok=True)

    def received(files):
        number = len(list(folder.iterdir()))
        (folder / f"{number}.zip").write_bytes(hostile.zipped(files))
        made = Submission.objects.create(
            split=hidden, team=team, system=system, archive=f"archives/{number}.zip",
            archive_name="a.zip", size=1, sha256=f"{number:064d}",
        )  # fmt: skip
        made.check_report = report_of(made)
        made.save()
        return made

    return received


def same(pair):
    """An archive of which these two files are the same, and all others differ."""
    files = filled([file.path for file in SPLIT])
    files[pair[1]] = files[pair[0]]
    return files


def told(report):
    return [(one["code"], one["path"], one["rule"]) for one in report["findings"]]


def test_a_pair_reads_like_no_pair(checked, alice, olga):
    pair, other = checked(same(PAIR)), checked(same(NO_PAIR))
    assert told(report_for(alice, pair)) == told(report_for(alice, other))
    assert [one[0] for one in told(report_for(alice, pair))] == ["audio-same-as-partner"]
    # The organisers know which is which.
    assert [one[0] for one in told(report_for(olga, pair))] == ["audio-same-as-partner"]
    assert [one[0] for one in told(report_for(olga, other))] == ["audio-duplicate"]


def test_missing_files_come_by_name_and_not_in_the_order_of_the_manifest(checked, alice, olga):
    one = checked(filled(TESTS[:1]))
    paths = [path for code, path, _ in told(report_for(alice, one)) if code == "file-missing"]
    assert paths == sorted(paths)
    whole = [path for code, path, _ in told(report_for(olga, one)) if code == "file-missing"]
    assert set(whole) == set(paths)
    assert whole != paths


def test_a_dialogue_that_is_guessed_is_told_from_none_that_is_made_up(checked, alice):
    known = next(item for item in ITEMS if item.test_id)
    names = [f"{known.item}_output.wav", "9999_9999_output.wav"]
    reports = [report_for(alice, checked(filled([TESTS[-1], name]))) for name in names]
    assert {report["received"] for report in reports} == {1}
    first, second = ([(code, path) for code, path, _ in told(one)] for one in reports)
    assert first == second


def test_lengths_of_clean_recordings_are_not_compared():
    report = {
        "acceptable": True, "members": {"a|clean": "c.wav", "a|test": "t.wav"},
        "findings": [
            {"code": code, "path": path, "rule": "", "cure": "", "severity": "warning"}
            for code in ("audio-shorter-than-user", "audio-silent") for path in ("c.wav", "t.wav")
        ],
    }  # fmt: skip
    kept = [(one["code"], one["path"]) for one in files_only(report)["findings"]]
    assert kept == [
        ("audio-shorter-than-user", "t.wav"), ("audio-silent", "c.wav"), ("audio-silent", "t.wav"),
    ]  # fmt: skip


SECRETS = ("Follow-up", "follow_up", "Scenario", "Pause handling", "pause_handling")


def test_page_csv_and_api_say_the_same_to_the_team(client, checked, alice, olga):
    one = checked(same(PAIR) | {"../x_output.wav": b""})
    headers = {"Authorization": f"Bearer {tokens.create(alice, 't', 'read', expires=None).key}"}
    api = client.get(f"/api/v1/submissions/{one.pk}/check", headers=headers).json()
    assert "members" not in api
    assert api["counts"] == []
    page = login(client, alice).get(url("submission", one.pk))
    rows = list(csv.DictReader(io.StringIO(
        client.get(url("submission-check", one.pk)).content.decode()
    )))  # fmt: skip
    assert [row["code"] for row in rows] == [found["code"] for found in api["findings"]]
    check = text_of(page).partition("Check of the archive")[2].partition("Log")[0]
    assert "Files by scenario" not in check
    for word in SECRETS:
        assert word not in check
    assert "Files by scenario" in text_of(login(client, olga).get(url("submission", one.pk)))


def test_where_items_are_public_everything_is_told(client, checked, alice):
    Split.objects.update(items_public=True)
    one = checked(same(PAIR))
    Submission.objects.get(pk=one.pk)
    one.split.refresh_from_db()
    assert report_for(alice, one)["counts"] != []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_site_tells_what_the_list_of_files_tells_at_home(case, hostile_archives):
    """Of every archive of the table; whatever else the site knows is not said."""
    try:
        with open_outputs(hostile_archives / f"{case.name}.zip") as outputs:
            site, home = check(outputs, SPLIT, by_dialogue=False), check(outputs, HOME)
    except ArchiveError:
        return
    members = {SEPARATOR.join(key): name for key, name in site.members.items()}
    shown = files_only(site.to_json() | {"members": members})
    own = files_only(home.to_json())
    assert told(shown) == told(own)
    assert (shown["received"], shown["acceptable"]) == (own["received"], own["acceptable"])


def test_an_outsider_reads_no_report(checked, charlie):
    assert report_for(charlie, checked(same(PAIR))) is None
