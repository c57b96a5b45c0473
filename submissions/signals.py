"""What this floor announces; the floor above listens."""

from django.dispatch import Signal

# Arguments: split, cause (a sentence). Sent inside the transaction that changes the entries of a
# board, so that the board is frozen with the change or not at all.
board_changed = Signal()
