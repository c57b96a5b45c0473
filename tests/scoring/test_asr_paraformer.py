"""Chinese words through the real FunASR code, on models that were made small here."""

import logging
import random
from pathlib import Path

import numpy as np
import pytest
import torch

from scoring import asr
from scoring.asr import Transcriber, paraformer
from scoring.dialogue import Segment, Transcript, Word
from scoring.errors import EngineError
from scoring.reasons import worded
from tests.scoring import sounds, tiny_models

SPEECH = [Segment(0.5, 1.5), Segment(2.0, 3.0)]


@pytest.fixture(scope="module")
def hearing(tmp_path_factory: pytest.TempPathFactory) -> Transcriber:
    folder = tiny_models.paraformer(tmp_path_factory.mktemp("hearing"))
    return asr.load("paraformer", model=folder)


@pytest.fixture(scope="module")
def mute(tmp_path_factory: pytest.TempPathFactory) -> Transcriber:
    folder = tiny_models.paraformer(tmp_path_factory.mktemp("mute"), fires=tiny_models.NEVER_FIRES)
    return asr.load("paraformer", model=folder)


def test_words_come_with_rising_times_in_seconds(hearing: Transcriber) -> None:
    (one,) = hearing.transcribe([sounds.noise(64_000)], [SPEECH])
    words = one.transcript.words
    assert len(words) > 4
    assert {word.text for word in words} <= {*tiny_models.TOKENS, "hello"}
    assert one.transcript.text == " ".join(word.text for word in words)
    assert one.transcript.problems(4.0) == []
    assert 1 < (words[-1].end or 0) <= 4.5
    assert one.notes == ()


def test_each_recording_is_heard_by_itself(hearing: Transcriber) -> None:
    first, second = sounds.noise(64_000, 1), sounds.noise(48_000, 2)
    together = hearing.transcribe([first, second], [SPEECH, SPEECH])
    assert together == [
        *hearing.transcribe([first], [SPEECH]),
        *hearing.transcribe([second], [SPEECH]),
    ]


def test_nothing_recognised_and_no_speech_heard_is_silent(mute: Transcriber) -> None:
    (one,) = mute.transcribe([sounds.silence(48_000)], [[]])
    assert one.transcript == Transcript("")
    assert one.notes == ()


def test_an_empty_recording_with_speech_is_heard_again_by_segment(mute: Transcriber) -> None:
    (one,) = mute.transcribe([sounds.noise(64_000)], [SPEECH])
    assert one.transcript.is_silent
    assert one.notes == (paraformer.AGAIN, paraformer.STILL_SILENT)


def test_words_of_a_segment_are_on_the_clock_of_the_recording(tmp_path: Path) -> None:
    deaf = asr.load("paraformer", model=tiny_models.paraformer(tmp_path, vad_hears=False))
    samples = sounds.noise(64_000)
    (one,) = deaf.transcribe([samples], [SPEECH])
    assert one.notes == (paraformer.AGAIN,)
    starts = [word.start or 0 for word in one.transcript.words]
    assert len([start for start in starts if 0.5 <= start < 1.5]) >= 2
    assert len([start for start in starts if 2.0 <= start < 3.0]) >= 2
    assert all(0.5 <= start < 1.5 or 2.0 <= start < 3.0 for start in starts)
    alone = deaf.transcribe([samples[8_000:24_000]], [[Segment(0.0, 1.0)]])[0].transcript.words
    assert starts[0] == pytest.approx(0.5 + (alone[0].start or 0))


@pytest.mark.parametrize("count", [0, 1, 399])
def test_less_than_one_frame_is_silent(hearing: Transcriber, count: int) -> None:
    (one,) = hearing.transcribe([sounds.noise(count)], [[Segment(0, 0.02)]])
    assert one == asr.Heard(Transcript(""), ())


def test_the_engine_leaves_no_traces_in_the_process(hearing: Transcriber) -> None:
    random.seed(7)
    np.random.seed(7)
    torch.manual_seed(7)
    expected = (random.Random(7).random(), np.random.RandomState(7).rand())
    drawn = torch.rand(1, generator=torch.Generator().manual_seed(7))
    root, threads = logging.getLogger(), torch.get_num_threads()
    handlers, level = list(root.handlers), root.level
    hearing.transcribe([sounds.noise(32_000)], [SPEECH])
    assert (random.random(), np.random.rand()) == expected
    assert torch.equal(torch.rand(1), drawn)
    assert torch.get_num_threads() == threads
    assert (root.handlers, root.level) == (handlers, level)


def test_the_engine_name_tells_weights_apart(hearing: Transcriber, mute: Transcriber) -> None:
    assert hearing.engine != mute.engine
    assert hearing.engine.startswith("funasr-1.4")
    assert "|" not in hearing.engine
    assert (hearing.languages, hearing.unofficial) == (("cn",), False)


@pytest.mark.parametrize(
    "result",
    [
        [],
        None,
        [{"text": ""}],
        [{"key": "a", "text": " "}],
        [{"key": "a", "text": "", "timestamp": []}],
        [{"key": "a", "text": " ", "timestamp": [[0, 10]]}],
    ],
)
def test_every_way_of_saying_nothing_is_silent(result: object) -> None:
    assert paraformer.words_of(result) == asr.Heard(Transcript(""), ())


def test_milliseconds_become_seconds() -> None:
    result = [{"text": "你 好 hello", "timestamp": [[430, 670], [670, 810], [900, 1315]]}]
    assert paraformer.words_of(result, offset_ms=2000).transcript == Transcript(
        "你 好 hello", (Word("你", 2.43, 2.67), Word("好", 2.67, 2.81), Word("hello", 2.9, 3.315))
    )


@pytest.mark.parametrize(
    ("text", "times"),
    [("你 好 啊", [[0, 100], [100, 200]]), ("你 好", [[0, 100], [100, 200], [3, 4]])],
)
def test_uneven_lists_keep_the_shorter_and_say_so(text: str, times: list[list[int]]) -> None:
    one = paraformer.words_of([{"text": text, "timestamp": times}])
    assert one.transcript.words == (Word("你", 0.0, 0.1), Word("好", 0.1, 0.2))
    assert one.transcript.text == "你 好"
    (note,) = one.notes
    assert worded(note).startswith(
        f"Words and times differ in number: {len(text.split())} words, {len(times)} times"
    )


@pytest.mark.parametrize("times", [{}, {"timestamp": []}, {"timestamp": None}])
def test_words_without_times_name_the_model_that_lacks_them(times: dict[str, object]) -> None:
    with pytest.raises(EngineError, match="paraformer-zh gives words without times") as caught:
        paraformer.words_of([{"text": "你 好", **times}])
    assert caught.value.code == "engine-without-times"
