"""The demonstration as the command line scores it, with the embedded engines, in one process."""

import pickle
from functools import cache

from scoring.evidence import MODES
from scoring.home import Engines, score_submission
from tests.planned import manifest_of
from tests.shared import alone, shared_folder


def scored_at_home(factory, mini, system):
    """What was scored of a system, by mode; heard once in a whole run of the tests."""
    folder = shared_folder(factory, "scored-at-home")
    path = folder / f"{system}.pickle"
    with alone(folder, f"{system}.lock"):
        if not path.exists():
            path.write_bytes(pickle.dumps(_scored(mini, system)))
    return pickle.loads(path.read_bytes())


def _scored(mini, system):
    archive = mini / "submissions" / system / "HD-Track2.zip"
    return {
        mode: score_submission(mini, manifest_of(mini), archive, tools=_tools(), mode=mode)
        for mode in MODES
    }


@cache
def _tools():
    """They remember what they heard, so a second mode costs nothing."""
    return Engines().tools(imported=False)
