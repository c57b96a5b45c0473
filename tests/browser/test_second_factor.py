"""The second factor from the first click to the last, as after a fresh log-in: every page of it."""

import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User

from tests.browser.looking import axe, complaints, faults, keep
from tests.submissions.test_accounts import code_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PASSWORD = "wonderland-7"
WIDTHS = (360, 1280)
LOCALES = {"en": "en-GB", "zh": "zh-CN"}
# A code works once, and a new one comes every 30 seconds; the next one is good already.
NEXT = 30


@pytest.fixture
def alice(transactional_db):
    alice = User.objects.create_user("alice", "alice@example.org", PASSWORD)
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    return alice


class Walk:
    """Alice at a screen, who looks at every page in both widths."""

    def __init__(self, browser, base, language):
        self.context = browser.new_context(locale=LOCALES[language])
        self.page = self.context.new_page()
        self.base, self.language = f"{base}/{language}/account", language
        self.complaints = complaints(self.page)

    def opens(self, path):
        self.page.goto(f"{self.base}/{path}")

    def fills(self, **fields):
        for name, value in fields.items():
            self.page.fill(f"main [name={name}]", value)
        self.page.locator("main form button[type=submit]").first.click()
        self.page.wait_for_load_state()

    def looks(self, name, at):
        """The page is where it should be, and sound; it is kept for people to look at."""
        assert self.page.url.partition("?")[0] == f"{self.base}/{at}"
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": 900})
            found = [*faults(self.page, self.language), *axe(self.page), *self.complaints]
            assert found == [], (name, width)
            keep(self.page, f"{name}-{self.language}-{width}")


@pytest.fixture
def walk(browser, live_server, alice):
    walks = []

    def begin(language):
        walks.append(Walk(browser, live_server.url, language))
        return walks[-1]

    yield begin
    for one in walks:
        one.context.close()


@pytest.mark.parametrize("language", LOCALES)
def test_every_page_of_the_second_factor_is_sound(walk, alice, language):
    one = walk(language)
    one.opens("login/")
    one.fills(login="alice", password=PASSWORD)
    one.opens("2fa/totp/activate/")
    one.looks("is-it-you-again", "reauthenticate/")
    one.fills(password=PASSWORD)
    one.looks("totp-activate", "2fa/totp/activate/")
    assert one.page.locator(".qr svg").bounding_box()["width"] > 100
    secret = one.page.locator("main form code").inner_text()
    one.fills(code="000000")
    one.looks("totp-activate-refused", "2fa/totp/activate/")
    assert one.page.locator("main form code").inner_text() == secret
    one.fills(code=code_of(secret))
    one.looks("recovery-codes", "2fa/recovery-codes/")
    codes = one.page.locator("main pre").inner_text().split()
    assert len(codes) == len(set(codes)) == 10
    one.opens("2fa/")
    one.looks("second-factor-on", "2fa/")
    one.opens("2fa/recovery-codes/generate/")
    one.looks("recovery-codes-new", "2fa/recovery-codes/generate/")
    one.fills()
    assert not set(codes) & set(one.page.locator("main pre").inner_text().split())
    one.opens("2fa/totp/deactivate/")
    one.looks("totp-deactivate", "2fa/totp/deactivate/")
    one.context.clear_cookies()
    one.opens("login/")
    one.fills(login="alice", password=PASSWORD)
    one.looks("second-factor-asked", "2fa/authenticate/")
    one.fills(code=code_of(secret, time.time() + NEXT))
    assert one.page.url.endswith("/my/")
    one.opens("2fa/reauthenticate/")
    one.looks("is-it-you-by-code", "2fa/reauthenticate/")
    one.opens("2fa/totp/deactivate/")
    one.fills(password=PASSWORD)
    one.fills()
    assert not Authenticator.objects.filter(user=alice).exists()
