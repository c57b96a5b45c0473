"""The demonstration split with its planned transcripts: real audio, known words, no model.

The transcriber here answers from what was planned when the recordings were synthesised, as if an
organiser had imported transcripts made elsewhere; voice activity and judge are the real ones.
"""

import hashlib
import json
import zipfile
from functools import lru_cache
from pathlib import Path

from scoring.asr import Heard
from scoring.audio import read
from scoring.dialogue import Annotation, Transcript
from scoring.humdial import preparation
from scoring.manifest import Manifest

SYSTEMS = ("prompt", "steamroller", "jumpy")


def fingerprint(samples):
    return hashlib.sha256(samples.tobytes()).hexdigest()


class PlannedTranscriber:
    """Knows the words of the demonstration's recordings; hears nothing in silence."""

    name = "planned"
    engine = "planned-1"
    languages = ("cn", "en")
    unofficial = True

    def __init__(self, known):
        self.known = known

    def transcribe(self, recordings, speech):
        return [Heard(self._words(samples), ()) for samples in recordings]

    def _words(self, samples):
        if not samples.any():
            return Transcript("")
        return self.known[fingerprint(samples)]


def manifest_of(mini: Path) -> Manifest:
    return Manifest.from_csv((mini / "manifest.csv").read_text(encoding="utf-8"))


@lru_cache(maxsize=2)
def planned(mini: Path) -> PlannedTranscriber:
    known: dict[str, Transcript] = {}
    manifest = manifest_of(mini)
    for system in SYSTEMS:
        folder = mini / "submissions" / system
        with zipfile.ZipFile(folder / "HD-Track2.zip") as archive:
            for item in manifest.items:
                for kind, number in (("test", item.test_id), ("clean", item.clean_id)):
                    if number:
                        _learn(known, archive, folder, item, f"{kind}-{number}_output", mini)
    return PlannedTranscriber(known)


def _learn(known, archive, folder, item, stem, mini):
    samples = read(archive.read(f"HD-Track2/{stem.split('-')[0]}/{stem}.wav")).samples
    path = folder / "transcripts" / f"{stem}.json"
    transcript = Transcript.from_json(path.read_text(encoding="utf-8"))
    known[fingerprint(samples)] = transcript
    if item.scenario == "directed_at_others" and stem.startswith("test"):
        place = mini / "reference" / item.language / item.folder
        text = (place / f"{item.item}_sentence.json").read_text(encoding="utf-8")
        annotation = Annotation.from_json(json.loads(text))
        cut = preparation.without_first_answer(samples, annotation)
        known[fingerprint(cut)] = preparation.cut_model_words(transcript, annotation)
