"""HumDial-FDBench: behaviour, rejection and latency of full-duplex dialogue systems.

**Conventions.** Times in seconds on the user's clock; Chinese and English are scored apart; two
modes, ``official`` (the published scripts, quirks included) and ``strict`` (our safer reading).

**Measures.** RESPOND after an interruption; RESUME or timestamp rejection of speech that is not
for the machine; stop, response and first-response latency; weighted total (paper sections 4.1-4.3).
"""

from scoring.benchmark import Benchmark, Column
from scoring.humdial import statistic
from scoring.humdial.latency import first_response_delay, intervals
from scoring.humdial.measures import measure
from scoring.humdial.rejection import Rejection, rejection
from scoring.humdial.scenarios import SCENARIOS, SCRIPTS, Measure, script
from scoring.humdial.totals import score_scenarios, total
from scoring.manifest import Item


def is_judged(item: Item) -> bool:
    """Whether a judge labels the item, for which its clean recording is needed too."""
    return script(item.script).measure.is_judged


BENCHMARK = Benchmark(
    slug="humdial-fdbench",
    version="2025-11",
    scenarios=SCENARIOS,
    columns=(
        Column("interruption", "Interruption", "%", 1, higher_is_better=True),
        Column("rejection", "Rejection", "%", 1, higher_is_better=True),
        Column("delay", "Total delay", "s", 3, higher_is_better=False),
        Column("delay_score", "Delay score", "", 1, higher_is_better=True),
        Column("total", "Total", "", 1, higher_is_better=True),
    ),
    is_judged=is_judged,
    measure=measure,
    score_scenarios=score_scenarios,
    total=total,
    parts=statistic.COLUMNS,
    components=statistic.components,
    statistic=statistic.totals,
    counts=statistic.counts_of_totals,
)

__all__ = [
    "BENCHMARK",
    "SCENARIOS",
    "SCRIPTS",
    "Measure",
    "Rejection",
    "first_response_delay",
    "intervals",
    "is_judged",
    "rejection",
    "script",
]
