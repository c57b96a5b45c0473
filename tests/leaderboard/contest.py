"""A plain model of the contest's rules: what stands on a board, and what may be known by whom.

It knows no database and no service; the machine in ``test_contest_machine`` holds the site to it.
"""

from dataclasses import dataclass, field

LEFT = ("withdrawn", "disqualified")
RANKED_KINDS = ("participant", "baseline")


@dataclass
class Scoring:
    """One finished run: its numbers, and whether every recording was there.

    The delay differs from run to run in its thousandths, so that it betrays a run wherever it is
    shown; the interruption decides the order.
    """

    key: int
    interruption: int
    delay: str
    complete: bool


@dataclass
class Entry:
    """One submission, as the rules see it."""

    key: str
    team: str
    number: int
    trial: bool = False
    state: str = "queued"
    kind: str = "participant"
    published: bool = False
    chosen: bool = False
    was_scored: bool = False
    left_late: bool = False
    standing: Scoring | None = None
    runs: list[Scoring] = field(default_factory=list)


@dataclass
class Contest:
    """A split with its entries, and every delay that was public at some moment."""

    counting: str
    publication: str
    entries: list[Entry] = field(default_factory=list)
    choice_over: bool = False
    revealed: bool = False
    shown: set[str] = field(default_factory=set)

    @property
    def is_blind(self) -> bool:
        return self.publication == "reveal" and not self.revealed

    def finish(self, entry: Entry, run: Scoring) -> None:
        """A run has finished; it stands unless another one is published already."""
        entry.runs.append(run)
        entry.was_scored = True
        if entry.state in LEFT:
            return
        entry.state = "scored"
        if not entry.published:
            entry.standing = run
            by_itself = self.publication == "automatic" or (
                self.publication == "reveal" and self.revealed
            )
            entry.published = by_itself and not entry.trial

    def reveal(self) -> None:
        """The reveal time has come: everything that can stand on a board does."""
        self.revealed = self.choice_over = True
        for entry in self.entries:
            if entry.standing and entry.state not in LEFT and not entry.trial:
                entry.published = True

    def may_publish(self, entry: Entry) -> bool:
        """Whether an organiser can put it on the board by hand."""
        fits = entry.standing is not None and entry.state not in LEFT and not entry.trial
        return fits and not entry.published and not self.is_blind

    def may_choose(self, entry: Entry) -> bool:
        """Whether its team can let it count."""
        is_open = self.counting == "chosen" and not self.choice_over
        return is_open and entry.state == "scored" and not entry.trial

    def board(self) -> dict[str, tuple[int, str, int | None]]:
        """Run, kind and rank by the key of every entry that stands on the board."""
        rows = self._counting()
        ranked = sorted(
            -one.standing.interruption for one in rows if _may_rank(one) and one.standing
        )
        return {
            one.key: (
                one.standing.key,
                one.kind,
                1 + ranked.index(-one.standing.interruption) if _may_rank(one) else None,
            )
            for one in rows
            if one.standing
        }

    def note_shown(self) -> None:
        """Remember what everybody may read of published entries at this moment, for ever."""
        for entry in self.entries:
            if entry.published and entry.standing and entry.state not in LEFT:
                self.shown.add(entry.standing.delay)

    def known_to(self, team: str | None) -> set[str]:
        """Delays that a reader may know: what was public once, and the own team's."""
        own = {
            entry.standing.delay
            for entry in self.entries
            if entry.team == team and entry.standing and (entry.published or not self.is_blind)
        }
        return self.shown | own

    def _counting(self) -> list[Entry]:
        standing = [
            entry
            for entry in self.entries
            if entry.published and entry.state not in LEFT and not entry.trial
        ]
        if self.counting == "every":
            return standing
        late = [entry for entry in self.entries if entry.left_late and not entry.trial]
        meant = {}
        by_choice = self.counting == "chosen"
        for entry in sorted(
            [*standing, *late], key=lambda one: (by_choice and one.chosen, one.number)
        ):
            meant[entry.team] = entry
        return [entry for entry in standing if meant[entry.team] is entry]


def _may_rank(entry: Entry) -> bool:
    complete = entry.standing is not None and entry.standing.complete
    return complete and entry.kind in RANKED_KINDS
