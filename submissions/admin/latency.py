"""Write down the latency that the organisers measured: an action with a form of its own."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from submissions.models import Submission
from submissions.services.latency import measure
from submissions.services.refused import Refused

# The submit button of the form; without it the action has only been chosen.
SAVE = "save_latency"


class LatencyForm(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    """Delay and how it was measured; an empty delay takes a measurement back."""

    class Meta:
        model = Submission
        fields = ("measured_delay", "measured_how")


class LatencyMixin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    """The action for an admin of submissions; the service decides and writes the event."""

    @admin.action(description=_("Write down the latency that you measured"), permissions=["change"])
    def measure_latency(
        self, request: HttpRequest, queryset: QuerySet[Submission]
    ) -> HttpResponse | None:
        """Ask for the measurement of one submission, and keep it."""
        chosen = list(queryset[:2])
        if len(chosen) != 1:
            text = _("Choose one submission: each was measured by itself.")
            self.message_user(request, text, messages.ERROR)
            return None
        # The form never saves: only what it read is given to the service.
        data = request.POST if SAVE in request.POST else None
        form = LatencyForm(data, instance=Submission.objects.get(pk=chosen[0].pk))
        if data is not None and form.is_valid() and self._measured(request, chosen[0], form):
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": _("Latency that the organisers measured"),
            "opts": self.opts,
            "form": form,
            "submission": chosen[0],
            "checkbox": ACTION_CHECKBOX_NAME,
            "save": SAVE,
        }
        return TemplateResponse(request, "admin/submissions/latency.html", context)

    def _measured(self, request: HttpRequest, submission: Submission, form: Any) -> bool:
        """Whether the service took it; what it says against it stands in the form."""
        delay, how = (form.cleaned_data[name] for name in LatencyForm.Meta.fields)
        try:
            measure(submission, delay, how, who=request.user)
        except Refused as refused:
            form.add_error(None, f"{refused.rule} {refused.cure}")
            return False
        self.message_user(request, _("Noted. A board that ranks by it is frozen anew."))
        return True
