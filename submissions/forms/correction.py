"""What an organiser says against a judge's label."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from submissions.models import Correction

# Not the empty value: that is a form sent without a choice.
TAKE_BACK = "judge"


class CorrectionForm(forms.Form):
    """A label and the reason for it; ``stands`` says that there is something to take back."""

    label = forms.ChoiceField(
        label=_("Label"),
        help_text=_("It counts from the next scoring on; the judge's label stays beside it."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Everybody who may see the item reads it."),
    )

    def __init__(self, *arguments: Any, stands: bool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        label = cast(forms.ChoiceField, self.fields["label"])
        back = (TAKE_BACK, _("take the correction back: the judge's label counts again"))
        label.choices = [("", "—"), *Correction.Label.choices, *([back] if stands else [])]

    def clean_label(self) -> str:
        """The label; empty to take the correction back."""
        label: str = self.cleaned_data["label"]
        return "" if label == TAKE_BACK else label

    def clean_reason(self) -> str:
        """One line, as it stands in lists and files."""
        return " ".join(self.cleaned_data["reason"].split())
