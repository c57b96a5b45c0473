"""How a team describes a system."""

from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

from submissions.models import System

WEB = ("http", "https")


class WebField(forms.URLField):
    """An address of a web page; one without a scheme gets https."""

    default_validators = [
        URLValidator(schemes=WEB, message=_("Write a web address, such as https://example.org/."))
    ]

    def __init__(self, **options: Any) -> None:
        super().__init__(assume_scheme="https", **options)


class SystemForm(forms.ModelForm):  # type: ignore[type-arg] # Django's is not generic at run time
    """Everything that the page of a system shows beside its numbers."""

    paper = WebField(label=_("Paper"), required=False, help_text=_("Address of the paper."))
    code = WebField(label=_("Code"), required=False, help_text=_("Address of the code or model."))

    class Meta:
        model = System
        fields = (
            "name",
            "architecture",
            "description",
            "parts",
            "weights",
            "licence",
            "paper",
            "code",
            "hardware",
            "external_resources",
        )
        help_texts = {
            "name": _("As it shall stand on the board."),
            "description": _("What it does and how, for readers who know the field."),
            "architecture": _(
                "Cascade: recogniser, language model, synthesiser. Semi-cascade: some parts are "
                "one model. End-to-end: sound in, sound out."
            ),
            "licence": _("Of the weights and the code, such as Apache-2.0."),
        }
        widgets = {
            "description": forms.Textarea(attrs={"rows": 4}),
            "parts": forms.Textarea(attrs={"rows": 4}),
            "external_resources": forms.Textarea(attrs={"rows": 3}),
        }

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())
