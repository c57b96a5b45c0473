"""Which mails a person wants."""

from django import forms
from django.utils.translation import gettext_lazy as _

from submissions.models import MailSettings


class MailForm(forms.ModelForm):  # type: ignore[type-arg] # Django's is not generic at run time
    """Kinds of mail, and their language."""

    class Meta:
        model = MailSettings
        fields = ("finished", "failed", "deadline", "language")
        labels = {
            "finished": _("When a submission is scored"),
            "failed": _("When an archive is refused or a scoring fails"),
            "deadline": _("Three days and one day before a deadline"),
            "language": _("Language of the mails"),
        }
