"""Every reason why there is a label, or none: its key and its sentence.

Conventions: templates have named places such as ``%(name)s``; a per cent sign is written twice.
They are English here; the site translates them by these very texts. ``scoring.reasons`` words them.
"""

from collections.abc import Mapping

from scoring.rule_table import gettext_noop

_ = gettext_noop
# Why a mode, an item or a run has no label.
ABSENT: Mapping[str, str] = {
    "mode-not-asked": _("The judge was not asked in this mode, so it has no judged numbers."),
    "judge-none": _("No judge is set up, so there is no label."),
    "judge-pending": _("The judge's label is still pending."),
    "items-pending": _("%(n)s item(s) still wait for the judge, so there is no total."),
    "items-unjudged": _(
        "%(n)s item(s) have no usable label, so there is no total until they are judged again or a "
        "person gives the label."
    ),
    "items-left-out": _("%(n)s item(s) have no label from the judge."),
    "clean-missing": _(
        "The answer to the recording without the event is missing; nothing was judged."
    ),
    "reference-incomplete": _(
        "The split lacks the user's words for this item; nothing was judged."
    ),
}
# What the judge said about one item.
ANSWERS: Mapping[str, str] = {
    "judge-answered": _("%(model)s answered %(labels)s."),
    "judge-voted": _("%(model)s answered %(labels)s (%(count)s of %(votes)s votes)."),
    "judge-unusable": _("Unjudged after %(calls)s call(s) to %(model)s: %(why)s"),
    "judge-empty": _("Unjudged: %(model)s answered with an empty list of labels."),
    "judge-no-majority": _("Unjudged: no label has a majority of the %(votes)s votes."),
    "reply-without-content": _("The judge sent no content."),
    "reply-without-object": _("The judge's reply holds no JSON object with the key 'behaviour'."),
    "reply-too-deep": _("The judge's reply is nested too deeply."),
    "reply-without-list": _("'behaviour' must be a list of labels, found %(found)s."),
    "reply-not-one-label": _("Exactly one known label is needed, found %(labels)s."),
    "reply-two-answers": _("The judge's reply holds different answers: %(answers)s."),
    "label-not-one": _("No single known label came."),
    "label-strange": _("The judge gave the unknown label %(label)s."),
}
# What keeps the endpoint from judging, and what an organiser does about it.
TROUBLE: Mapping[str, str] = {
    "judge-money": _("The account at the judge's endpoint has no money: top it up. %(told)s"),
    "judge-quota": _(
        "The quota at the judge's endpoint is used up: raise it, or wait until it is renewed. "
        "%(told)s"
    ),
    "judge-overload": _(
        "The judge's endpoint is overloaded or out of order: wait, or ask another one. %(told)s"
    ),
    "judge-network": _(
        "The judge's endpoint cannot be reached, or it does not answer in time: check the network "
        "and JUDGE_BASE_URL. %(told)s"
    ),
    "judge-key": _(
        "The judge's endpoint refuses the key: check JUDGE_API_KEY and what it may do. %(told)s"
    ),
    "judge-setup": _(
        "The judge's endpoint does not accept the request: check JUDGE_BASE_URL and JUDGE_MODEL. "
        "%(told)s"
    ),
    "judge-garbled": _(
        "What the judge's endpoint sends is no answer of a chat model: check JUDGE_BASE_URL."
    ),
    "judge-refused-item": _(
        "The judge's endpoint refuses single items, for example by its content filter: ask another "
        "model or endpoint. %(told)s"
    ),
    "judge-budget": _(
        "The budget of %(budget)s for judging one run is used up: raise it (JUDGE_BUDGET) to go on."
    ),
    "judge-key-missing": _(
        "The chat judge has no key: set JUDGE_API_KEY or JUDGE_API_KEY_FILE, and start the workers "
        "again."
    ),
}
# Parts and notes.
NOTES: Mapping[str, str] = {
    "told-http": _("(HTTP %(status)s: %(words)s)"),
    "told-late": _("(No answer within %(seconds)s s.)"),
    "told-error": _("(%(name)s)"),
    "told-body": _("(HTTP 200 with an error inside: %(words)s)"),
    "words-uneven": _(
        "Words and times differ in number: %(words)s words, %(times)s times; the rest was dropped."
    ),
    "words-imported": _("Words imported: %(name)s"),
}
REASONS: Mapping[str, str] = {**ABSENT, **ANSWERS, **TROUBLE, **NOTES}
