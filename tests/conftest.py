"""What all tests share: marks that set themselves, servers, the browser, and the rule on skips.

With ``REQUIRE_ALL=1`` in the environment a test that is skipped for want of a server, a browser or
anything else that it "needs" fails instead, so that a green run means that everything ran.
"""

import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings
from django.utils import translation

from leaderboard.demo.unpack import unpack

REQUIRE_ALL = os.environ.get("REQUIRE_ALL", "") not in ("", "0")

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "client", "admin_client"}
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_configure() -> None:
    """Hash passwords quickly: tests make many people, and none of them needs protection."""
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses the database, so that it can run again on PostgreSQL; long files first."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if fixtures & DATABASE_FIXTURES or item.get_closest_marker("django_db"):
            item.add_marker("database")
    # Workers take whole files in this order; a long one at the end would leave the others idle.
    longest = {mark: _files_with(items, mark) for mark in ("models", "slow")}
    items.sort(key=lambda item: [item.path not in files for files in longest.values()])


def _files_with(items: list[pytest.Item], mark: str) -> set[Path]:
    return {item.path for item in items if item.get_closest_marker(mark)}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With ``REQUIRE_ALL``, turn the skip of a test that should have run into a failure."""
    report = yield
    required = any(item.get_closest_marker(mark) for mark in ("browser", "services"))
    if report.skipped and not hasattr(report, "wasxfail"):
        _refuse_skip(report, required)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """With ``REQUIRE_ALL``, do the same where a whole file is skipped."""
    report = yield
    if report.skipped:
        _refuse_skip(report, required=False)
    return report


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport, required: bool) -> None:
    reason = str(report.longrepr[-1]) if isinstance(report.longrepr, tuple) else ""
    if REQUIRE_ALL and (required or reason.removeprefix("Skipped: ").startswith("needs ")):
        report.outcome = "failed"
        report.longrepr = f"REQUIRE_ALL is set, and this did not run. {reason}"


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Start and end in the default language, whatever language another test's pages had."""
    translation.deactivate()
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _no_kept_pages() -> Iterator[None]:
    """Forget the pages of another test's boards, which had the same numbers; ask every time."""
    from django.core.cache import caches
    from django.test import override_settings

    caches["pages"].clear()
    # Not by the fixture "settings": some tests have a parameter of that name.
    with override_settings(BOARD_TRUSTED=0):
        yield


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Passwords of tests need no slow hash; each would cost a second."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """The URL of a running PostgreSQL."""
    return _service("DATABASE_URL", "PostgreSQL", "postgresql://")


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The URL of a running Redis."""
    return _service("BROKER_URL", "Redis", "redis://")


@pytest.fixture(scope="session")
def rabbitmq_url() -> str:
    """The URL of a running RabbitMQ."""
    return _service("AMQP_URL", "RabbitMQ", "amqp://")


def _service(variable: str, name: str, scheme: str) -> str:
    url = os.environ.get(variable, "")
    if not url.startswith(scheme):
        pytest.skip(f"needs {name}: python -m tests.services")
    return url


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium, driven by Playwright."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        pytest.skip("needs Chromium: make services")
    from playwright.sync_api import sync_playwright

    # Playwright keeps an event loop in this thread, which Django takes for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A fresh page in a fresh profile."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration split, laid out as recordings, transcripts and archives."""
    return unpack(tmp_path_factory.mktemp("humdial-mini"))


@pytest.fixture(scope="session")
def hostile_archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every archive of the table of hostile ones, and the manifest of their split."""
    from tests.scoring.hostile_cases import write_all

    return write_all(tmp_path_factory.mktemp("hostile"))


@pytest.fixture
def media(settings: Any, tmp_path: Path) -> Path:
    """A folder of its own for uploads."""
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


@pytest.fixture
def alice(db: None) -> Any:
    """A member of the team."""
    return _person("alice")


@pytest.fixture
def bob(db: None) -> Any:
    """Alice's teammate."""
    return _person("bob")


@pytest.fixture
def charlie(db: None) -> Any:
    """An outsider."""
    return _person("charlie")


@pytest.fixture
def olga(db: None) -> Any:
    """The organiser."""
    return _person("olga", is_staff=True, is_superuser=True)


@pytest.fixture
def team(alice: Any, bob: Any) -> Any:
    """Alice and Bob."""
    from submissions.models import Team

    team = Team.objects.create(name="Wonderland", slug="wonderland")
    team.members.add(alice, bob)
    return team


def _person(name: str, **rights: Any) -> Any:
    from allauth.account.models import EmailAddress
    from django.contrib.auth.models import User

    user = User.objects.create_user(name, f"{name}@example.org", "wonderland-7", **rights)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.fixture
def sent(monkeypatch):
    """Names and keys of the tasks that were sent, and lost."""
    from submissions import queue

    found = []
    monkeypatch.setattr(queue, "send", lambda task, key: found.append((task, key)))
    return found
