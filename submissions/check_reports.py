"""The report on an archive for its readers: one function, whatever shows it.

Whoever may not see the items of a split reads of files only. A refused archive is free, so a report
that told scenarios, pairs or dialogues would give a hidden split away file by file.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scoring.archive.members import shown
from scoring.check.report import finding_to_json
from scoring.rules import finding
from submissions.models import Submission
from submissions.permissions import can_see_check, can_see_items
from submissions.services.stored import SEPARATOR

Report = dict[str, Any]
# What a length is compared with tells the scenario of a clean recording: some are not compared.
LENGTHS = ("audio-shorter-than-user", "audio-longer-than-user", "audio-not-on-users-clock")
SAME, TWICE = "audio-same-as-partner", "audio-duplicate"


def report_for(user: Any, submission: Submission) -> Report | None:
    """The report as a reader may have it; ``None`` where there is none, or not for this reader."""
    report = submission.check_report
    if report is None or not can_see_check(user, submission):
        return None
    if can_see_items(user, submission.split):
        return {key: value for key, value in report.items() if key != "members"}
    return files_only(report)


def files_only(report: Mapping[str, Any]) -> Report:
    """What a report says of files alone: no scenario, no pair, no order of the manifest."""
    kinds = {
        shown(name): key.rpartition(SEPARATOR)[2] for key, name in report.get("members", {}).items()
    }
    kept = [*_findings(report.get("findings", []), kinds)]
    order = list(dict.fromkeys(one["code"] for one in kept))
    kept.sort(key=lambda one: (order.index(one["code"]), one["path"]))
    hidden = ("members", "counts")
    own = {key: value for key, value in report.items() if key not in hidden}
    return {**own, "findings": kept, "counts": []}


def _findings(found: Iterable[Report], kinds: Mapping[str, str]) -> Iterator[Report]:
    same = 0
    for one in found:
        kind = kinds.get(one["path"])
        values = one.get("values") or {}
        if one["code"] == SAME:
            same += int(values.get("count", "1").replace(",", ""))
        elif one["code"] == TWICE and kinds.get(values.get("first", "")) != kind:
            same += 1
        elif not (one["code"] in LENGTHS and kind == "clean"):
            yield one
    if same:
        yield finding_to_json(finding(f"{SAME}:untold", count=f"{same:,}"))
