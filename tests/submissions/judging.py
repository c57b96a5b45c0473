"""What tests of the judge step share beside the fixtures ``endpoint``, ``chat`` and ``run``."""

from submissions.services import score

COUNTED = {"usage": {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}}
# At these prices a call costs 0.0012.
PRICED = {"price_in": "1", "price_out": "10"}


def go_through(run):
    while score.work(run):
        pass
    run.refresh_from_db()
    return run


def waiting(run):
    return run.items.filter(judged=None).count()
