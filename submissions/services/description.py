"""The system description that may come with a submission: is it a PDF, and long enough?"""

from typing import IO

from django.utils.translation import gettext as _
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from submissions.models import Split
from submissions.services.slots import SubmissionRefused

MAX_BYTES = 20 * 2**20
# What the reader raises on files that only begin like a PDF.
BROKEN = (
    PyPdfError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip


def check_description(split: Split, file: IO[bytes] | None, *, is_trial: bool) -> None:
    """Stop a submission whose description is missing, is no PDF or is too short.

    A description is a matter of form and counts towards no score, so the page count is taken as
    the file declares it. A trial needs none.

    Raises:
        SubmissionRefused: with codes ``document-missing``, ``document-too-large``, ``not-a-pdf``
            and ``document-too-short``.
    """
    least = None if is_trial else split.min_document_pages
    if file is not None:
        _check_length(_pages(file), least or 0)
    elif least:
        raise SubmissionRefused(
            "document-missing",
            _("This split asks for a description of the system, a PDF of at least %(least)s pages.")
            % {"least": least},
            _("Add the PDF; the archive stays here meanwhile."),
        )


def too_large() -> SubmissionRefused:
    """What is said of a description that nobody would read."""
    return SubmissionRefused(
        "document-too-large",
        _("The description is larger than 20 MB."),
        _("Make its figures smaller."),
    )


def _check_length(pages: int, least: int) -> None:
    if pages < least:
        raise SubmissionRefused(
            "document-too-short",
            _("The description has %(pages)s page(s); this split asks for at least %(least)s.")
            % {"pages": pages, "least": least},
            _("Send a longer description."),
        )


def _pages(file: IO[bytes]) -> int:
    file.seek(0, 2)
    if file.tell() > MAX_BYTES:
        raise too_large()
    file.seek(0)
    try:
        pages = _declared(PdfReader(file))
    except BROKEN as cause:
        raise SubmissionRefused(
            "not-a-pdf",
            _("The description cannot be read as a PDF."),
            _("Export it as a PDF without a password, and open it once to see that it is right."),
        ) from cause
    file.seek(0)
    return pages


def _declared(reader: PdfReader) -> int:
    """Read the count at the root: a page tree can be made to unfold without end."""
    if reader.is_encrypted:
        raise ValueError("encrypted")
    return int(reader.root_object["/Pages"]["/Count"])  # type: ignore[index]
