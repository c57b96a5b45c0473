"""Addresses for people who submit."""

from django.urls import path

from submissions.views import account, invitations, systems, teams, tokens, unfinished
from submissions.views.choose import choose_submission
from submissions.views.correct import correct_label, put_run_on_board, score_again
from submissions.views.description import description, show_description
from submissions.views.judging import ask_judge_again
from submissions.views.mine import my_submissions
from submissions.views.preflight import preflight
from submissions.views.submit import files, manifest, submit_page
from submissions.views.withdraw import withdraw_page

urlpatterns = [
    path("submit/", submit_page, name="submit"),
    path("submit/<slug:slug>/files.csv", files, name="expected-files"),
    path("submit/<slug:slug>/manifest.csv", manifest, name="manifest"),
    path("submit/unfinished/<uuid:pk>/", unfinished.make_submission, name="unfinished-submit"),
    path("submit/unfinished/<uuid:pk>/delete/", unfinished.delete, name="unfinished-delete"),
    path("submit/preflight/<slug:slug>.json", preflight, name="preflight"),
    path("submission/<uuid:pk>/withdraw/", withdraw_page, name="withdraw"),
    path("submission/<uuid:pk>/choose/", choose_submission, name="choose"),
    path("submission/<uuid:pk>/description.pdf", description, name="description"),
    path("submission/<uuid:pk>/description/", show_description, name="description-show"),
    path("submission/<uuid:pk>/item/<str:name>/correct/", correct_label, name="correct"),
    path("submission/<uuid:pk>/score-again/", score_again, name="score-again"),
    path("submission/<uuid:pk>/run/<int:run>/put/", put_run_on_board, name="put-on-board"),
    path("submission/<uuid:pk>/ask-judge-again/", ask_judge_again, name="ask-judge-again"),
    path("my/", my_submissions, name="my"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/<int:pk>/revoke/", tokens.revoke, name="token-revoke"),
    path("account/mail/", account.mail_settings, name="mail-settings"),
    path("account/mail/stop/<str:token>/", account.mail_stop, name="mail-stop"),
    path("teams/", teams.index, name="teams"),
    path("teams/join/<int:pk>/", invitations.accept_waiting, name="team-join"),
    path("team/<slug:slug>/", teams.page, name="team"),
    path("team/<slug:slug>/member/", teams.member, name="team-member"),
    path("team/<slug:slug>/leave/", teams.leave, name="team-leave"),
    path("team/<slug:slug>/ask/<slug:split>/", teams.ask, name="team-ask"),
    path("team/<slug:slug>/invite/", invitations.by_mail, name="team-invite"),
    path("team/<slug:slug>/link/", invitations.by_link, name="team-link"),
    path("team/<slug:slug>/invitation/<int:pk>/", invitations.revoke, name="team-revoke"),
    path("team/<slug:slug>/systems/new/", systems.new, name="system-new"),
    path("team/<slug:slug>/systems/<slug:system>/", systems.edit, name="system-edit"),
    path("invitation/<str:secret>/", invitations.page, name="invitation"),
]
