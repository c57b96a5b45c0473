"""The fixed vocabulary of the pages, in the reader's language."""

import re
from datetime import datetime, timedelta, timezone

from django.utils.translation import gettext, gettext_noop, pgettext_lazy
from django.utils.translation import gettext_lazy as _

# "Anywhere on Earth": a deadline has passed when it has passed everywhere.
AOE = timezone(timedelta(hours=-12))

SCENARIOS = {
    "follow_up": _("Follow-up questions"),
    "negation": _("Negation or dissatisfaction"),
    "repetition": _("Repetition requests"),
    "topic_switch": _("Topic switching"),
    "silence_stop": _("Silence or termination"),
    "backchannels": _("User backchannels"),
    "pause_handling": _("Pause handling"),
    "third_party": _("Third-party speech"),
    "third_party_after": _("Third-party speech, after the question"),
    "third_party_before": _("Third-party speech, before the question"),
    "directed_at_others": _("Speech directed at others"),
}
LANGUAGES = {"cn": _("Chinese"), "en": _("English")}
GROUPS = {
    "interruption": _("Interruption"),
    "rejection": _("Rejection"),
    "delay": _("Delay"),
}
MODES = {"official": _("official"), "strict": _("strict")}
MEASURES = {
    "C_RESPOND": _("RESPOND"),
    "C_RESUME": _("RESUME"),
    "timestamp": _("rejected by timing"),
    "mixed": _("mean of after and before"),
}
ENGINES = {
    "vad": _("voice activity"),
    "asr_cn": _("Chinese words"),
    "asr_en": _("English words"),
    "judge": _("judge"),
    "protocol": _("protocol"),
    "mode": _("mode"),
    "manifest": _("expected items"),
    "prompt": _("judge's instruction"),
    "rounding": _("rounding"),
    "scorer": _("scorer"),
}
UNOFFICIAL = {
    "offline": _("offline rule judge"),
    "whisper-base-cn": _("Whisper base for Chinese words"),
    "whisper-tiny-en": _("Whisper tiny for English words"),
}
# Languages of the recordings as browsers know them.
SPOKEN = {"cn": "zh-Hans", "en": "en"}
SEVERITIES = {
    "error": pgettext_lazy("severity", "error"),
    "warning": pgettext_lazy("severity", "warning"),
    "note": pgettext_lazy("severity", "note"),
}

# Sentences that the scorer and the boards write; shown translated where we know them.
KNOWN_SENTENCES = (
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
    gettext_noop("the published table of the challenge"),
    gettext_noop("Handed in after the deadline, so it holds no rank."),
    gettext_noop(
        "The source prints a delay score of 72.6. The formula gives 72.535 from the printed delay "
        "of 1.632 s, which rounds to 72.5; the organisers probably used latencies with more "
        "decimals. An older table on the website had rejection 57.3 and total 73.3, corrected on "
        "2025-12-14."
    ),
    gettext_noop("The archive was refused; see its report."),
    gettext_noop("Withdrawn by the team."),
    gettext_noop("Scored again."),
    gettext_noop("Faster than the reference: shown unclamped, 100 is used in the total."),
    gettext_noop("no total delay was measured"),
    gettext_noop("a total delay of 0 has no score"),
    gettext_noop("a group of scenarios has no score"),
    gettext_noop("not rankable"),
    gettext_noop("No recording was handed in for this item."),
    gettext_noop("The answer has no words, so there is no first word to time."),
    gettext_noop("The judge's label is still pending."),
    gettext_noop("The answer to the recording without the event is missing; nothing was judged."),
    gettext_noop("No single known label came."),
)


def known(sentence: str) -> str:
    """Translate a stored sentence if it is one of ours; otherwise return it as it is."""
    return gettext(sentence) if sentence else ""


# Causes of boards, as the services write them, with a name inside.
CAUSES = (
    (re.compile(r"new entry: (?P<name>.+)"), gettext_noop("new entry: %(name)s")),
    (re.compile(r"(?P<name>.+) withdrawn"), gettext_noop("%(name)s withdrawn")),
    (
        re.compile(r"(?P<name>.+) disqualified: (?P<why>.+)"),
        gettext_noop("%(name)s disqualified: %(why)s"),
    ),
    (re.compile(r"(?P<name>.+) marked as (?P<why>.+)"), gettext_noop("%(name)s marked as %(why)s")),
)


def cause(sentence: str) -> str:
    """Translate the cause of a board, keeping the names in it."""
    for pattern, message in CAUSES:
        if match := pattern.fullmatch(sentence):
            return gettext(message) % match.groupdict()
    return known(sentence)


def utc(moment: datetime | None) -> str:
    """A moment in UTC, to the minute."""
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment else ""


def anywhere(moment: datetime | None) -> str:
    """The same moment by the clock of the last place on Earth."""
    return f"{moment.astimezone(AOE):%Y-%m-%d %H:%M} AoE" if moment else ""
