"""The settings of the site with a GitHub and an ORCID of this machine in place of the real ones."""

import os
import socket

from leaderboard.settings import *  # noqa: F403 (as Django's settings are extended)
from leaderboard.settings import SOCIALACCOUNT_PROVIDERS

SOCIALACCOUNT_PROVIDERS["github"]["GITHUB_URL"] = os.environ["GITHUB_HERE"]
SOCIALACCOUNT_PROVIDERS["orcid"]["BASE_DOMAIN"] = os.environ["ORCID_HERE"]

_known = socket.getaddrinfo


def _or_loopback(host, *rest, **named):
    """Names under ``.localhost`` are this machine (RFC 6761); not every resolver says so."""
    is_here = isinstance(host, str) and host.endswith(".localhost")
    return _known("127.0.0.1" if is_here else host, *rest, **named)


socket.getaddrinfo = _or_loopback  # type: ignore[assignment] # the same with fewer words
