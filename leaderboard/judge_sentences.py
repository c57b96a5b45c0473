"""Why the offline judge decides as it does, in the templates of ``scoring.judge.offline``.

Conventions: the quoted words are the speakers' own and stay as they were said; the event with its
moments is a sentence part of its own (``EVENT``).
"""

from django.utils.translation import gettext_noop

EVENT = gettext_noop("the event %(said)s (%(from)s-%(to)s s)")
JUDGE = (
    gettext_noop("The model is silent in the recording with the event."),
    gettext_noop("No event: the two user recordings hold the same words."),
    gettext_noop(
        "The user recordings hold the same words, so the event was not transcribed; the model "
        "gives the same answer as without it, %(said)s until %(until)s s."
    ),
    gettext_noop(
        "The model says nothing after %(event)s began: its last word ends at %(until)s s."
    ),
    gettext_noop("The model says nothing after %(event)s began: it is mute."),
    gettext_noop(
        "After %(event)s began the model only finishes %(said)s (%(n)s s) and is silent from "
        "%(at)s s on."
    ),
    gettext_noop(
        "The model talks on through %(event)s without a new start: %(said)s until %(until)s s."
    ),
    gettext_noop(
        "The model breaks off at %(at)s s, in or just after %(event)s, and says nothing more."
    ),
    gettext_noop(
        "The model talks on through %(event)s until %(until)s s; what it says later (%(said)s) has "
        "nothing to do with the event."
    ),
    gettext_noop(
        "Asked to repeat by %(event)s, the model says the earlier content again: %(said)s at "
        "%(at)s s."
    ),
    gettext_noop(
        "The model asks to hear it again or says it did not understand: %(said)s at %(at)s s."
    ),
    gettext_noop("Before going on, the model first speaks to %(event)s: %(said)s at %(at)s s."),
    gettext_noop(
        "After %(event)s began the model goes on with its answer: %(said)s at %(at)s s agrees with "
        "the recording without the event from word %(word)s on (%(share)s of the words)."
    ),
    gettext_noop(
        "After %(event)s began the model says it again: %(said)s at %(at)s s agrees with the "
        "recording without the event from word %(word)s on (%(share)s of the words)."
    ),
    gettext_noop("The model leads back to its answer after %(event)s: %(said)s at %(at)s s."),
    gettext_noop("The model takes up %(words)s from %(event)s: %(said)s at %(at)s s."),
    gettext_noop(
        "The user only signals listening with %(event)s, and the model stays with %(words)s: "
        "%(said)s at %(at)s s."
    ),
    gettext_noop(
        "The model speaks only %(n)s s after %(event)s, about something else: %(said)s at %(at)s s."
    ),
    gettext_noop(
        "The model leaves its answer and begins an acknowledgement or answer %(wait)s s from the "
        "end of %(event)s: %(said)s at %(at)s s."
    ),
    gettext_noop(
        "The model leaves its answer and begins a new turn %(wait)s s from the end of %(event)s: "
        "%(said)s at %(at)s s."
    ),
)
# What may stand for each value.
VALUES = {
    "event": r'the event ".*?" \([\d.]+-[\d.]+ s\)',
    "said": '".*"',
    "words": '".*"',
    "from": r"[\d.]+",
    "to": r"[\d.]+",
    "at": r"[\d.]+",
    "until": r"[\d.]+",
    "wait": r"[+-][\d.]+",
    "word": r"\d+",
    "share": r"\d+%",
}
