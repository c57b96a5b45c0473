"""The fixed vocabulary of the pages, in the reader's language."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import get_language, gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from submissions.moments import anywhere as anywhere
from submissions.moments import utc as utc

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
# What a number of a group is, where it stands under the title of a single scenario.
GROUP_MEANS = {
    "interruption": _("Interruption (mean of five scenarios)"),
    "rejection": _("Rejection (mean of four scenarios)"),
}
PARTS = GROUPS | {"delay_score": _("Delay score"), "total": _("Total")}
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
    "judge_strict": _("judge of the strict mode"),
    "prompt_strict": _("instruction of the strict mode's judge"),
    "rounding": _("rounding"),
    "scorer": _("scorer"),
    "corrections": _("corrections by people"),
}
KINDS = {
    "participant": _("team"),
    "late": _("team, late"),
    "baseline": _("baseline"),
    "open": _("reference, open model"),
    "closed": _("reference, closed model"),
}
ORIGINS = {"scored": _("scored here"), "reported": _("as reported")}
ARCHITECTURES = {
    "cascade": _("cascade"),
    "semi-cascade": _("semi-cascade"),
    "end-to-end": _("end-to-end"),
}
WEIGHTS = {"open": _("open weights"), "closed": _("closed weights")}
UNOFFICIAL = {
    "offline": _("offline rule judge"),
    "whisper-base-cn": _("Whisper base for Chinese words"),
    "whisper-tiny-en": _("Whisper tiny for English words"),
}
DIAGNOSTICS = {
    "cut_off": _("cut off by the end of the file"),
    "words_without_speech": _("words where voice activity hears nothing"),
    "starts_at_once": _("speech from the start of the file on"),
    "not_on_users_clock": _("not on the user's clock, it seems"),
    "speaking_at_event": _("speaking when the event starts"),
    "talked_through": _("talked through the event"),
    "finished_before_event": _("finished before the event"),
    "answered_both": _("answered both speakers"),
}
# Languages of the recordings as browsers know them.
SPOKEN = {"cn": "zh-Hans", "en": "en"}
SEVERITIES = {
    "error": pgettext_lazy("severity", "error"),
    "warning": pgettext_lazy("severity", "warning"),
    "note": pgettext_lazy("severity", "note"),
}


def listed(names: Iterable[Any]) -> str:
    """Names one after the other, as the reader's language separates them."""
    return gettext(", ").join(map(str, names))


def told(*sentences: Any) -> str:
    """Sentences one after the other; in Chinese nothing stands between them."""
    gap = "" if (get_language() or "").startswith("zh") else " "
    return gap.join(str(one) for one in sentences if one)
