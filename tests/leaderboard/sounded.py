"""An item with real sound: a user recording, and answers in archives whose hash is theirs."""

import hashlib
import io
import zipfile

import numpy as np
from django.core.files.base import ContentFile

from scoring import audio
from tests.leaderboard import stage

ITEM = "en-follow_up-0009_0001"
RATE = 16_000


def tone(seconds, pitch, loudness=0.5):
    """A tone as 16-bit samples."""
    times = np.arange(round(seconds * RATE)) / RATE
    return np.rint(loudness * 32767 * np.sin(2 * np.pi * pitch * times)).astype(np.int16)


USER, MODEL = tone(22.0, 220), tone(20.5, 330, 0.25)


def wav(samples):
    return audio.to_wav(samples.astype(np.float32) / 32768)


def add_user_sound(split, samples=USER, slug=ITEM):
    item = split.items.get(slug=slug)
    item.recording.save("user.wav", ContentFile(wav(samples)))
    return item


def submit(split, team, name="Parrot", samples=MODEL, slug=ITEM, **fields):
    """A submission whose answer to one item is a tone; the others are silent."""
    data = _archive(split, samples, slug)
    return stage.make_submission(
        split,
        team,
        name,
        archive=ContentFile(data, name="HD-Track2.zip"),
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        **fields,
    )


def _archive(split, samples, slug):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for item in split.items.all():
            sound = samples if item.slug == slug else np.zeros(1600, np.int16)
            file.writestr(f"test/{item.slug}.wav", wav(sound))
    return out.getvalue()
