"""Which items of a split a reader looks at: read from an address, put into conditions.

Pure: conditions are values that the database answers later. What an address asks for and is not
known here is ignored, never an error.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.humdial import SCENARIOS, SCRIPTS
from scoring.humdial.diagnostics import WORDS as DIAGNOSTICS

OUTCOMES = {
    "failed": _("failed"),
    "success": _("success"),
    "missing": _("missing"),
    "silent": _("silent"),
    "unjudged": _("unjudged"),
    "corrected": _("corrected by a person"),
    "left-out": _("not counted"),
}
LABELS = {
    "RESPOND": "C_RESPOND",
    "RESUME": "C_RESUME",
    "UNCERTAIN": "C_UNCERTAIN_HANDLING",
    "UNKNOWN": "C_UNKNOWN",
}
LANGUAGES = {"cn": "cn", "zh": "cn", "en": "en"}
# Cells of two systems side by side: did the first succeed, did the second? Items that are not
# counted for either system are in none of them.
AGREEMENT = {
    "both": (True, True),
    "only-a": (True, False),
    "only-b": (False, True),
    "neither": (False, False),
}


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """What an address asks for; an empty text asks for nothing."""

    scenario: str = ""
    lang: str = ""
    label: str = ""
    outcome: str = ""
    diagnostic: str = ""
    agree: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str], systems: int) -> Self:
        """Read a query; ``systems`` is how many it names.

        Outcomes need a system, and agreement needs two.
        """
        label = query.get("label", "").upper().removeprefix("C_")
        label = {value.removeprefix("C_"): key for key, value in LABELS.items()}.get(label, label)
        return cls(
            scenario=_known(query.get("scenario"), {**SCRIPTS, **dict.fromkeys(SCENARIOS)}),
            lang=LANGUAGES.get(query.get("lang", ""), ""),
            label=_known(label, LABELS) if systems else "",
            outcome=_known(query.get("outcome"), OUTCOMES) if systems else "",
            diagnostic=_known(query.get("diagnostic"), DIAGNOSTICS) if systems else "",
            agree=_known(query.get("agree"), AGREEMENT) if systems == 2 else "",
        )

    @property
    def query(self) -> dict[str, str]:
        """The same as parameters of an address; only those that ask for something."""
        return {name: value for name, value in asdict(self).items() if value}

    def of_item(self) -> Q:
        """Condition on an item."""
        found = Q(language=self.lang) if self.lang else Q()
        if self.scenario in SCENARIOS:
            return found & Q(scenario=self.scenario)
        if self.scenario:
            rules = SCRIPTS[self.scenario]
            return found & Q(scenario=rules.scenario, part=rules.part)
        return found

    def of_results(self, mode: str, systems: int) -> list[Q]:
        """Conditions on the results of each system, in their order.

        Outcome, label and diagnostic are about the first system.
        """
        found = [Q() for _system in range(systems)]
        if not found:
            return []
        found[0] = self._outcome(mode) & self._label(mode) & self._diagnostic(mode)
        for index, success in enumerate(AGREEMENT.get(self.agree, ())):
            found[index] &= Q(**{f"{mode}__success": success})
        return found

    def _outcome(self, mode: str) -> Q:
        conditions: dict[str, dict[str, Any]] = {
            "failed": {"success": False},
            "success": {"success": True},
            "missing": {"received": False},
            "silent": {"silent": True},
            "left-out": {"counted": False},
        }
        if self.outcome == "unjudged":
            # The reason is null where there is a label, or none is asked for.
            return Q(**{f"{mode}__isnull": False}) & ~Q(**{f"{mode}__unjudged": None})
        if self.outcome == "corrected":
            return Q(**{f"{mode}__has_key": "correction"})
        asked = conditions.get(self.outcome, {})
        return Q(**{f"{mode}__{name}": value for name, value in asked.items()})

    def _label(self, mode: str) -> Q:
        # An item may have several labels, stored as one text.
        return Q(**{f"{mode}__label__icontains": LABELS[self.label]}) if self.label else Q()

    def _diagnostic(self, mode: str) -> Q:
        return Q(**{f"{mode}__diagnostics__{self.diagnostic}": True}) if self.diagnostic else Q()


def _known(value: str | None, values: Mapping[str, Any]) -> str:
    return value if value is not None and value in values else ""
