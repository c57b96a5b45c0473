"""The doors of resumable uploads: tus 1.0 for its clients, and one plain request for curl."""

from collections.abc import Callable, Iterator
from functools import wraps
from tempfile import TemporaryFile
from typing import IO, Any
from uuid import UUID

from django.conf import settings
from django.db import close_old_connections, connection
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.http.request import UnreadablePostError
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from submissions.models import Token, Upload
from submissions.services import upload as uploads
from submissions.services.channel import channel_of
from submissions.services.description import MAX_BYTES, too_large
from submissions.services.slots import SubmissionRefused
from submissions.tus import headers
from submissions.tus.growing_file import Overtaken, TooMuch
from submissions.views.access import View, for_people_and_programs, refusal, refused

# Small enough that a broken line or a killed server loses little, large enough to be fast.
PIECE = 256 * 1024
Door = Callable[[HttpRequest, Upload], HttpResponse]


def offering(view: View) -> View:
    """Say what this server can do to whoever asks; that needs no log-in."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "OPTIONS":
            return HttpResponse(status=204, headers=headers.offered(settings.MAX_ARCHIVE_BYTES))
        return view(request, *args, **kwargs)

    return inner


@offering
@for_people_and_programs(Token.Scope.SUBMIT)
def many(request: HttpRequest) -> HttpResponseBase:
    """POST begins an upload."""
    return _answer(request, {"POST": _begin}, lambda door: door(request))


@offering
@for_people_and_programs(Token.Scope.SUBMIT)
def one(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """HEAD says how much is here, PATCH brings more, DELETE ends it."""
    doors: dict[str, Door] = {"HEAD": _head, "PATCH": _patch, "DELETE": _delete}
    return _answer(request, doors, lambda door: door(request, _mine(request, pk)))


@for_people_and_programs(Token.Scope.SUBMIT)
def plain(request: HttpRequest) -> HttpResponseBase:
    """Take the whole archive as the body of one request, for ``curl -T``."""
    if request.method not in ("POST", "PUT"):
        return _not_allowed("POST, PUT")
    if request.headers.get("Content-Length") is None:
        return refused(411, "length-required", _("The request does not say how long it is."))
    asked = request.GET.dict() | {"filename": request.GET.get("name", "")}
    try:
        wish = _wish(asked, headers.whole("Content-Length", request.headers["Content-Length"]))
        upload = uploads.begin(request.user, wish)
        return _taken(upload, uploads.receive(upload, 0, _body(request)))
    except SubmissionRefused as error:
        return refusal(error)


@for_people_and_programs(Token.Scope.SUBMIT)
def description(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Take the system description of an upload: a PDF as the body, and who may read it.

    With ``?public=`` the body may be empty: then only that is said.
    """
    upload = _mine(request, pk)
    if request.method not in ("POST", "PUT"):
        return _not_allowed("POST, PUT")
    said = request.GET.get("public")
    try:
        uploads.demand_member(request.user, upload.team)
        if said is not None:
            uploads.show_description(upload, to_everybody=_is_yes(said))
        with TemporaryFile() as file:
            for piece in _body(request, limit=MAX_BYTES):
                file.write(piece)
            if file.tell() or said is None:
                uploads.describe(upload, file)
    except SubmissionRefused as error:
        return refusal(error, 403 if error.code == "not-a-member" else 422)
    except TooMuch:
        return refusal(too_large(), 413)
    return HttpResponse(status=204)


