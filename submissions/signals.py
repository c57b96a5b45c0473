"""What this floor announces; the floor above listens."""

from django.dispatch import Signal

# Arguments: split, cause (a sentence). Sent after commit when a board's entries have changed.
board_changed = Signal()
