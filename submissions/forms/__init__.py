"""The forms of people who submit: one module per page."""

from submissions.forms.submit import SubmitForm

__all__ = ["SubmitForm"]
