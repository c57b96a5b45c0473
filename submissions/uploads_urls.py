"""Addresses of uploads, for programs: the same in every language."""

from django.urls import path

from submissions.views import uploads

urlpatterns = [
    path("", uploads.many, name="uploads"),
    path("plain", uploads.plain, name="upload-plain"),
    path("plain/", uploads.plain),
    path("<uuid:pk>/", uploads.one, name="upload"),
    path("<uuid:pk>/description/", uploads.description, name="upload-description"),
    path("<uuid:pk>/submit/", uploads.submit_again, name="upload-submit-again"),
]
