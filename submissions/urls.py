"""Addresses for people who submit."""

from django.urls import path

from submissions.views.mine import my_submissions
from submissions.views.submit import submit_page

urlpatterns = [
    path("submit/", submit_page, name="submit"),
    path("my/", my_submissions, name="my"),
]
