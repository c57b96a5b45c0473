"""The pre-flight in a real browser: the same findings as the check, and what the page shows."""

import json
import random
from base64 import b64encode
from datetime import timedelta
from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.template.defaultfilters import filesizeformat
from django.test import Client
from django.utils import timezone

from scoring.archive import open_outputs
from scoring.check import check, refuse
from scoring.check.sound import Inspected
from scoring.errors import ArchiveError
from scoring.rule_table import RULES
from submissions.models import System, Team, Upload
from tests.browser.looking import OVERFLOW, complaints
from tests.leaderboard import stage
from tests.scoring import hostile
from tests.scoring.handed_in import SPLIT, TREE, filled
from tests.scoring.hostile_cases import CASES
from tests.submissions.split_of import split_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CHECK = """
async ({ module, url, options, archive }) => {
    const { preflight } = await import(module);
    window.expected ??= await (await fetch(url)).json();
    const bytes = () => Uint8Array.from(atob(archive), (character) => character.charCodeAt(0));
    const file = archive ? new File([bytes()], "a.zip") : document.getElementById("probe").files[0];
    return preflight(file, window.expected, options);
}
"""
PROBE = """
() => {
    const input = document.createElement("input");
    input.type = "file";
    input.id = "probe";
    document.body.append(input);
}
"""
WHOLE = hostile.zipped(filled(TREE) | {"a/b.txt": b"", "HD-Track2/clean/": b""})
CHANGED = 150
SAID = ("code", "path", "rule", "cure", "severity")


@pytest.fixture
def site(live_server, transactional_db, settings, tmp_path):
    """A split whose items are public, and Alice with her team."""
    settings.MEDIA_ROOT = tmp_path / "media"
    alice = User.objects.create_user("alice")
    stage.make_team("Wonderland", alice)
    split = split_of(SPLIT, items_public=True, trial_items=1)
    return Site(live_server.url, split, alice)


class Site:
    """Addresses of the site, and a page of it where Alice is logged in."""

    def __init__(self, base, split, alice):
        self.base, self.split, self.alice = base, split, alice

    def open(self, context, path, language="en"):
        client = Client()
        client.force_login(self.alice)
        session = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": self.base}])
        page = context.new_page()
        page.goto(f"{self.base}/{language}/{path}")
        return page

    def probe(self, page, archive, **options):
        """What the modules say about a file, or its bytes, without the page around them."""
        if not isinstance(archive, bytes):
            page.set_input_files("#probe", str(archive))
            archive = b""
        where = {
            "archive": b64encode(archive).decode(),
            "module": f"{self.base}/static/js/preflight-check.js",
            "url": f"{self.base}/en/submit/preflight/{self.split.slug}.json",
        }
        return page.evaluate(CHECK, {**where, "options": options})


def told(findings):
    return [tuple(one[name] for name in SAID) for one in findings]


def known_from_the_directory(path):
    """Findings of the real check, without those that need the content of the files."""
    try:
        with open_outputs(path) as outputs:
            report = check(outputs, SPLIT, inspect=lambda *_: Inspected([]))
    except ArchiveError as error:
        report = refuse(error, SPLIT)
    seen = [one for one in report.findings if RULES[one.said.key].in_directory]
    return told(json.loads(json.dumps([{n: getattr(f, n) for n in SAID} for f in seen])))


def test_browser_and_check_say_the_same_of_every_archive(browser, site, hostile_archives):
    context = browser.new_context()
    page = site.open(context, "submit/")
    page.evaluate(PROBE)
    problems = {}
    for case in CASES:
        path = hostile_archives / f"{case.name}.zip"
        report = site.probe(page, path)
        seen = known_from_the_directory(path)
        if told(report["findings"]) != seen or sorted(report["codes"]) != sorted(case.seen):
            problems[case.name] = (told(report["findings"])[:3], seen[:3])
    context.close()
    assert problems == {}


def test_browser_and_check_say_the_same_of_archives_with_changed_bytes(browser, site):
    context = browser.new_context()
    page = site.open(context, "submit/")
    problems, dice = {}, random.Random(7)
    for _ in range(CHANGED):
        data = changed(dice)
        seen = known_from_the_directory(BytesIO(data))
        if told(site.probe(page, data)["findings"]) != seen:
            problems[data] = seen
    context.close()
    assert problems == {}


def changed(dice):
    """A zip with a few other bytes in its directory, perhaps cut."""
    data = bytearray(WHOLE)
    start = data.index(hostile.CENTRAL)
    for _ in range(dice.randint(1, 4)):
        value = dice.choice((0, 1, 0x2F, 0x5C, 0x80, 0xFF, dice.randrange(256)))
        data[dice.randrange(start, len(data))] = value
    cut = dice.choice((0, 0, 0, dice.randrange(1, 200)))
    return bytes(data[: len(data) - cut])


@pytest.fixture
def upload_page(browser, site, tmp_path):
    """Open the upload page and choose an archive; the faults of the page come along."""
    contexts = []

    def choose(data, *, language="en", width=1280, name="HD-Track2.zip"):
        context = browser.new_context(viewport={"width": width, "height": 900})
        contexts.append(context)
        page = site.open(context, "submit/?split=hostile", language)
        faults = complaints(page)
        page.evaluate(HEARD)
        path = tmp_path / name
        path.write_bytes(data)
        page.set_input_files("[name=archive]", str(path))
        page.locator("#preflight-verdict").wait_for()
        return page, faults

    yield choose
    for context in contexts:
        context.close()


HEARD = """
() => document.addEventListener("preflight", (event) => (window.heard = event.detail))
"""


