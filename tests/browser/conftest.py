"""What the browser tests share: the demonstration, served as in production."""

import pytest

from tests.browser.demo_site import DemoSite, folder_of


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The running demonstration; made once for a whole run of the tests."""
    site = DemoSite(folder_of(tmp_path_factory))
    site.start()
    yield site
    site.kill()
