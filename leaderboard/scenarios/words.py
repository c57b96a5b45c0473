"""What a scenario page says beside its numbers: definitions, what counts, names of outcomes."""

from django.utils.translation import gettext_lazy as _

DEFINITIONS = {
    "follow_up": _(
        "While the system answers, the user breaks in with a further question on the same "
        "subject. The system has to stop and answer it."
    ),
    "negation": _(
        "While the system answers, the user breaks in to disagree, or to say that this is not "
        "what was wanted. The system has to stop and deal with it."
    ),
    "repetition": _(
        "While the system answers, the user breaks in and asks to hear something again. The "
        "system has to stop and repeat it."
    ),
    "topic_switch": _(
        "While the system answers, the user breaks in and turns to another subject. The system "
        "has to stop and follow."
    ),
    "silence_stop": _(
        "While the system answers, the user tells it to stop or to be quiet. The system has to "
        "do so."
    ),
    "backchannels": _(
        "While the system answers, the user says a short word of attention that asks for nothing. "
        "The system has to go on."
    ),
    "pause_handling": _(
        "The user hesitates in the middle of a question. The system has to wait until the "
        "question has ended."
    ),
    "third_party": _(
        "Somebody else speaks near the user, in half of the items after the user's question and "
        "in the other half before it. The system has to leave those words alone."
    ),
    "third_party_after": _(
        "Somebody else speaks after the user's question, while the system answers. The system "
        "has to go on."
    ),
    "third_party_before": _(
        "Somebody else speaks before the user asks. The system has to stay silent until the "
        "user's question has ended."
    ),
    "directed_at_others": _(
        "While the system answers, the user says something to another person. The system has to "
        "go on."
    ),
}
COUNTS = {
    "C_RESPOND": _(
        "What counts is RESPOND: the share of items in which the judge finds that the system "
        "dealt with the interruption."
    ),
    "C_RESUME": _(
        "What counts is RESUME: the share of items in which the judge finds that the system went "
        "on as if nothing had been said."
    ),
    "timestamp": _(
        "What counts is the share of items whose first word comes after the question has ended. "
        "No judge is asked."
    ),
    "mixed": _(
        "What counts is the mean of two rates: RESUME where the other person speaks after the "
        "question, and rejection by timing where that person speaks before it."
    ),
}
OUTCOMES = {
    "unlabelled": _("no label"),
    "missing": _("not handed in"),
    "rejected": _("waits for the end"),
    "early": _("speaks too early"),
    "silent": _("says nothing"),
}
LATENCIES = {
    "stop": _("Stop latency"),
    "response": _("Response latency"),
    "first_response": _("First-response delay"),
}
LATENCY_MEANINGS = {
    "stop": _("How long user and system speak at once."),
    "response": _("From the user's end to the system's next start."),
    "first_response": _("From the annotated end of the question to the first word."),
}
