"""English words through the real onnx-asr code, on a transducer that was made small here."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from scoring import asr
from scoring.asr import Samples, Transcriber, parakeet
from scoring.dialogue import Segment, Transcript, Word
from scoring.errors import EngineError
from tests.scoring import sounds, tiny_models

# "hello, there." in five tokens, and the frames of 80 ms that each skips.
SAYS = ((2, "▁hel"), (1, "lo"), (0, ","), (4, "▁there"), (1, "."))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Transcriber:
    folder = tiny_models.parakeet(tmp_path_factory.mktemp("parakeet"), says=SAYS)
    return asr.load("parakeet", model=folder)


def one_second_at(second: int, seconds: int = 4) -> Samples:
    samples = sounds.silence(16_000 * seconds)
    samples[16_000 * second : 16_000 * (second + 1)] = sounds.noise(16_000)
    return samples


def test_tokens_become_words_with_starts_and_ends(tiny: Transcriber) -> None:
    (one,) = tiny.transcribe([one_second_at(1)], [[Segment(1.0, 2.0)]])
    assert one.transcript.text == "hello, there."
    first, second = one.transcript.words
    assert first.text == "hello,"
    assert first.start == pytest.approx(1.0, abs=0.09)
    assert second.start == pytest.approx((first.start or 0) + 0.24)
    assert first.end == second.start
    assert second == Word("there.", second.start, 2.0)  # to the end of voice activity
    assert one.transcript.problems(4.0) == []


def test_each_recording_is_heard_by_itself(tiny: Transcriber) -> None:
    recordings = [one_second_at(0, 2), one_second_at(3)]
    speech = [[Segment(0.0, 1.0)], [Segment(3.0, 4.0)]]
    early, late = tiny.transcribe(recordings, speech)
    assert late == tiny.transcribe(recordings[1:], speech[1:])[0]
    assert (early.transcript.first_start or 0) < 0.1
    assert (late.transcript.first_start or 0) > 2.8


@pytest.mark.parametrize("count", [0, 399, 48_000])
def test_silence_and_next_to_nothing_are_silent(tiny: Transcriber, count: int) -> None:
    assert tiny.transcribe([np.zeros(count, np.float32)], [[]]) == [asr.Heard(Transcript(""), ())]


def test_the_engine_name_says_weights_and_how_ends_are_made(tiny: Transcriber) -> None:
    assert tiny.engine.startswith("onnx-asr-0.12.0/nemo-parakeet-tdt-0.6b-v2-")
    assert tiny.engine.endswith("/ends-by-next-word-and-vad")
    assert (tiny.languages, tiny.unofficial) == (("en",), False)


def test_a_folder_may_be_named_as_text(tmp_path: Path) -> None:
    folder = tiny_models.parakeet(tmp_path / "weights", says=((1, "▁yes"),))
    (one,) = asr.load("parakeet", model=str(folder)).transcribe([one_second_at(1)], [[]])
    assert one.transcript.text == "yes"


def result(text: str, tokens: list[str] | None, times: list[float] | None) -> SimpleNamespace:
    return SimpleNamespace(text=text, tokens=tokens, timestamps=times)


@pytest.mark.parametrize(
    ("speech", "ends"),
    [
        # The next word starts before voice activity stops, and after it.
        ([Segment(0.9, 4.0)], (2.0, 4.0)),
        ([Segment(0.9, 1.6), Segment(1.9, 2.3)], (1.6, 2.3)),
        # No voice activity where the last word starts: one step of the engine.
        ([Segment(0.9, 1.6)], (1.6, 2.08)),
        ([], (2.0, 2.08)),
    ],
)
def test_a_word_ends_at_the_next_word_or_where_speech_stops(
    speech: list[Segment], ends: tuple[float, float]
) -> None:
    one = parakeet.words_of(result("a b", [" a", " b"], [1.0, 2.0]), speech)
    assert [(word.start, word.end) for word in one.transcript.words] == [
        (1.0, ends[0]),
        (2.0, pytest.approx(ends[1])),
    ]


def test_speech_that_stops_inside_a_word_does_not_end_it_before_its_last_token() -> None:
    speech = [Segment(0.9, 1.1), Segment(1.4, 1.7)]
    one = parakeet.words_of(result("ab", [" a", "b"], [1.0, 1.5]), speech)
    assert one.transcript.words == (Word("ab", 1.0, 1.7),)


def test_a_lone_space_token_belongs_to_the_word_after_it() -> None:
    one = parakeet.words_of(result("é no", ["▁", "é", "▁no"], [0.0, 0.08, 0.4]), [])
    assert [word.text for word in one.transcript.words] == ["é", "no"]


@pytest.mark.parametrize("empty", [result("", [], []), result(" ", None, None)])
def test_no_text_is_silent(empty: SimpleNamespace) -> None:
    assert parakeet.words_of(empty, []) == asr.Heard(Transcript(""), ())


@pytest.mark.parametrize("bare", [result("hi", None, None), result("hi", [" hi"], None)])
def test_words_without_times_name_the_model_that_lacks_them(bare: SimpleNamespace) -> None:
    with pytest.raises(EngineError, match=r"nemo-parakeet-tdt-0\.6b-v2 gives words without") as no:
        parakeet.words_of(bare, [])
    assert no.value.code == "engine-without-times"
