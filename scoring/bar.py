"""A progress bar on standard error, for people who look at it."""

import sys

WIDTH = 20


class Bar:
    """One line that is written over and over; nothing at all where nobody looks."""

    def __init__(self, *, shown: bool) -> None:
        self._shown, self._open = shown, False

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Draw how many of all are done."""
        if not (self._shown and total):
            return
        # First the note, then the line: an interrupt may come between the two.
        self._open = True
        bar = "█" * (WIDTH * done // total)
        sys.stderr.write(f"\r{stage} [{bar:<{WIDTH}}] {done}/{total}")
        sys.stderr.flush()
        if done == total:
            self.close()

    def close(self) -> None:
        """End the line of a bar that was not finished."""
        if self._open:
            sys.stderr.write("\n")
        self._open = False
