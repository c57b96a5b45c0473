"""Whisper on one short clip: text pieces with times.

Conventions: seconds from the start of the clip. The encoder sees the clip and one second of
silence instead of the usual thirty seconds, which costs a fifth of the time at equal error; clips
go one by one, because a result must not depend on the clips beside it. Decoding is deterministic.
"""

import os
import platform
import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from scoring.asr.base import RATE, Samples
from scoring.asr.turns import Piece

HOP = 160
FRAMES_MOST = 3000
SILENCE_AFTER = 1.0

# Nobody says more than this many tokens a second; a loop does.
TOKENS_PER_SECOND, TOKENS_SPARE = 10, 10

# Whisper's own rules: a text that packs better than this repeats itself, and a text is noise when
# both the model thinks so and it was unsure of the words.
LOOPING = 2.4
NOISE, UNSURE = 0.6, -1.0

# Two beams and a slight penalty on repetition: measured best on synthetic voices in both languages.
BEAMS, PENALTY = 2, 1.1

# How int8 products are summed hangs on the processor's instructions, and single words hang on that.
# All x86-64 processors of the last ten years have these, so a recording has the same words on each.
INSTRUCTIONS = "AVX" if platform.machine() in ("x86_64", "AMD64") else ""


class Language(NamedTuple):
    """How to decode a language.

    Attributes:
        code: as Whisper names it.
        prompt: text that sets the style; empty for none.
        simplified: keep to characters of simplified Chinese.
    """

    code: str
    prompt: str = ""
    simplified: bool = False

    @property
    def settings(self) -> str:
        """Everything here that changes the words, as one word."""
        script = "-simplified" if self.simplified else ""
        numbers = f"int8-{INSTRUCTIONS.lower()}" if INSTRUCTIONS else "int8"
        return f"{numbers}-beam{BEAMS}-penalty{PENALTY}-{self.code}{script}"


class _Text(NamedTuple):
    """What one attempt gave."""

    tokens: list[int]
    text: str
    is_noise: bool


class Decoder:
    """A Whisper model in memory.

    Args:
        content: the model's files by name.
        language: how to decode.
        device: ``cpu`` or ``cuda``.
        threads: processor threads.
    """

    def __init__(
        self, content: Mapping[str, bytes], language: Language, *, device: str, threads: int
    ) -> None:
        if INSTRUCTIONS:
            os.environ.setdefault("CT2_FORCE_CPU_ISA", INSTRUCTIONS)
        from faster_whisper import WhisperModel
        from faster_whisper.tokenizer import Tokenizer

        self._model: Any = WhisperModel(
            "embedded",
            device=device,
            compute_type="int8",
            cpu_threads=threads,
            files=dict(content),
        )
        self._language = language
        self._tokenizer: Any = Tokenizer(
            self._model.hf_tokenizer,
            self._model.model.is_multilingual,
            task="transcribe",
            language=language.code,
        )

    def pieces(self, clip: Samples) -> list[Piece]:
        """Return the text of a clip in pieces with times; nothing when it is no speech."""
        seen = self._model.encode(self._features(clip))
        text = self._best(seen, len(clip) / RATE)
        if not text.tokens:
            return []
        (words,) = self._model.find_alignment(
            self._tokenizer, [text.tokens], seen, [max(1, len(clip) // HOP)]
        )
        return [Piece(one["word"], float(one["start"]), float(one["end"])) for one in words]

    def _features(self, clip: Samples) -> Any:
        frames = 2 * -(-(len(clip) + round(SILENCE_AFTER * RATE)) // (2 * HOP))
        padded = np.zeros(min(frames, FRAMES_MOST) * HOP, np.float32)
        padded[: len(clip)] = clip[: len(padded)]
        return self._model.feature_extractor(padded, padding=0)

    def _best(self, seen: Any, seconds: float) -> _Text:
        first = self._attempt(seen, seconds, self._language.prompt, block=0)
        if first.is_noise or not self._is_odd(first.text):
            return first
        # Once more without the prompt that it may have repeated, and without repeats of three.
        return self._attempt(seen, seconds, "", block=3)

    def _attempt(self, seen: Any, seconds: float, prompt: str, *, block: int) -> _Text:
        start = self._model.get_prompt(
            self._tokenizer,
            self._tokenizer.encode(prompt) if prompt else [],
            without_timestamps=True,
        )
        most = len(start) + round(seconds * TOKENS_PER_SECOND) + TOKENS_SPARE
        (result,) = self._model.model.generate(
            seen,
            [start],
            beam_size=BEAMS,
            repetition_penalty=PENALTY,
            no_repeat_ngram_size=block,
            max_length=min(most, self._model.max_length),
            suppress_tokens=self._suppressed,
            return_scores=True,
            return_no_speech_prob=True,
        )
        tokens = [one for one in result.sequences_ids[0] if one < self._tokenizer.eot]
        if result.no_speech_prob > NOISE and result.scores[0] < UNSURE:
            return _Text([], "", is_noise=True)
        return _Text(tokens, self._tokenizer.decode(tokens), is_noise=False)

    def _is_odd(self, text: str) -> bool:
        return not text.strip() or loops(text) or echoes(text, self._language.prompt)

    @cached_property
    def _suppressed(self) -> list[int]:
        from faster_whisper.transcribe import get_suppressed_tokens

        usual = get_suppressed_tokens(self._tokenizer, [-1])
        return sorted({*usual, *(self._unsimplified() if self._language.simplified else ())})

    def _unsimplified(self) -> Iterator[int]:
        for token in range(self._tokenizer.eot):
            if not all(map(is_simplified, self._tokenizer.decode([token]))):
                yield token


def loops(text: str) -> bool:
    """Say whether a text repeats itself so much that it was not spoken."""
    raw = text.encode()
    return len(raw) / len(zlib.compress(raw)) > LOOPING


def echoes(text: str, prompt: str) -> bool:
    """Say whether a text repeats the prompt, punctuation aside."""
    wanted = "".join(filter(str.isalnum, prompt))
    return bool(wanted) and wanted in "".join(filter(str.isalnum, text))


def is_simplified(character: str) -> bool:
    """Say whether a character may stand in simplified Chinese text.

    The national character set of 1980 holds simplified characters only; kana and Hangul are out.
    """
    if "\u3040" <= character <= "\u30ff" or "\uac00" <= character <= "\ud7af":
        return False
    if "\u3400" <= character <= "\u9fff":
        return _in_gb2312(character)
    return True


def _in_gb2312(character: str) -> bool:
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True
