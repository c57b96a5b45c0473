"""The packaged demo split comes back exactly as it was made."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
import soundfile

from leaderboard.demo.cuts import Catalogue, Recording, Samples, fingerprint
from leaderboard.demo.pack import Tape, pack
from leaderboard.demo.unpack import CUTS, HOME, unpack

ORIGINAL = Path(__file__).parents[2] / "shared" / "examples" / "humdial-mini"
SYSTEMS = ["jumpy", "prompt", "steamroller"]


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(tmp_path_factory.mktemp("demo") / "humdial-mini")


def samples(content: bytes) -> Samples:
    found, rate = soundfile.read(io.BytesIO(content), dtype="int16")
    assert rate == 16_000
    return np.asarray(found)


def test_the_package_stays_small() -> None:
    assert sum(path.stat().st_size for path in HOME.rglob("*") if path.is_file()) < 10_000_000


def test_unpacked_recordings_have_the_listed_samples(split: Path) -> None:
    catalogue = Catalogue.read(HOME / CUTS)
    assert len(catalogue.files) == 36
    for name, recording in catalogue.files.items():
        assert fingerprint(samples((split / name).read_bytes())) == recording.sha256, name


@pytest.mark.parametrize("system", SYSTEMS)
def test_unpacked_archives_have_the_listed_members_and_samples(split: Path, system: str) -> None:
    name = f"submissions/{system}/HD-Track2.zip"
    listed = Catalogue.read(HOME / CUTS).archives[name]
    with zipfile.ZipFile(split / name) as archive:
        assert archive.namelist() == list(listed)
        assert len(listed) == 36
        for member, recording in listed.items():
            assert fingerprint(samples(archive.read(member))) == recording.sha256, member


def test_unpacking_twice_gives_the_same_bytes(split: Path, tmp_path: Path) -> None:
    again = unpack(tmp_path)
    for path in sorted(split.rglob("*.zip")):
        assert path.read_bytes() == (again / path.relative_to(split)).read_bytes()


@pytest.mark.skipif(not ORIGINAL.is_dir(), reason="the original recordings are not here")
def test_the_split_equals_the_recordings_it_was_made_from(split: Path) -> None:
    originals = layout(ORIGINAL)
    assert len(originals) == 205
    for name in originals:
        path, copy = ORIGINAL / name, split / name
        if path.suffix == ".zip":
            assert contents(copy) == contents(path)
        else:
            assert copy.read_bytes() == path.read_bytes(), path.name


def layout(folder: Path) -> list[str]:
    found = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return sorted(name for name in found if name != "README.md")


def contents(path: Path) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def test_a_split_survives_packing_and_unpacking(split: Path, tmp_path: Path) -> None:
    pack(split, tmp_path / "package")
    again = unpack(tmp_path / "split", home=tmp_path / "package")
    assert layout(again) == layout(split)
    name = "submissions/jumpy/HD-Track2.zip"
    assert (again / name).read_bytes() == (split / name).read_bytes()


def test_speech_that_was_heard_before_takes_no_tape() -> None:
    speech = np.random.default_rng(1).integers(1, 9_000, 5_000).astype(np.int16)
    silence = np.zeros(3_000, np.int16)
    tape = Tape()
    tape.record(np.concatenate([silence, speech]))
    again = tape.record(np.concatenate([speech, silence, speech]))
    assert len(tape.samples) == 5_000
    assert [(cut.at, cut.source, cut.length) for cut in again.cuts] == [
        (0, 0, 5_000),
        (8_000, 0, 5_000),
    ]


def test_new_speech_before_known_speech_is_kept_too() -> None:
    rng = np.random.default_rng(2)
    known, fresh = (rng.integers(1, 9_000, 4_000).astype(np.int16) for _ in range(2))
    tape = Tape()
    tape.record(known)
    both = np.concatenate([fresh, known])
    assert np.array_equal(tape.record(both).play(tape.samples), both)
    assert len(tape.samples) == 8_000


def test_a_recording_without_cuts_is_silent() -> None:
    silent = Recording.from_json({"length": 4, "sha256": "", "cuts": []})
    assert silent.play(np.ones(9, np.int16)).tolist() == [0, 0, 0, 0]


def test_a_recording_of_another_rate_is_refused(split: Path, tmp_path: Path) -> None:
    path = tmp_path / "reference" / "wrong.wav"
    path.parent.mkdir()
    soundfile.write(path, np.zeros(100, np.int16), 8_000)
    with pytest.raises(ValueError, match=r"wrong\.wav must be 16 kHz mono, found 8000 Hz"):
        pack(tmp_path, tmp_path / "package")
