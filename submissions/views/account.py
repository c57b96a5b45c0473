"""Which mails a person gets, and the link in each mail that ends its kind."""

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from submissions.emails import read_stop, wishes_of
from submissions.forms.account import MailForm
from submissions.models import MailSettings


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mail_settings(request: HttpRequest) -> HttpResponse:
    """Choose kinds and language."""
    form = MailForm(request.POST or None, instance=wishes_of(request.user))
    if form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("mail-settings")
    return render(request, "account/mail.html", {"form": form})


@csrf_exempt  # mail programs post here by themselves (RFC 8058); the token says who it is for
@require_http_methods(["GET", "HEAD", "POST"])
def mail_stop(request: HttpRequest, token: str) -> HttpResponse:
    """End one kind of mail, without a log-in."""
    stop = read_stop(token)
    if stop is None:
        raise Http404
    user = get_object_or_404(get_user_model(), pk=stop.user_id)
    if request.method == "POST":
        MailSettings.objects.update_or_create(user=user, defaults={stop.kind: False})
    label = MailForm.Meta.labels[stop.kind]
    context = {"label": label, "done": request.method == "POST"}
    return render(request, "account/mail_stop.html", context)
