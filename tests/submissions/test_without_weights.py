"""A site without the weights of its transcribers: imported words need none, others say which."""

import json
import zipfile
from html import unescape

import pytest

from scoring import asr
from submissions.models import Submission
from submissions.services import engines
from submissions.services.import_transcripts import import_transcripts
from submissions.services.submit import submit
from submissions.states import State
from tests.leaderboard.reader import login, text_of, url
from tests.submissions.test_scoring_a_submission import zip_of

pytestmark = pytest.mark.django_db(transaction=True)

LOAD = asr.load


@pytest.fixture
def without_weights(split, monkeypatch, settings, tmp_path):
    """The official transcribers, and a folder of weights that holds nothing."""
    monkeypatch.setattr(asr, "load", LOAD)
    settings.ENGINES = {
        **settings.ENGINES, "asr_cn": "paraformer", "asr_en": "parakeet", "models": str(tmp_path)
    }  # fmt: skip
    engines.tools.cache_clear()
    yield tmp_path
    engines.tools.cache_clear()


@pytest.fixture
def send(split, team, alice, mini, eager):
    def submit_system(system):
        upload = zip_of(mini, system)
        made = submit(split=split, team=team, system_name=system, user=alice, upload=upload)
        return Submission.objects.get(pk=made.pk)

    return submit_system


def test_a_run_with_imported_words_needs_no_weights(without_weights, send, mini, split):
    folder = mini / "submissions" / "prompt"
    words = without_weights / "words"
    words.mkdir()
    _unpack_beside(folder, words)
    report = import_transcripts(words, "planned@test", tools=engines.tools(), split=split)
    assert (report.problems, report.kept > 30) == ((), True)
    submission = send("prompt")
    assert submission.state == State.SCORED
    run = submission.current_run
    assert run.results["official"]["totals"]["interruption"] == "100.0"
    assert "imported:planned@test" in run.unofficial


def test_a_run_that_needs_them_fails_with_the_model_and_the_place(
    without_weights, send, client, alice, olga, eager
):
    eager.conf.task_eager_propagates = False  # so that its failure is handled, as in a worker
    submission = send("prompt")
    assert submission.state == State.FAILED
    assert submission.attempts == 1
    assert submission.detail.startswith("The weights of paraformer-zh are missing")
    assert str(without_weights) in submission.detail
    text = unescape(text_of(login(client, alice).get(url("submission", submission.pk))))
    assert submission.reason in text
    assert submission.detail not in text
    assert submission.detail in unescape(
        text_of(login(client, olga).get(url("submission", submission.pk)))
    )
    client.logout()
    assert "It costs no slot" in text


def _unpack_beside(folder, words):
    with zipfile.ZipFile(folder / "HD-Track2.zip") as archive:
        for name in archive.namelist():
            stem = name.rsplit("/", 1)[-1].removesuffix(".wav")
            (words / f"{stem}.wav").write_bytes(archive.read(name))
            planned = json.loads((folder / "transcripts" / f"{stem}.json").read_text("utf-8"))
            (words / f"{stem}.json").write_text(json.dumps(planned), encoding="utf-8")
