"""The embedded transcribers place words where voice activity hears them."""

import pytest

from scoring.asr import _whisper, turns
from scoring.asr.turns import Piece
from scoring.dialogue import Segment, Word


def test_short_pauses_stay_inside_a_turn_and_long_ones_part_turns() -> None:
    speech = [(1.0, 2.0), (2.5, 3.0), (3.6, 4.0)]
    assert turns.turns_of([Segment(*pair) for pair in speech]) == [(1.0, 3.0), (3.6, 4.0)]


def test_a_turn_is_never_longer_than_the_window() -> None:
    speech = [Segment(0, 20), Segment(20.2, 27), Segment(27.1, 35)]
    assert turns.turns_of(speech) == [(0, 27), (27.1, 35)]


def test_speech_without_a_pause_is_cut_into_equal_parts() -> None:
    assert turns.turns_of([Segment(10, 70)]) == [(10, 30), (30, 50), (50, 70)]


def test_no_speech_has_no_turns() -> None:
    assert turns.turns_of([]) == []


def texts(pieces: list[Piece]) -> list[tuple[str, float, float]]:
    return [(one.text, round(one.start, 3), round(one.end, 3)) for one in pieces]


def test_english_pieces_join_to_words_with_their_punctuation() -> None:
    spelled = [(" Hel", 0), ("lo", 1), (",", 2), (" it", 3), ("'s", 4), (" two", 5), ("-", 6)]
    pieces = [Piece(text, at, at + 1) for text, at in [*spelled, ("way", 7), (" ...", 8)]]
    assert texts(list(turns.english(pieces))) == [
        ("Hello,", 0, 3),
        ("it's", 3, 5),
        ("two-way", 5, 8),
    ]


def test_chinese_pieces_split_into_characters_evenly_and_lose_punctuation() -> None:
    pieces = [Piece("需要", 1.0, 1.6), Piece("，", 1.6, 1.7), Piece("花", 1.7, 2.0)]
    assert texts(list(turns.chinese(pieces))) == [
        ("需", 1.0, 1.3),
        ("要", 1.3, 1.6),
        ("花", 1.7, 2.0),
    ]


def test_foreign_words_in_chinese_stay_whole() -> None:
    pieces = [
        Piece("用", 0, 1),
        Piece("G", 1, 2),
        Piece("PT", 2, 3),
        Piece(" 4", 3, 5),
        Piece("。", 5, 6),
    ]
    assert texts(list(turns.chinese(pieces))) == [("用", 0, 1), ("GPT", 1, 3), ("4", 4, 5)]


def test_the_first_word_starts_where_voice_activity_does() -> None:
    stretched = [Piece("so", 0.8, 1.9), Piece("far", 1.9, 2.2)]
    assert turns.inside(Segment(1.5, 3.0), stretched) == [
        Word("so", 1.5, 1.9),
        Word("far", 1.9, 2.2),
    ]


@pytest.mark.parametrize("late", [Piece("x", 2.9, 3.4), Piece("x", 3.1, 3.4), Piece("x", 0.1, 9)])
def test_no_word_leaves_its_turn_or_runs_backwards(late: Piece) -> None:
    first, last = turns.inside(Segment(1.5, 3.0), [Piece("a", 1.4, 1.2), late])
    assert first == Word("a", 1.5, 1.5)
    assert 1.5 <= (last.start or 0) <= (last.end or 0) <= 3.0


def test_a_turn_without_words_gets_none() -> None:
    assert turns.inside(Segment(0, 1), []) == []


@pytest.mark.parametrize(
    ("character", "simplified"),
    [
        ("为", True),
        ("為", False),
        ("难", True),
        ("難", False),
        ("a", True),
        ("。", True),
        ("の", False),
    ],
)
def test_traditional_characters_are_told_from_simplified_ones(
    character: str, simplified: bool
) -> None:
    assert _whisper.is_simplified(character) is simplified


def test_a_repeated_prompt_is_recognised_whatever_its_punctuation() -> None:
    prompt = "以下是普通话的句子。"
    assert _whisper.echoes("好，以下是，普通话的句子", prompt)
    assert not _whisper.echoes("以下是三个句子。", prompt)
    assert not _whisper.echoes("anything", "")


def test_a_loop_is_told_from_a_sentence_said_twice() -> None:
    assert _whisper.loops("问" * 60)
    assert not _whisper.loops("You need a large pot. I said: you need a large pot.")
