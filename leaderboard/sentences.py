"""Sentences that the lower floors write, translated for readers of the pages.

Conventions: the scorer and the services write plain English, and that is what is stored. Here each
sentence is known by its template; the values in it stay as they are, but for places and counts
that have words of their own. A sentence that is not known is shown as it is. What is stored as a
key with values (``scoring.reasons``) is worded from its template.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.utils.translation import gettext, gettext_noop

from leaderboard import judge_sentences, words
from scoring import reasons
from scoring.errors import Phrase

SENTENCES = (
    gettext_noop(
        "Full-duplex track of the ICASSP 2026 HumDial challenge: 5,000 test dialogues in Chinese "
        "and English. Rows are as published; scores and ranks are computed here from the "
        "published parts."
    ),
    gettext_noop(
        "Twenty synthetic dialogues, one per scenario and language, and three systems whose "
        "recordings are scored here for real. Upload your own answers to try it."
    ),
    gettext_noop("Demonstration"),
    gettext_noop("Demonstration at size"),
    gettext_noop(
        "Two hundred dialogues and the answers of six made-up systems, to show intervals, ties and "
        "differences. Generated from humdial-mini, for demonstration; the numbers mean nothing."
    ),
    gettext_noop("the published table of the challenge"),
    gettext_noop("arXiv 2604.21406, Table 2; language split from the challenge website"),
    gettext_noop("Handed in after the deadline, so it holds no rank."),
    gettext_noop(
        "The source prints a delay score of 72.6. The formula gives 72.535 from the printed delay "
        "of 1.632 s, which rounds to 72.5; the organisers probably used latencies with more "
        "decimals. An older table on the website had rejection 57.3 and total 73.3, corrected on "
        "2025-12-14."
    ),
    gettext_noop("The archive was refused; see its report."),
    gettext_noop("Withdrawn by the team."),
    gettext_noop("Withdrawn by the organisers."),
    gettext_noop("Scored again."),
    gettext_noop("Published."),
    gettext_noop("Reinstated."),
    gettext_noop("Chosen by the team."),
    gettext_noop("Another run was put on the board."),
    gettext_noop("Trouble on our side stopped the scoring; the organisers see what it was."),
    gettext_noop("Scored with other engines or rules than most rows of this board."),
    gettext_noop("Faster than the reference: shown unclamped, 100 is used in the total."),
    gettext_noop("no total delay was measured"),
    gettext_noop("a total delay of 0 has no score"),
    gettext_noop("a group of scenarios has no score"),
    gettext_noop("not rankable"),
    gettext_noop("The organisers have not measured its latency, by which this split ranks."),
    gettext_noop("The organisers' latency of %(name)s is %(n)s s"),
    gettext_noop("The organisers' latency of %(name)s is taken back"),
    gettext_noop("No recording was handed in for this item."),
    gettext_noop("The answer has no words, so there is no first word to time."),
    gettext_noop("The judge's label is still pending."),
    gettext_noop("The answer to the recording without the event is missing; nothing was judged."),
    gettext_noop("No single known label came."),
    gettext_noop("new entry: %(name)s"),
    gettext_noop("%(name)s withdrawn"),
    gettext_noop("%(name)s disqualified: %(why)s"),
    gettext_noop("%(name)s marked as %(why)s"),
    gettext_noop("%(name)s reinstated"),
    gettext_noop("scored again: %(name)s"),
    gettext_noop("frozen by an organiser"),
    gettext_noop("reveal"),
    gettext_noop("There is no %(group)s total: nothing was measured in %(places)s."),
    gettext_noop("There is no %(group)s total: a latency is missing in %(places)s."),
    gettext_noop("There is no %(group)s total: nothing was measured."),
    gettext_noop("The total delay is 0.000 s because no interval was measured."),
    gettext_noop("Only %(n)s of %(all)s recordings came; ranking needs 95 %%."),
    gettext_noop("Only %(n)s of %(all)s test recordings came; a rank needs %(needed)s %% of them."),
    gettext_noop(
        "Only %(n)s of %(all)s clean recordings came; a rank needs %(needed)s %% of them."
    ),
    gettext_noop("%(n)s item(s) have no label from the judge."),
    gettext_noop("%(n)s item(s) have a label that a person corrected."),
    gettext_noop("A person corrected the label %(one)s to %(other)s: %(why)s"),
    gettext_noop("A person gave the label %(other)s: %(why)s"),
    gettext_noop("A label was corrected."),
    gettext_noop("A correction was taken back."),
    gettext_noop("The judge is asked again."),
    gettext_noop("The split has no items of %(places)s."),
    gettext_noop(
        "No stop or no response interval, which the official average counts as 0.000 s: %(places)s."
    ),
    gettext_noop("No first-response delay, left out of the official mean: %(places)s."),
    gettext_noop("%(places)s: %(n)s of %(all)s recordings are missing."),
    gettext_noop("%(places)s: no item could be counted, so there is no rate."),
    gettext_noop("%(places)s: no first-response delay was measured."),
    gettext_noop("%(places)s: no stop interval was measured."),
    gettext_noop("%(places)s: no response interval was measured."),
    gettext_noop("The first word comes %(n)s s after the user's question ends."),
    gettext_noop("The first word comes %(n)s s before the user's question ends."),
    gettext_noop("Words imported: %(name)s"),
    gettext_noop(
        "%(n)s of %(all)s answers start in the first %(s)s s of their file, %(short)s of them in "
        "a file shorter than the user's recording. If the files start at the model's first sound, "
        "no time means anything: keep the silence before it."
    ),
    gettext_noop("The first word comes exactly when the user's question ends."),
    gettext_noop("The protocol differs: %(one)s against %(other)s."),
    gettext_noop("The mode differs: %(one)s against %(other)s."),
    gettext_noop("The list of expected items differs: %(one)s against %(other)s."),
    gettext_noop("The voice activity detector differs: %(one)s against %(other)s."),
    gettext_noop("The Chinese transcriber differs: %(one)s against %(other)s."),
    gettext_noop("The English transcriber differs: %(one)s against %(other)s."),
    gettext_noop("The judge differs: %(one)s against %(other)s."),
    gettext_noop("The judge's instruction differs: %(one)s against %(other)s."),
    gettext_noop("The rounding differs: %(one)s against %(other)s."),
    gettext_noop("The scorer's version differs: %(one)s against %(other)s."),
    gettext_noop("The list of corrections differs: %(one)s against %(other)s."),
    *judge_sentences.JUDGE,
    judge_sentences.EVENT,
)
GROUPS = {
    "interruption": gettext_noop("interruption"),
    "rejection": gettext_noop("rejection"),
    "delay": gettext_noop("delay"),
}
# What may stand for a value; anything for those that are not named here.
VALUES = {"n": r"[\d.]+", "all": r"\d+", "places": r"[a-z_]+(?: \([a-z]+\))?(?:, .+?)?"}
VALUES |= judge_sentences.VALUES


def known(said: Any) -> str:
    """Word a stored reason, or translate a stored sentence; one that is not ours stays as it is."""
    if isinstance(said, Phrase):
        return reasons.worded(said, gettext)
    if reasons.is_phrase(said):
        return reasons.in_words(said, gettext)
    sentence = str(said)
    for pattern, template in _patterns():
        if match := pattern.fullmatch(sentence):
            values = {name: _value(name, text) for name, text in match.groupdict().items()}
            return gettext(template) % values if values else gettext(template)
    return sentence


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    return [(_pattern(template), template) for template in SENTENCES]


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile("".join(_parts(template)))


def _parts(template: str) -> Iterator[str]:
    for part in re.split(r"(%\(\w+\)s)", template):
        if name := re.fullmatch(r"%\((\w+)\)s", part):
            yield f"(?P<{name[1]}>{VALUES.get(name[1], '.+')})"
        else:
            yield re.escape(part.replace("%%", "%") if "%(" in template else part)


def _value(name: str, text: str) -> str:
    if name == "group":
        return gettext(GROUPS.get(text, text))
    if name == "event":
        return known(text)
    if name == "places":
        return words.listed(map(_place, text.split(", ")))
    return text


def _place(text: str) -> str:
    """Say ``follow_up (cn)`` in words."""
    slug, _, language = text.partition(" ")
    scenario = str(words.SCENARIOS.get(slug, slug))
    known_as = words.LANGUAGES.get(language.strip("()"), language.strip("()"))
    if not language:
        return scenario
    return gettext("%(scenario)s (%(language)s)") % {"scenario": scenario, "language": known_as}
