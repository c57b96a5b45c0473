"""A newcomer's way through the site: the people, their browsers and mails, and the site they use.

Conventions: the site runs as in production, behind a line that can be cut; its worker answers from
the planned transcripts, so no model hears. Addresses in mails lead through the same line.
"""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from contextlib import contextmanager

from django.utils.translation import gettext, override

from tests.browser.demo_site import PASSWORD, DemoSite
from tests.browser.looking import complaints, faults, keep
from tests.served import ROOT, Line
from tests.submissions.letters import LINK, letters, link_in

PATIENCE = 90
WIDTHS, HEIGHT = (360, 1280), 900
LOCALES = {"en": ("en-GB", "en"), "zh": ("zh-CN", "zh-hans")}
WORKER = ("-m", "tests.planned_worker", "--pool", "solo", "--loglevel", "warning")
PRETENDED = "state='scoring'"
DECIMAL = re.compile(r"\d+\.\d+")


class NewcomersSite(DemoSite):
    """A copy of the demonstration that newcomers may change; everybody comes over ``line``."""

    def __init__(self, made, folder):
        super().__init__(made)
        shutil.copytree(made, folder, ignore=shutil.ignore_patterns("*.sqlite3*", "lock", "mail"))
        with (
            sqlite3.connect(made / "site.sqlite3") as source,
            sqlite3.connect(folder / "site.sqlite3") as target,
        ):
            source.backup(target)
            # What only pretends to be under way would be scored by a real worker.
            target.execute(f"UPDATE submissions_submission SET state='withdrawn' WHERE {PRETENDED}")
        self.folder, self.mini = folder, folder / "humdial-mini"
        self.line = Line(self.port)
        self.env |= {
            "DATA_DIR": str(folder),
            "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
            "SITE_URL": self.line.url,
            "SCORING_CHUNK": "4",
        }

    @contextmanager
    def working(self):
        """With a worker."""
        worker = subprocess.Popen(
            [sys.executable, *WORKER], env=self.env, cwd=ROOT, start_new_session=True
        )
        try:
            yield
        finally:
            os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()

    def archive(self, system):
        """The archive of a system of the demonstration."""
        return self.mini / "submissions" / system / "HD-Track2.zip"

    def letters_to(self, email):
        return [one for one in letters(self.folder / "mail") if one["To"] == email]

    def letter_to(self, email, word):
        """The text of the newest mail to an address with a word in its subject."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for one in reversed(self.letters_to(email)):
                if word in one["Subject"]:
                    return one.get_content()
            time.sleep(0.1)
        raise AssertionError([one["Subject"] for one in self.letters_to(email)])


class Person:
    """Somebody at a screen; every page that is looked at must be sound in the person's language."""

    def __init__(self, browser, site, name, *, language, width):
        locale, self.code = LOCALES[language]
        viewport = {"width": width, "height": HEIGHT}
        self.context = browser.new_context(viewport=viewport, locale=locale)
        self.site, self.name, self.language, self.width = site, name, language, width
        self.email, self.team = f"{name}@example.org", ""
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.complaints = complaints(self.page)
        self.looked = 0

    def says(self, text, **values):
        """A sentence of the site in the person's language."""
        with override(self.code):
            return gettext(text) % values if values else gettext(text)

    def opens(self, path):
        self.page.goto(f"{self.site.line.url}{path}")

    def opens_mail(self, subject, word=""):
        """Open the link of the mail with this subject, and return the mail's text."""
        text = self.site.letter_to(self.email, subject)
        self.opens(link_in(text, word))
        return text

    def presses(self, form="main form.form"):
        self.page.locator(f"{form} button[type=submit]").first.click()

    def follows(self, part, within="main"):
        """Follow the first link of the page whose address has a part."""
        self.page.locator(f"{within} a[href*='{part}']").first.click()

    def looks(self, step, *, offline=False):
        """Look at the page: sound in language, in layout at both widths, and no complaint."""
        self.looked += 1
        keep(self.page, f"newcomer-{self.name}-{self.width}-{self.looked:02d}-{step}")
        for width in (*WIDTHS, self.width):
            self.page.set_viewport_size({"width": width, "height": HEIGHT})
            # Without a line the browser rightly complains of every new attempt.
            problems = faults(self.page, self.language) + ([] if offline else self.complaints)
            assert problems == [], (step, width, problems)
        return self.page.inner_text("main")

    def signs_up(self):
        """From a page that offers it to the one after the confirmed address."""
        self.follows("/signup/")
        self.looks("sign-up")
        self.page.fill("[name=username]", self.name)
        self.page.fill("[name=email]", self.email)
        self.page.fill("[name=password1]", PASSWORD)
        self.page.fill("[name=password2]", PASSWORD)
        self.presses()
        assert self.says("Look into your mail") in self.looks("mail-sent")
        self.opens_mail(self.says("Confirm your address"))
        assert self.email in self.looks("confirm")
        self.presses()

    def leaves(self):
        self.context.close()


def renamed(source, target):
    """The archive as many a team names its files at first: without ``_output``."""
    with zipfile.ZipFile(source) as right, zipfile.ZipFile(target, "w") as wrong:
        for name in right.namelist():
            wrong.writestr(name.replace("_output", ""), right.read(name))
    return target


def holds_a_number(text):
    """Whether a mail says a number with decimals anywhere but in its links."""
    return bool(DECIMAL.search(LINK.sub("", text)))
