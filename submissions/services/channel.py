"""The channel of the model, as people write it (decision D5)."""

from django.utils.translation import gettext as _

from submissions.services.slots import SubmissionRefused

# More channels than any recorder of a dialogue has.
LAST = 256


def channel_of(text: str) -> int | None:
    """Read a channel, counted from 1; ``None`` where nothing was said.

    Raises:
        SubmissionRefused: with code ``model-channel-unknown``: it is no such number.
    """
    said = text.strip()
    if not said:
        return None
    if said.isascii() and said.isdigit() and 1 <= int(said[:4]) <= LAST:
        return int(said[:4])
    raise SubmissionRefused(
        "model-channel-unknown",
        _("“%(text)s” is no channel.") % {"text": said[:20]},
        _("Write a whole number; the first channel is 1. Leave it out where there is only one."),
    )
