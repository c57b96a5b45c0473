"""File and folder names of HumDial: what a name says, and which names a submission must hold.

Conventions: a *stem* is a file name without folders and suffix. A dialogue id is ``DDDD_NNNN``,
optionally with ``_add`` (a different dialogue that shares the number) or, for third-party speech
before the question only, ``_before`` (decision 22). Two families of names exist: the *scoring*
layout (``X_output.wav``, ``clean_X_output.wav``) and the anonymous *challenge* layout
(``test-N_output.wav``, ``clean-N_output.wav``). Protocol 1.1, 1.4 and 1.6.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scoring.humdial.scenarios import script
from scoring.manifest import ExpectedFile, Item, Kind, Manifest

ROOT = "HD-Track2"
TREE = f"{ROOT}/test/test-{{id}}_output.wav, {ROOT}/clean/clean-{{id}}_output.wav"

# The patterns of the official scripts (protocol 1.4), with the meaning Python gives them: \d takes
# the digits of every script. They read whole file names, the timing pattern reads a stem.
_TRANSCRIBED = re.compile(r"^(clean_)?\d{4}_\d{4}(_add|_before)?(_output)?\.wav$")
_TIMING = re.compile(r"^\d{4}_\d{4}(_add)?$")
_JUDGED = re.compile(r"^(clean_)?(\d{4}_\d{4}(_add)?)(_output)?\.json$")

_SCORING = re.compile(r"(clean_)?([0-9]{4}_[0-9]{4}(?:_add|_before)?)(_output)?")
_CHALLENGE = re.compile(r"(test|clean)-(.+?)(_output)?")

Role = Literal["input_noisy", "input_clean", "output_noisy", "output_clean"]
Family = Literal["scoring", "challenge"]


def is_transcribed(stem: str) -> bool:
    """Whether the official transcription step takes ``{stem}.wav``."""
    return _TRANSCRIBED.match(f"{stem}.wav") is not None


def is_timing_user_file(stem: str) -> bool:
    """Whether the official timing step takes the stem as a user recording."""
    return _TIMING.match(stem) is not None


def judge_group(stem: str) -> tuple[str, Role] | None:
    """Dialogue id and role that the official judge step reads from ``{stem}.json``.

    Returns:
        For example ``("0001_5538", "output_clean")``; ``None`` when the step ignores the file,
        as it does with every ``_before`` (decision 22).
    """
    match = _JUDGED.match(f"{stem}.json")
    if match is None:
        return None
    roles: dict[tuple[bool, bool], Role] = {
        (False, False): "input_noisy",
        (True, False): "input_clean",
        (False, True): "output_noisy",
        (True, True): "output_clean",
    }
    return match[2], roles[bool(match[1]), bool(match[4])]


class RecordingName(NamedTuple):
    """What the stem of a recording says.

    Attributes:
        family: which of the two layouts the name belongs to.
        kind: ``test`` (with the event) or ``clean``.
        id: dialogue id in the scoring layout, test id or clean id in the challenge layout.
        side: who is heard, ``user`` or ``output`` (the model).
    """

    family: Family
    kind: Kind
    id: str
    side: Literal["user", "output"]


def parse(stem: str) -> RecordingName | None:
    """Read the stem of a recording in either family; ``None`` when it is in neither."""
    if match := _SCORING.fullmatch(stem):
        kind: Kind = "clean" if match[1] else "test"
        return RecordingName("scoring", kind, match[2], "output" if match[3] else "user")
    if match := _CHALLENGE.fullmatch(stem):
        kind = "clean" if match[1] == "clean" else "test"
        return RecordingName("challenge", kind, match[2], "output" if match[3] else "user")
    return None


def may_carry(item: Item) -> bool:
    """Whether the item may have its id: ``_before`` is for one script only (D2, decision 22)."""
    return item.script == "third_party_before" or not item.item.endswith("_before")


@dataclass(frozen=True, slots=True)
class Place:
    """What the folders of a path say about an item; empty where they say nothing."""

    language: str = ""
    scenario: str = ""
    part: str = ""

    def contradicts(self, item: Item) -> bool:
        """Whether the folders name another language, scenario or part than the item's."""
        pairs = (
            (self.language, item.language),
            (self.scenario, item.scenario),
            (self.part, item.part),
        )
        return any(said and said != true for said, true in pairs)