def test_a_wrong_archive_is_refused_with_the_cure_before_a_byte_is_sent(upload_page):
    page, faults = upload_page(hostile.zipped({"results/1.wav": b"x"}))
    text = page.locator("#preflight").inner_text()
    assert "This archive would be refused. Mend it before you upload it." in text
    assert "None of the expected files is in the archive. Found: results/1.wav." in text
    assert "The expected tree is HD-Track2/test/test-{id}_output.wav" in text
    assert page.locator("#upload-form button[type=submit]").is_disabled()
    heard = page.evaluate("window.heard")
    assert heard == {"acceptable": False, "codes": ["file-unknown", "nothing-expected-found"]}
    assert faults == []


def test_the_right_archive_after_the_wrong_one_may_be_sent(upload_page, tmp_path):
    page, _ = upload_page(b"no zip at all")
    assert page.locator("#upload-form button[type=submit]").is_disabled()
    right = tmp_path / "right.zip"
    right.write_bytes(hostile.zipped(filled(TREE)))
    page.set_input_files("[name=archive]", str(right))
    page.get_by_text("5 of 5 expected files are there.").wait_for()
    assert page.locator("#upload-form button[type=submit]").is_enabled()
    assert page.evaluate("window.heard") == {"acceptable": True, "codes": []}
    assert "a minute or less at 10 Mbit/s" in page.locator("#preflight").inner_text()


def test_the_size_before_the_upload_is_the_one_that_the_receipt_will_show(upload_page):
    noise = random.Random(1).randbytes(1_500_000)
    data = hostile.zipped({**filled(TREE), "HD-Track2/rest.txt": noise})
    page, _ = upload_page(data)
    size = filesizeformat(len(data)).replace("\xa0", " ")
    assert size.endswith(" MB")
    assert f"The zip has {size}," in page.locator("#preflight").inner_text()


def test_a_trial_expects_its_own_few_files(upload_page, site):
    site.split.trial_items = 0
    site.split.save()
    page, _ = upload_page(hostile.zipped(filled(TREE)))
    page.check("[name=trial]")
    page.get_by_text("5 file(s) answer items that are not part of the trial.").wait_for()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_findings_fit_the_page(upload_page, language, width):
    names = [f"HD-Track2/test/a-rather-long-name-of-a-file-{n}_output.wav" for n in range(30)]
    data = hostile.zipped([*filled(names + TREE[:2]).items(), (TREE[0], b"")])
    page, faults = upload_page(data, language=language, width=width)
    assert page.evaluate(OVERFLOW) <= 0
    assert page.locator("#preflight code").first.inner_text() == "member-duplicate"
    assert faults == []


def test_where_pairs_are_hidden_names_by_dialogue_stand_for_nothing(upload_page, site):
    site.split.items_public = False
    site.split.save()
    page, _ = upload_page(hostile.zipped(filled(["0001_5538_output.wav"])))
    text = page.locator("#preflight").inner_text()
    assert "1 file(s) are named by dialogue, such as 0001_5538_output.wav." in text
    heard = page.evaluate("window.heard")
    assert heard == {
        "acceptable": False, "codes": ["names-by-dialogue", "nothing-expected-found"],
    }  # fmt: skip


def test_where_pairs_are_hidden_the_expected_tree_is_still_known(upload_page, site):
    site.split.items_public = False
    site.split.save()
    page, _ = upload_page(hostile.zipped(filled(TREE[1:])))
    assert "4 of 5 expected files are there." in page.locator("#preflight").inner_text()
    assert page.evaluate("window.heard") == {"acceptable": True, "codes": ["file-missing"]}


def test_a_window_that_opens_while_the_page_is_open_opens_the_form(browser, site):
    site.split.opens = timezone.now() + timedelta(seconds=6)
    site.split.save()
    context = browser.new_context()
    page = site.open(context, "submit/?split=hostile")
    button = page.locator("#upload-form button[type=submit]")
    page.locator("#preflight", has_text="is not open yet").wait_for()
    assert button.is_disabled()
    assert button.get_attribute("aria-describedby") == "standing-hostile-wonderland"
    page.check("[name=trial]")
    assert button.is_enabled()
    page.uncheck("[name=trial]")
    assert button.is_disabled()
    page.locator("#upload-form button[type=submit]:enabled").wait_for()
    assert not page.locator("#preflight").is_visible()
    context.close()


def test_what_was_begun_may_be_sent_to_its_end_when_the_slots_are_used(browser, site, tmp_path):
    data = hostile.zipped(filled(TREE))
    path = tmp_path / "HD-Track2.zip"
    path.write_bytes(data)
    team = Team.objects.get()
    system = System.objects.create(team=team, name="Parrot", slug="parrot")
    Upload.objects.create(
        user=site.alice, split=site.split, team=team, system=system, file_name=path.name,
        length=len(data), offset=1, expires=timezone.now() + timedelta(days=1),
    )  # fmt: skip
    site.split.limit_total = 0
    site.split.save()
    context = browser.new_context()
    page = site.open(context, "submit/?split=hostile")
    page.locator("#preflight", has_text="has used all its submissions").wait_for()
    button = page.locator("#upload-form button[type=submit]")
    assert button.is_disabled()
    page.set_input_files("[name=archive]", str(path))
    page.get_by_text("5 of 5 expected files are there.").wait_for()
    assert button.is_enabled()
    other = path.rename(tmp_path / "another.zip")
    page.set_input_files("[name=archive]", str(other))
    page.get_by_text("5 of 5 expected files are there.").wait_for()
    assert button.is_disabled()
    context.close()
