"""The offline judge on the example split, with clean and with noisy transcripts."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scoring.dialogue import Transcript, Word
from scoring.judge import Exchange, Verdict, load
from scoring.judge.words import normal
from scoring.reasons import worded

MINI: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data/judge_mini.json").read_text(encoding="utf-8")
)
ROLES = ("input_clean", "input_noisy", "output_clean", "output_noisy")
MISHEARD = {
    "cn": "时是以机会事工成家市力石实世识视山三伤商上声生身圣",
    "en": [
        "their",
        "tree",
        "and",
        "wind",
        "four",
        "too",
        "bee",
        "sea",
        "way",
        "whole",
        "right",
        "know",
    ],
}


def said(*words: tuple[str, float, float]) -> Transcript:
    return Transcript(" ".join(word[0] for word in words), tuple(Word(*word) for word in words))


def spread(text: str, start: float, step: float = 0.3) -> list[tuple[str, float, float]]:
    return [
        (word, start + step * at, start + step * (at + 1)) for at, word in enumerate(text.split())
    ]


def exchange_of(row: dict[str, Any]) -> Exchange:
    return Exchange(*(said(*map(tuple, row[role])) for role in ROLES))


def judged(exchange: Exchange) -> Verdict:
    return load("offline").judge([exchange])[0]


def right(language: str, *, error_rate: float, seed: int = 0) -> int:
    """How many of the 24 labels are right when the transcripts are corrupted."""
    rng = random.Random(seed)
    rows = [row for row in MINI if row["language"] == language]
    exchanges = [corrupted(exchange_of(row), language, error_rate, rng) for row in rows]
    verdicts = load("offline").judge(exchanges)
    return sum(one.label == row["label"] for one, row in zip(verdicts, rows, strict=True))


def corrupted(exchange: Exchange, language: str, rate: float, rng: random.Random) -> Exchange:
    """Mishear words and shake times by up to 0.1 s, in each of the four transcripts on its own."""

    def misheard(word: Word) -> Word:
        shake = rng.uniform(-0.1, 0.1) if rate else 0.0
        text = rng.choice(MISHEARD[language]) if rng.random() < rate else word.text
        return Word(text, max(0.0, (word.start or 0.0) + shake), (word.end or 0.0) + shake)

    parts = (sorted(map(misheard, getattr(exchange, role).words), key=_start) for role in ROLES)
    return Exchange(*(Transcript("", tuple(words)) for words in parts))


def _start(word: Word) -> float:
    return word.start or 0.0


@pytest.mark.parametrize("language", ["cn", "en"])
def test_all_labels_of_the_example_split_are_right(language: str) -> None:
    rows = [row for row in MINI if row["language"] == language]
    verdicts = load("offline").judge([exchange_of(row) for row in rows])
    table = Counter((row["label"], one.label) for row, one in zip(rows, verdicts, strict=True))
    assert table == {("C_RESPOND", "C_RESPOND"): 13, ("C_RESUME", "C_RESUME"): 11}


@pytest.mark.parametrize("language", ["cn", "en"])
@pytest.mark.parametrize(("error_rate", "at_least"), [(0.1, 23), (0.2, 21)])
def test_labels_stay_mostly_right_when_words_are_misheard(
    language: str, error_rate: float, at_least: int
) -> None:
    assert min(right(language, error_rate=error_rate, seed=seed) for seed in range(3)) >= at_least


def test_every_reason_quotes_words_and_seconds() -> None:
    for verdict in load("offline").judge([exchange_of(row) for row in MINI]):
        told = worded(verdict.reason)
        assert told.endswith(".")
        assert told[0].isupper()
        assert '"' in told
        assert " s" in told


def test_the_judge_says_that_it_is_unofficial_and_uses_no_raw_reply() -> None:
    offline = load("offline")
    verdict = offline.judge([exchange_of(MINI[0])])[0]
    assert (offline.name, offline.unofficial, offline.prompt) == ("offline", True, verdict.prompt)
    assert (verdict.raw, verdict.agreement, verdict.judged) == ((), None, True)
    assert offline.signature == f"offline/{verdict.asked}"


QUESTION = said(*spread("why do birds sing", 0.3))
ANSWER = said(*spread("they sing to find a partner and to keep other birds away from home", 2.0))


def test_a_silent_output_is_unknown() -> None:
    noisy = said(*spread("why do birds sing", 0.3), *spread("and at night", 5.0))
    verdict = judged(Exchange(QUESTION, noisy, ANSWER, Transcript("")))
    assert (verdict.label, "silent" in verdict.reason) == ("C_UNKNOWN", True)


def test_equal_user_recordings_hold_no_event() -> None:
    verdict = judged(Exchange(QUESTION, QUESTION, ANSWER, ANSWER))
    assert (verdict.label, "No event" in verdict.reason) == ("C_UNKNOWN", True)


def test_an_event_that_was_not_transcribed_is_resumed_when_the_answer_is_the_same() -> None:
    long = said(*spread("they sing to find a partner " * 5, 2.0))
    verdict = judged(Exchange(QUESTION, QUESTION, long, long))
    assert (verdict.label, "not transcribed" in verdict.reason) == ("C_RESUME", True)
    other = said(
        *spread("they sing to find a partner", 2.0), *spread("yes what else can i do", 6.5)
    )
    assert judged(Exchange(QUESTION, QUESTION, long, other)).label == "C_UNKNOWN"


def test_four_silent_transcripts_are_unknown_and_no_accident() -> None:
    assert judged(Exchange(*[Transcript("")] * 4)).label == "C_UNKNOWN"


def test_words_without_times_do_not_stop_the_judge() -> None:
    words = tuple(Word(text, None, None) for text in ("why", "so", "soon"))
    nan = tuple(Word("why", float("nan"), float("inf")) for _ in range(3))
    for odd in (words, nan):
        assert judged(Exchange(*[Transcript("", odd)] * 4)).label == "C_UNKNOWN"


def test_a_last_word_of_the_question_heard_twice_differently_is_not_the_event() -> None:
    noisy = said(*spread("why do birds sting", 0.3), *spread("and at night", 5.0))
    verdict = judged(Exchange(QUESTION, noisy, ANSWER, ANSWER))
    assert '"and at night" (5.00-5.90 s)' in verdict.reason


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        ("I DIDN\u2019T, you're OK!", ["i", "did", "not", "you", "are", "okay"]),
        ("請問米飯怎麼煮?", list("请问米饭怎么煮")),
        ("uh-huh ３００ Wi-Fi 可以", ["uh", "huh", "300", "wi", "fi", "可", "以"]),
        ("\u2026 --", []),
    ],
)
def test_speech_is_compared_in_normal_form(written: str, tokens: list[str]) -> None:
    assert normal(written) == tokens
