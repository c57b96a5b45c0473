"""The tools of a scoring: what is missing complains when it is needed, and not before."""

import numpy as np
import pytest

from scoring.__main__ import main
from scoring.errors import EngineError
from scoring.tools import Notebook, transcriber

SOUND = np.zeros(16_000, np.float32)


@pytest.fixture
def without_weights(tmp_path):
    """The official transcribers, looked for where nothing is."""
    return tmp_path / "no-models"


@pytest.mark.parametrize("name", ["paraformer", "parakeet"])
def test_a_transcriber_without_weights_complains_only_when_there_is_something_to_hear(
    name, without_weights
):
    absent = transcriber(name, models=str(without_weights))
    assert absent.transcribe([], []) == []
    assert (absent.engine, absent.unofficial) == (f"{name}/absent", False)
    with pytest.raises(EngineError) as caught:
        absent.transcribe([SOUND], [[]])
    assert caught.value.code == "engine-weights-missing"


def test_a_transcriber_that_nobody_knows_is_refused_at_once():
    with pytest.raises(EngineError) as caught:
        transcriber("parrot", models="")
    assert caught.value.code == "engine-unknown"


def test_a_notebook_keeps_what_it_was_told_by_engine():
    notebook = Notebook()
    notebook.keep("one", {"a": 1})
    assert notebook.recall("one", ["a", "b"]) == {"a": 1}
    assert notebook.recall("other", ["a"]) == {}


def score(mini, without_weights, *more):
    command = [
        "score", "--quiet", "--no-cache", "--reference", mini, "--manifest", mini / "manifest.csv",
        "--submission", mini / "submissions" / "prompt" / "HD-Track2.zip", "--models",
        without_weights, "--asr-cn", "paraformer", "--asr-en", "parakeet", *more,
    ]  # fmt: skip
    return main(list(map(str, command)))


def test_an_entry_whose_words_are_all_imported_needs_no_weights(
    mini, without_weights, tmp_path, capsys
):
    out, transcripts = tmp_path / "report.json", mini / "submissions" / "prompt" / "transcripts"
    assert score(mini, without_weights, "--transcripts", transcripts, "--json", out) == 0
    assert capsys.readouterr().err == ""
    assert "asr_cn:imported,else:paraformer/absent|asr_en:imported,else:parakeet/absent" in (
        out.read_text(encoding="utf-8")
    )


def test_where_a_word_is_missing_the_weights_are_asked_for(mini, without_weights, capsys):
    assert score(mini, without_weights) == 2
    assert capsys.readouterr().err.startswith("engine-weights-missing: The weights of paraformer")
