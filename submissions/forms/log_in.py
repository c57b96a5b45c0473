"""The library's account forms, with labels that say enough: nothing is told by a placeholder."""

from typing import Any

from allauth.account import forms
from django.utils.translation import gettext_lazy as _


class Labelled:
    """A form without placeholders, which vanish when one begins to write."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():  # type: ignore[attr-defined] # a form is mixed in
            field.widget.attrs.pop("placeholder", None)


class LogInForm(Labelled, forms.LoginForm):
    """Name or address, and the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Name or e-mail address")


class SignUpForm(Labelled, forms.SignupForm):
    """A new account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = _("Your team and the organisers see it.")
        self.fields["email"].help_text = _("A mail with a link goes there.")


class AddressForm(Labelled, forms.AddEmailForm):
    """One more address."""


class ResetForm(Labelled, forms.ResetPasswordForm):
    """The address of an account whose password is forgotten."""


class NewPasswordForm(Labelled, forms.ResetPasswordKeyForm):
    """A new password in place of a forgotten one."""


class ChangePasswordForm(Labelled, forms.ChangePasswordForm):
    """A new password with the old one."""
