"""The organisers' desk: splits, the queue, marks, re-scoring and boards, teams."""

from submissions.admin import splits, submissions, teams

__all__ = ["splits", "submissions", "teams"]
