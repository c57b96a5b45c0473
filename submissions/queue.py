"""Send tasks by name, after commit, with ids only.

Services import this and tasks import services, so neither needs to know the other.
"""

from celery import current_app
from django.db import transaction


def send(task: str, key: str | int) -> None:
    """Send ``submissions.tasks.<task>`` with one id once the transaction is committed."""
    signature = current_app.signature(f"submissions.tasks.{task}", args=(key,))
    transaction.on_commit(signature.apply_async)
