"""Mails to people: plain text in the reader's language, sent once, each kind with an off switch.

A mail never carries a score, only a link: what may be seen is decided where it is shown.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override

from submissions.models import MailSettings, SentMail

SALT = "submissions.emails.stop"
# The kinds that can be switched off are fields of the mail settings.
KINDS = ("finished", "failed", "deadline")


class Stop(NamedTuple):
    """What the link at the end of a mail switches off, and for whom."""

    user_id: int
    kind: str


def tell(
    people: Iterable[Any], about: str, template: str, values: dict[str, Any], *, kind: str = ""
) -> int:
    """Send a mail to each person that wants it and has not had it, and return how many.

    Args:
        people: users with their ``mail_settings``.
        about: the occasion; one person gets one mail about it, however often this runs.
        template: name of a file in ``templates/mail``.
        values: what the template needs; ``page`` is ``(url name, *arguments)`` of the link.
        kind: which of the settings switches it off; empty for an answer that was asked for.
    """
    return sum(_tell(user, about, template, values, kind) for user in people if user.email)


def _tell(user: Any, about: str, template: str, values: dict[str, Any], kind: str) -> bool:
    wishes = wishes_of(user)
    if not user.is_active or (kind and not getattr(wishes, kind)):
        return False
    note, is_new = SentMail.objects.get_or_create(user=user, about=about)
    if not is_new:
        return False
    message = compose(template, wishes.language, [user.email], values, stop_of(user, kind))
    try:
        message.send()
    except OSError:
        # The task comes again, and then nothing may say that this mail has gone out.
        note.delete()
        raise
    return True


def compose(
    template: str, language: str, to: list[str], values: dict[str, Any], stop: str = ""
) -> EmailMessage:
    """Write a mail: the first line of the template is the subject."""
    with override(language):
        name, *arguments = values["page"]
        context = {
            **values,
            "link": absolute(reverse(name, args=arguments)),
            "stop": stop and absolute(reverse("mail-stop", args=[stop])),
            "settings_link": absolute(reverse("mail-settings")),
            "site_name": settings.SITE_NAME,
        }
        text = render_to_string(f"mail/{template}.txt", context).strip()
    subject, _blank, body = text.partition("\n")
    headers = {"Auto-Submitted": "auto-generated"}
    if stop:
        headers["List-Unsubscribe"] = f"<{context['stop']}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return EmailMessage(subject.strip(), body.strip() + "\n", to=to, headers=headers)


def wishes_of(user: Any) -> MailSettings:
    """A person's mail settings; without a row, all mails."""
    found = MailSettings.objects.filter(user=user).first()
    return found or MailSettings(user=user)


def remember_language(user: Any, **_signal: Any) -> None:
    """Keep the language that somebody signs up in for the mails."""
    MailSettings.objects.get_or_create(
        user=user, defaults={"language": get_language() or settings.LANGUAGE_CODE}
    )


def absolute(path: str) -> str:
    """An address that works outside of a page."""
    return f"{settings.SITE_URL}{path}"


def stop_of(user: Any, kind: str) -> str:
    """The signed token that switches one kind of mail off; empty for mails that have no switch."""
    return signing.dumps([user.pk, kind], salt=SALT) if kind else ""


def read_stop(token: str) -> Stop | None:
    """What a token switches off; ``None`` when it is not one of ours."""
    try:
        stop = Stop(*signing.loads(token, salt=SALT))
    except signing.BadSignature:
        return None
    return stop if stop.kind in KINDS else None