@for_people_and_programs(Token.Scope.SUBMIT)
def submit_again(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Make a complete upload a submission that was refused before."""
    upload = _mine(request, pk)
    if request.method != "POST":
        return _not_allowed("POST")
    try:
        return _taken(upload, upload.length)
    except SubmissionRefused as error:
        return refusal(error)


# ---- tus ----------------------------------------------------------------------------------------


def _answer(request: HttpRequest, doors: dict[str, Any], enter: Callable[..., Any]) -> HttpResponse:
    """Let a request through the door of its method, and say in tus what went wrong."""
    door = doors.get(_method(request))
    if door is None:
        return _not_allowed(", ".join(("OPTIONS", *doors)))
    if request.headers.get("Tus-Resumable") != headers.VERSION:
        answer: HttpResponse = refused(
            412, "tus-version", _("This server speaks version 1.0.0 of the tus protocol.")
        )
        answer["Tus-Version"] = headers.VERSION
        return answer
    answer = _safely(enter, door)
    answer["Tus-Resumable"] = headers.VERSION
    answer["Cache-Control"] = "no-store"
    return answer


def _method(request: HttpRequest) -> str:
    """The method, which only a POST may override: a GET is not asked for a CSRF token."""
    method = request.method or ""
    return request.headers.get("X-HTTP-Method-Override", method) if method == "POST" else method


def _safely(enter: Callable[..., HttpResponse], door: Any) -> HttpResponse:
    try:
        return enter(door)
    except headers.BadHeader as error:
        return refused(400, "bad-header", str(error))
    except SubmissionRefused as error:
        return refusal(error, 413 if error.code == "archive-too-large" else 403)
    except Overtaken:
        rule = _("The upload does not end where this piece begins; another one may be under way.")
        return refused(409, "offset-differs", rule, _("Ask for its end again and go on there."))
    except TooMuch:
        rule = _("More bytes came than were announced.")
        return refused(413, "longer-than-announced", rule, _("Begin a new upload."))
    except (FileNotFoundError, Upload.DoesNotExist):
        return _gone()


def _begin(request: HttpRequest) -> HttpResponse:
    said = headers.metadata(request.headers.get("Upload-Metadata", ""))
    length = headers.whole("Upload-Length", request.headers.get("Upload-Length"))
    upload = uploads.begin(request.user, _wish(said, length))
    if request.content_type == headers.BODY:
        end = uploads.receive(upload, 0, _body(request))
        answer = _grown(upload, end, status=201)
    else:
        answer = HttpResponse(status=201, headers=_position(upload, 0))
    answer["Location"] = request.build_absolute_uri(reverse("upload", args=[upload.pk]))
    return answer


def _head(_request: HttpRequest, upload: Upload) -> HttpResponse:
    end = uploads.received(upload)
    if end is None:
        return _gone()
    refusal_ = None
    if end == upload.length and upload.offset < upload.length:
        # It was complete, but the server died before it could say so.
        refusal_ = _settle(upload)
    said = _position(upload, end) | {"Upload-Length": str(upload.length)}
    return HttpResponse(headers=said | _outcome(upload, refusal_))


def _patch(request: HttpRequest, upload: Upload) -> HttpResponse:
    if request.content_type != headers.BODY:
        rule = _("The content type of a piece is application/offset+octet-stream.")
        return refused(415, "wrong-content-type", rule)
    # Gigabytes take hours, and a team can change in them.
    uploads.demand_member(request.user, upload.team)
    offset = headers.whole("Upload-Offset", request.headers.get("Upload-Offset"))
    end = uploads.received(upload)
    if end is None:
        return _gone()
    if end != offset:
        raise Overtaken
    if end == upload.length:
        # The answer to the last piece was lost; nothing more comes.
        return _grown(upload, end, status=204)
    said = request.headers.get("Upload-Checksum")
    if said is None:
        return _grown(upload, uploads.receive(upload, offset, _body(request)), status=204)
    return _patch_checked(request, upload, offset, headers.checksum(said))


def _patch_checked(
    request: HttpRequest, upload: Upload, offset: int, said: headers.Checksum
) -> HttpResponse:
    """Keep a piece aside until it is known to be right, then add it."""
    sum_ = said.hasher()
    with TemporaryFile(dir=settings.PARTIAL_DIR) as aside:
        for piece in _body(request, limit=upload.length - offset):
            sum_.update(piece)
            aside.write(piece)
        came = timezone.now()
        if sum_.digest() != said.digest:
            rule = _("The piece is not what its checksum says; it was thrown away.")
            answer = refused(460, "checksum-differs", rule, _("Send it again."))
            answer.reason_phrase = "Checksum Mismatch"
            return answer
        aside.seek(0)
        end = uploads.receive(upload, offset, _pieces(aside), came=came)
        return _grown(upload, end, status=204)


def _delete(_request: HttpRequest, upload: Upload) -> HttpResponse:
    uploads.discard(upload)
    return HttpResponse(status=204)


def _grown(upload: Upload, end: int, *, status: int) -> HttpResponse:
    """Answer with the new end; a complete upload becomes a submission, or says why not."""
    error = _settle(upload) if end == upload.length else None
    answer = HttpResponse(status=status) if error is None else refusal(error)
    for name, value in (_position(upload, end) | _outcome(upload, error)).items():
        answer[name] = value
    return answer


def _settle(upload: Upload) -> SubmissionRefused | None:
    try:
        uploads.finish(upload)
    except SubmissionRefused as error:
        return error
    return None


def _outcome(upload: Upload, error: SubmissionRefused | None) -> dict[str, str]:
    if error is not None:
        return {"Submission-Refused": error.code}
    return {"Submission-Location": _page_of(upload)} if upload.submission else {}


# ---- shared -------------------------------------------------------------------------------------


def _mine(request: HttpRequest, pk: UUID) -> Upload:
    """An upload of this user; for others it does not exist."""
    found = Upload.objects.select_related("split", "team", "system", "submission")
    upload = get_object_or_404(found, pk=pk, user=request.user.pk)
    if upload.expires <= timezone.now():
        raise Http404
    return upload


def _wish(said: dict[str, str], length: int) -> uploads.Wish:
    return uploads.Wish(
        split=said.get("split", ""),
        team=said.get("team", ""),
        system=said.get("system", ""),
        file_name=said.get("filename", ""),
        length=length,
        is_trial=_is_yes(said.get("trial", "")),
        document_public=_is_yes(said.get("description_public", "")),
        model_channel=channel_of(said.get("model_channel", "")),
    )


def _is_yes(text: str) -> bool:
    return text.lower() in ("1", "true", "yes", "on")


def _taken(upload: Upload, end: int) -> JsonResponse:
    """Answer a program with the address of the new submission."""
    try:
        submission = uploads.finish(upload)
    except uploads.NotFinished:
        return refused(
            400,
            "upload-incomplete",
            _("%(end)s of %(length)s bytes came.") % {"end": end, "length": upload.length},
            _("Go on with a tus client, or on the submit page."),
        )
    page = _page_of(upload)
    answer = JsonResponse({"submission": str(submission.pk), "page": page}, status=201)
    answer["Location"] = page
    return answer


def _page_of(upload: Upload) -> str:
    return reverse("submission", args=[upload.submission_id])


def _position(upload: Upload, end: int) -> dict[str, str]:
    return {"Upload-Offset": str(end), "Upload-Expires": headers.http_date(upload.expires)}


def _body(request: HttpRequest, *, limit: int | None = None) -> Iterator[bytes]:
    """What comes, piece by piece; a broken line ends it, and what came before counts."""
    rest = settings.MAX_ARCHIVE_BYTES if limit is None else limit
    try:
        while piece := request.read(PIECE):
            rest -= len(piece)
            if rest < 0:
                raise TooMuch
            yield piece
    except UnreadablePostError:
        return
    finally:
        # A long body may have outlived the connection to the database; one that is in the middle
        # of a transaction must stay.
        if not connection.in_atomic_block:
            close_old_connections()


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece


def _gone() -> HttpResponse:
    rule = _("This upload has expired or was deleted.")
    return refused(410, "upload-gone", rule, _("Begin a new one."))


def _not_allowed(methods: str) -> HttpResponse:
    answer = refused(405, "method-not-allowed", _("This address takes %(m)s.") % {"m": methods})
    answer["Allow"] = methods
    return answer
