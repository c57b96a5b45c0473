"""The sounds of one item and their drawings, each for whoever may see the item."""

from collections.abc import Callable
from io import BytesIO

from django.http import Http404, HttpRequest, HttpResponseBase

from leaderboard.items import sound
from leaderboard.items.answers import Found, find_item
from leaderboard.items.ranges import Content, respond
from leaderboard.items.sound import Side
from scoring.errors import ArchiveError, AudioError

# What can be wrong with a stored recording; to the reader it is then simply not there.
UNREADABLE = (ArchiveError, AudioError, KeyError, FileNotFoundError)


def user_audio(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """The user recording of an item."""
    return _recording(request, find_item(request, slug, name), _user)


def model_audio(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """One system's answer, read out of its archive."""
    return _recording(request, find_item(request, slug, name), _model)


def dialogue(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """Both sides in one file: the user on the left, the model on the right."""
    found = find_item(request, slug, name)
    try:
        user, model = sound.user_side(found.item), _model_or_none(found)
        if user is None and model is None:
            raise Http404
        file = sound.stereo(user, model)
    except UNREADABLE as cause:
        raise Http404 from cause
    tag = sound.etag("stereo", user, model)
    return respond(request, Content(file, "audio/flac", tag, found.is_public))


def user_wave(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """The waveform of the user recording."""
    return _wave(request, find_item(request, slug, name), _user)


def model_wave(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """The waveform of one system's answer."""
    return _wave(request, find_item(request, slug, name), _model)


def _recording(
    request: HttpRequest, found: Found, choose: Callable[[Found], Side]
) -> HttpResponseBase:
    try:
        side = choose(found)
        data = side.read()
    except UNREADABLE as cause:
        raise Http404 from cause
    tag = sound.etag("recording", side)
    return respond(request, Content(BytesIO(data), "audio/wav", tag, found.is_public))


def _wave(request: HttpRequest, found: Found, choose: Callable[[Found], Side]) -> HttpResponseBase:
    try:
        side = choose(found)
        file = sound.wave(side)
    except UNREADABLE as cause:
        raise Http404 from cause
    tag = sound.etag("wave", side)
    return respond(request, Content(file, "image/svg+xml", tag, found.is_public))


def _user(found: Found) -> Side:
    side = sound.user_side(found.item)
    if side is None:
        raise Http404
    return side


def _model(found: Found) -> Side:
    side = _model_or_none(found)
    if side is None:
        raise Http404
    return side


def _model_or_none(found: Found) -> Side | None:
    """The answer of the one system that the address names; of several, none can be meant."""
    if not found.answers:
        return None
    if len(found.answers) > 1:
        raise Http404
    return sound.model_side(found.answers[0].submission, found.item)
