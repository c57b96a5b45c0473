"""The upload form: split, team, system and archive."""

from typing import Any

from django import forms
from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from submissions.models import Split, System, Team
from submissions.permissions import can_submit
from submissions.services.channel import LAST


class SplitField(forms.ModelChoiceField):
    """A choice of splits whose names are translated where we know them."""

    def label_from_instance(self, obj: Any) -> str:
        return gettext(obj.name)


class SubmitForm(forms.Form):
    """One archive of one system for one split."""

    split = SplitField(
        Split.objects.none(), label=_("Split"), to_field_name="slug", empty_label=None
    )
    team = forms.ModelChoiceField(
        Team.objects.none(), label=_("Team"), to_field_name="slug", empty_label=None
    )
    system_name = forms.CharField(
        label=_("System"),
        max_length=80,
        help_text=_("A new name, or the name of a system that your team has submitted before."),
        widget=forms.TextInput(attrs={"list": "systems", "autocomplete": "off"}),
    )
    archive = forms.FileField(
        label=_("Archive"),
        help_text=_("One zip file."),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )
    model_channel = forms.IntegerField(
        label=_("Channel of the model"),
        required=False,
        min_value=1,
        max_value=LAST,
        help_text=_(
            "Only where your recordings have several: which one is the model's, counted from 1."
        ),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    document = forms.FileField(
        label=_("Description of the system (PDF)"),
        required=False,
        help_text=_("At most 20 MB. The rules of the split say whether it is needed."),
        widget=forms.FileInput(attrs={"accept": ".pdf,application/pdf"}),
    )
    description_public = forms.BooleanField(
        label=_("Everybody may read the description once the entry is published"),
        required=False,
        help_text=_(
            "Otherwise it stays with your team and the organisers. You can change this later, on "
            "the page of the submission."
        ),
    )
    trial = forms.BooleanField(
        label=_("Only a trial"),
        required=False,
        help_text=_(
            "A private dry run on a few items; the rules of the split say what it shows. The "
            "archive may hold just these items, or all."
        ),
    )

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        splits = Split.objects.taking_uploads()
        self._choices("split", splits)
        self._choices("team", Team.objects.filter(members=user))

    @property
    def systems(self) -> list[str]:
        """Names that the user's teams have used."""
        names = System.objects.filter(team__members=self.user).values_list("name", flat=True)
        return sorted(set(names))

    def clean_system_name(self) -> str:
        name: str = self.cleaned_data["system_name"].strip()
        return name

    def clean_archive(self) -> Any:
        archive = self.cleaned_data["archive"]
        if archive.size > settings.MAX_ARCHIVE_BYTES:
            raise forms.ValidationError(
                _("The file has %(size)s; the limit is %(limit)s."),
                code="archive-too-large",
                params={
                    "size": filesizeformat(archive.size),
                    "limit": filesizeformat(settings.MAX_ARCHIVE_BYTES),
                },
            )
        return archive

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        split, team = data.get("split"), data.get("team")
        if split and team and not can_submit(self.user, split, team):
            raise forms.ValidationError(_("You cannot submit for this team."), code="not-a-member")
        return data

    def _choices(self, name: str, queryset: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 (for the type checker)
        field.queryset = queryset
        if queryset.count() == 1:
            field.initial = queryset.first()
