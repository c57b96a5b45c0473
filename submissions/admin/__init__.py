"""The organisers' desk: splits, the queue, marks, scoring again, boards, teams, uploads, keys."""

from submissions.admin import access, corrections, imports, splits, submissions, teams

__all__ = ["access", "corrections", "imports", "splits", "submissions", "teams"]
