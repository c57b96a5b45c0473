"""The API, version 1: what the pages know, for programs. Nothing here knows more than a page.

Conventions: absent is ``null``, times are ISO 8601 in UTC, lists are paged by ``limit`` and
``offset``. Whoever may not see something is told that it does not exist.
"""

from ninja import NinjaAPI
from ninja.throttling import AnonRateThrottle, AuthRateThrottle

from leaderboard.api import boards, me, splits, submissions, systems
from leaderboard.api.errors import add_handlers

DESCRIPTION = """
Boards, splits, systems and submissions of the leaderboard.

Reading what is public needs nothing. A personal token (`Authorization: Bearer fdl_…`, made on your
account page) reads what your teams may see; one of scope *submit* hands in and withdraws as well.
Large archives go up by tus 1.0 to `/uploads/`, which resumes, or as one body to `/uploads/plain/`.
"""

# Many times what a page-by-page reader needs, and far less than what would be felt.
ANONYMOUS_RATE, KNOWN_RATE = "300/m", "1200/m"

api = NinjaAPI(
    title="Full-Duplex Leaderboard",
    version="1",
    description=DESCRIPTION,
    urls_namespace="api",
    docs_url=None,
    throttle=[AnonRateThrottle(ANONYMOUS_RATE), AuthRateThrottle(KNOWN_RATE)],
)
api.add_router("/boards", boards.router)
api.add_router("/splits", splits.router)
api.add_router("/systems", systems.router)
api.add_router("/submissions", submissions.router)
api.add_router("/me", me.router)
add_handlers(api)