# Names of one scenario in paper, website, dev folders, release and result files (protocol 1.1,
# decisions 34 and 40), misspellings included. Case, blanks, hyphens and the like do not matter.
_SCENARIOS = {
    "follow_up": "Follow-up Questions|Follow-up Question|follow_up|ask",
    "negation": "Negation/Dissatisfaction|Negation or Dissatisfaction|Negation|Dissatisfaction|"
    "deny",
    "repetition": "Repetition Requests|Repetition Request|Repetition|repeat",
    "topic_switch": "Topic Switching|Topic Switch|Topic Switches|shift",
    "silence_stop": "Silence/Termination|Silence or Termination|Silence or Stop|Silence/Stop|"
    "Silence|Termination|wait",
    "backchannels": "User Real-time Backchannels|Real-time Backchannels|Backchannels|backchannel",
    "pause_handling": "Pause Handling|pause",
    "third_party": "Third-party Speech|third_party|Third-party peech|others_talk_to_user",
    "directed_at_others": "Speech Directed at Others|Speech Directe at Others|"
    "Speech Directed to Others|Speech Direct at Others|peech Directed at Others|"
    "peech Directe at Others|directed_at_others|directed_to_others|talk_to_others",
}
_LANGUAGES = {
    "cn": "cn|zh|zho|chi|chinese|mandarin|zh-cn|中文|汉语",
    "en": "en|eng|english|en-us|en-gb|英文|英语",
}


def alias_key(name: str) -> str:
    """Reduce a folder name to what counts: letters and digits, without case."""
    return re.sub(r"[\W_]+", "", name.casefold())


def _aliases() -> Iterator[tuple[str, Place]]:
    for slug, text in _SCENARIOS.items():
        for alias in map(alias_key, text.split("|")):
            yield alias, Place(scenario=slug)
            if slug == "third_party":
                for part in ("after", "before"):
                    yield alias + part, Place(scenario=slug, part=part)
    for language, text in _LANGUAGES.items():
        for alias in map(alias_key, text.split("|")):
            yield alias, Place(language=language)


_PLACES = dict(_aliases())


def places() -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Every folder name that means something, by its alias key: language, scenario and part."""
    for alias, place in _PLACES.items():
        yield alias, (place.language, place.scenario, place.part)


def scenario_of(folder: str) -> tuple[str, str] | None:
    """Scenario slug and part that a folder name stands for.

    Args:
        folder: for example ``Follow-up_Questions``, ``ask`` or ``others_talk_to_user_before``.

    Returns:
        The part is empty except for third-party speech whose name says it; ``None`` when the
        name stands for no scenario.
    """
    place = _PLACES.get(alias_key(folder))
    return (place.scenario, place.part) if place and place.scenario else None


def language_of(folder: str) -> str | None:
    """``cn`` or ``en`` when a folder name means a language (cn, zh, Chinese, en, English)."""
    place = _PLACES.get(alias_key(folder))
    return (place.language or None) if place else None


def place_of(path: str) -> Place:
    """Read language, scenario and part from the folders of a path; the innermost one counts.

    ``Negation/Dissatisfaction`` is understood as one name and as two nested folders.
    """
    folders = path.split("/")[:-1]
    language = scenario = part = ""
    for outer, inner in zip(["", *folders], folders, strict=False):
        language = language_of(inner) or language
        found = scenario_of(inner)
        if outer and (joined := scenario_of(outer + inner)):
            found = joined
        if found:
            scenario, part = found
    return Place(language, scenario, part)


def expected_files(manifest: Manifest) -> tuple[ExpectedFile, ...]:
    """Every recording that a submission must hold, in the order of the manifest.

    An item with anonymous ids needs a clean recording where its ``clean_id`` is set; without
    such ids it needs one where its script is judged (protocol 1.2).

    Raises:
        ScenarioError: the scenario of an item without such ids is unknown.
    """
    return tuple(file for item in manifest.items for file in _files_of(item))


def output_name(item: Item, kind: Kind) -> str:
    """File name of an answer in the scoring layout."""
    return f"{'clean_' if kind == 'clean' else ''}{item.item}_output.wav"


def needs_clean(item: Item) -> bool:
    """Whether an answer to the item's clean recording is expected.

    Raises:
        ScenarioError: the item has no anonymous ids, and its scenario is unknown.
    """
    if not item.is_named_by_dialogue:
        return bool(item.clean_id)
    return script(item.script).measure.is_judged


def _files_of(item: Item) -> Iterator[ExpectedFile]:
    yield ExpectedFile(item, "test", _canonical(item, "test", item.test_id))
    if needs_clean(item):
        yield ExpectedFile(item, "clean", _canonical(item, "clean", item.clean_id))


def _canonical(item: Item, kind: Kind, anonymous_id: str) -> str:
    if anonymous_id:
        return f"{ROOT}/{kind}/{kind}-{anonymous_id}_output.wav"
    return f"{item.language}/{item.folder or item.script}/{output_name(item, kind)}"
