"""Every sentence that the scorer writes about totals is known to the pages."""

import re

import pytest
from django.utils import translation

from leaderboard import sentences, words
from scoring import reasons
from scoring.evidence import MISSING
from scoring.humdial import SCRIPTS, diagnostics
from scoring.humdial.measures import measure
from scoring.humdial.totals import score_scenarios, total
from scoring.judge import load
from scoring.reason_table import REASONS
from tests.builders import evidence, reference, silent
from tests.scoring.test_judge_offline_unseen import DIALOGUES, exchange

KINDS = {
    "missing": MISSING,
    "silent": silent("C_UNKNOWN"),
    "early": evidence("C_RESUME", starts=(1.0,)),
    "pending": evidence(None),
    "alone": evidence("C_RESPOND", speech=((5.2, 8.0),), starts=(5.2,)),
}


def written(kind, mode):
    results = [
        measure(reference(slug, language), KINDS[kind], mode=mode)
        for slug in SCRIPTS
        for language in ("cn", "en")
    ]
    scores = score_scenarios(results, mode=mode)
    for score in scores:
        for part in score.parts:
            yield from part.warnings
    yield from total(scores, mode=mode).reasons
    for result in results:
        if not result.labels:
            yield from result.reasons


@pytest.mark.parametrize("mode", ["official", "strict"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_scorers_sentences_are_translated(kind, mode):
    lines = reasons.distinct(written(kind, mode))
    assert lines
    with translation.override("zh-hans"):
        assert [line for line in lines if sentences.known(line) == reasons.worded(line)] == []


def test_places_and_numbers_stay_in_a_translated_sentence():
    line = "follow_up (cn): 3 of 20 recordings are missing."
    with translation.override("zh-hans"):
        assert sentences.known(line) == "追问（中文）：20 段录音中缺少 3 段。"
    assert sentences.known(line) == "Follow-up questions (Chinese): 3 of 20 recordings are missing."


def test_diagnostics_and_their_warnings_are_known_to_the_pages():
    assert set(words.DIAGNOSTICS) == set(diagnostics.WORDS)
    found = diagnostics.shares([{"starts_at_once": True, "not_on_users_clock": True}] * 4)
    with translation.override("zh-hans"):
        for line in [*diagnostics.warnings(found), "Words imported: paraformer-zh"]:
            assert sentences.known(line) != line


def test_an_unknown_sentence_is_shown_as_it_is():
    assert sentences.known("Somebody wrote 50 % here.") == "Somebody wrote 50 % here."
    assert sentences.known("") == ""


def test_why_the_offline_judge_decides_is_said_in_chinese_with_the_words_as_spoken():
    exchanges = [exchange(one) for one in DIALOGUES]
    told = {verdict.reason for verdict in load("offline").judge(exchanges)}
    assert len(told) > 20
    with translation.override("zh-hans"):
        assert [line for line in told if sentences.known(line) == line] == []
        line = 'The model takes up "浇一", "次水" from the event "多久浇一次水" (7.33-9.13 s): '
        assert sentences.known(f'{line}"每天早上 …" at 9.83 s.') == (
            '模型接住了事件 "多久浇一次水"（7.33–9.13 秒）中的 "浇一", "次水"：'
            '"每天早上 …"，始于 9.83 秒。'
        )


@pytest.mark.parametrize("key", REASONS)
def test_every_reason_that_the_scorer_stores_has_its_words_in_chinese(key):
    values = dict.fromkeys(re.findall(r"%\((\w+)\)s", REASONS[key]), "5")
    stored = {"key": key, "values": values}
    english = sentences.known(stored)
    assert english.startswith(REASONS[key].split("%")[0])
    with translation.override("zh-hans"):
        assert sentences.known(stored) != english or key == "told-error"
