"""Small forms of the team's page: a name, an address, a role, a request."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from submissions.models import Membership

MESSAGE_AT_MOST = 2000


class TeamForm(forms.Form):
    """A new team."""

    name = forms.CharField(
        label=_("Name of the team"),
        max_length=80,
        help_text=_("It stands on the board beside your systems."),
    )


class InviteForm(forms.Form):
    """An invitation by mail."""

    email = forms.EmailField(
        label=_("E-mail address"),
        help_text=_("The invitation opens only for an account with this address."),
    )


class MemberForm(forms.Form):
    """What an owner does with a member."""

    REMOVE, HAND_OVER = "remove", "hand-over"

    user = forms.IntegerField(widget=forms.HiddenInput)
    change = forms.ChoiceField(
        choices=[*((role, role) for role in Membership.Role.values), (REMOVE, ""), (HAND_OVER, "")]
    )


class AskForm(forms.Form):
    """A request to take part in a split."""

    message = forms.CharField(
        label=_("Message to the organisers"),
        max_length=MESSAGE_AT_MOST,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Who you are and what you want to submit, in a few sentences."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Several of these stand on one page.
        super().__init__(*args, **{"auto_id": False, **kwargs})
