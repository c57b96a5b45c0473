"""The site's own settings with one empty view more, to compare with."""

from leaderboard.settings import *  # noqa: F403 - settings are a module of names

ROOT_URLCONF = "tests.bench.board_urls"
