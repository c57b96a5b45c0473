"""The example of a proxy knows where archives come in: there nothing is held up or cut off."""

import re
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils.translation import override

CONF = (Path(__file__).parents[1] / "docker" / "nginx.conf").read_text(encoding="utf-8")
ARCHIVES = re.search(r"location ~ (\S+) \{(.*?)\n    \}", CONF, re.DOTALL)
KEY = "00000000-0000-0000-0000-000000000000"


def address(name, *args, language="en"):
    with override(language):
        return reverse(name, args=args)


@pytest.mark.parametrize(
    "place",
    [
        address("uploads"),
        address("upload", KEY),
        address("upload-plain"),
        address("submit"),
        address("submit", language="zh-hans"),
        "/api/v1/submissions/",
    ],
)
def test_archives_go_through_as_they_come(place):
    assert re.search(ARCHIVES[1], place)
    assert "proxy_request_buffering off;" in ARCHIVES[2]
    assert "client_max_body_size 0;" in ARCHIVES[2]


@pytest.mark.parametrize(
    "place", [address("login"), address("submit") + "dev/files.csv", address("home")]
)
def test_other_pages_take_no_archive(place):
    assert not re.search(ARCHIVES[1], place)
