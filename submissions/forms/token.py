"""A new personal key."""

from django import forms
from django.utils.translation import gettext_lazy as _

from submissions.models import Token


class TokenForm(forms.Form):
    """What a key is for, what it may, and for how long."""

    name = forms.CharField(
        label=_("Name"), max_length=80, help_text=_("What it is for, such as “cluster”.")
    )
    scope = forms.ChoiceField(label=_("It may"), choices=Token.Scope.choices)
    days = forms.ChoiceField(
        label=_("Expires"),
        required=False,
        initial="90",
        choices=[
            ("30", _("in 30 days")),
            ("90", _("in 90 days")),
            ("365", _("in a year")),
            ("", _("never")),
        ],
    )
