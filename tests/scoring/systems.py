"""Made-up systems for tests of intervals: items as a score report has them, drawn by a seed."""

import numpy as np

from scoring.dialogue import Segment
from scoring.evidence import ItemResult
from scoring.humdial import SCRIPTS
from scoring.humdial.statistic import components
from scoring.report import item_to_json
from tests import builders


def items(quality=0.7, seed=0, per_stratum=20, scripts=SCRIPTS, languages=("cn", "en")):
    """Results of one system; ``quality`` is its share of successes."""
    random = np.random.default_rng(seed)
    return [
        _item(random, quality, script, language, number)
        for language in languages
        for script in scripts
        for number in range(per_stratum)
    ]


def _item(random, quality, script, language, number) -> ItemResult:
    rules = SCRIPTS[script]
    success = bool(random.random() < quality)
    fields = {
        "success": success,
        "labels": _labels(rules, success),
        "first_response_delay": _maybe(random, success and random.random() < 0.9),
    }
    if rules.group == "interruption":
        fields |= {name: _segments(random) for name in ("stop", "response")}
    return builders.result(script, language, f"{number:04d}_0001", **fields)


def _labels(rules, success):
    if not rules.measure.is_judged:
        return ()
    return (rules.measure.value if success else "C_UNKNOWN",)


def _maybe(random, there):
    return float(random.exponential(1.2)) if there else None


def _segments(random):
    lengths = random.exponential(0.8, random.integers(0, 3))
    return tuple(Segment(float(at), float(at + length)) for at, length in enumerate(lengths))


def parts(found, mode="strict"):
    """Components of such results."""
    return components([item_to_json(one) for one in found], mode)


def system(quality=0.7, mode="strict", **fields):
    """Components of a made-up system."""
    return parts(items(quality, **fields), mode)
