"""The page of a person's keys: make one, see when it was used, revoke it."""

from datetime import datetime, timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from submissions.forms.token import TokenForm
from submissions.models import Token
from submissions.services import tokens as keys


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables("new")
def tokens(request: HttpRequest) -> HttpResponse:
    """List the keys; a new one is shown in the answer that makes it, and never again."""
    form, new = TokenForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        expires = _expiry(data["days"], timezone.now())
        new = keys.create(request.user, data["name"], data["scope"], expires=expires)
        form = TokenForm()
    context = {
        "form": form,
        "new": new,
        "tokens": Token.objects.filter(user=request.user.pk),
        "now": timezone.now(),
    }
    return render(request, "tokens/page.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a key out of use at once."""
    if keys.revoke(request.user, pk):
        messages.success(request, _("The token was revoked; it opens nothing any more."))
    return redirect("tokens")


def _expiry(days: str, now: datetime) -> datetime | None:
    return now + timedelta(days=int(days)) if days else None
