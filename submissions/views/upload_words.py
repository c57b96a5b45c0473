"""What the upload script says, in the reader's language."""

from django.utils.translation import gettext as _


def upload_words() -> dict[str, str]:
    """Sentences by name; ``{…}`` is filled in by the script."""
    return {
        "starting": _("The upload begins …"),
        "going": _("{percent} % · {done} of {all} · {speed}/s · {left} left"),
        "began": _("{percent} % · {done} of {all}"),
        # xgettext:no-python-format
        "announced": _("{percent} % uploaded"),
        "paused": _("Paused at {percent} %. Nothing is lost; go on when you like."),
        "lost": _("The line is lost. The upload goes on by itself when it is back."),
        "finishing": _("Everything has arrived. The server makes it a submission …"),
        "stopped": _("The upload has stopped."),
        "kept": _("What has arrived is kept; press “Go on” to try again."),
        "other-file": _("This is not the file that was begun: it should be {name} with {size}."),
        "choose": _("Choose the same file to go on: {name}."),
        "no-answer": _("The server does not answer."),
        "logged-out": _("You are not logged in any more. Log in in another tab, then go on."),
        "pause": _("Pause"),
        "resume": _("Go on"),
        "seconds": _("{n} s"),
        "minutes": _("{n} min"),
        "hours": _("{n} h {m} min"),
    }
