"""The nine scenarios of HumDial-FDBench and the rules that differ between them.

Conventions: ``slug`` is ours (protocol 1.1); a *script* is a slug with its part, as the official
scripts are run: third-party speech has the two scripts ``third_party_after`` and
``third_party_before``.
"""

from dataclasses import dataclass
from enum import Enum

from scoring.errors import ScenarioError


class Measure(Enum):
    """How an item of a script is judged."""

    RESPOND = "C_RESPOND"
    RESUME = "C_RESUME"
    TIMESTAMP = "timestamp"

    @property
    def is_judged(self) -> bool:
        """Whether a judge labels the item (and a clean recording is needed for it)."""
        return self is not Measure.TIMESTAMP


@dataclass(frozen=True, slots=True)
class Script:
    """One official script run: a scenario, or a part of one.

    Attributes:
        slug: name of the script.
        scenario: slug of the scenario it belongs to.
        part: ``after``, ``before`` or empty.
        group: ``interruption`` or ``rejection``.
        measure: what counts as success.
        question: index of the annotated segment whose end starts the first-response clock.
        segments: how many annotated segments an item must have.
        accepts_zero: whether a delay of exactly 0 counts in official mode (decision 24).
    """

    slug: str
    scenario: str
    part: str
    group: str
    measure: Measure
    question: int = 0
    segments: int = 2
    accepts_zero: bool = False

    @property
    def event(self) -> int | None:
        """Index of the annotated segment the scenario is about; ``None`` for a pause inside one."""
        return {"pause_handling": None, "third_party_before": 0, "directed_at_others": 2}.get(
            self.slug, 1
        )


def _interruption(slug: str) -> Script:
    return Script(slug, slug, "", "interruption", Measure.RESPOND)


SCRIPTS: dict[str, Script] = {
    script.slug: script
    for script in (
        *map(
            _interruption,
            ("follow_up", "negation", "repetition", "topic_switch", "silence_stop"),
        ),
        Script("backchannels", "backchannels", "", "rejection", Measure.RESUME, accepts_zero=True),
        Script("pause_handling", "pause_handling", "", "rejection", Measure.TIMESTAMP, segments=1),
        Script("third_party_after", "third_party", "after", "rejection", Measure.RESUME),
        Script("third_party_before", "third_party", "before", "rejection", Measure.TIMESTAMP, 1),
        Script("directed_at_others", "directed_at_others", "", "rejection", Measure.RESUME, 0, 3),
    )
}

# The five interruption scripts share one rule and may be named by their group.
_GROUP_RULES = {"interruption": SCRIPTS["follow_up"]}

INTERRUPTION = ("follow_up", "negation", "repetition", "topic_switch", "silence_stop")
REJECTION = ("backchannels", "pause_handling", "third_party", "directed_at_others")
SCENARIOS = (*INTERRUPTION, *REJECTION)


def script(slug: str) -> Script:
    """Return the rules of a script.

    Raises:
        ScenarioError: the name is unknown, or is ``third_party`` without its part.
    """
    found = SCRIPTS.get(slug) or _GROUP_RULES.get(slug)
    if found is None:
        raise ScenarioError(
            f"Scenario {slug!r} is unknown.", cure=f"Use one of {', '.join(SCRIPTS)}."
        )
    return found
