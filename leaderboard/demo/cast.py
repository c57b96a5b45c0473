"""Who plays in the demonstration at size: made-up systems of graded skill, and their choices.

Each answer is one that a system of humdial-mini gave to the same dialogue: ``prompt`` does well,
``steamroller`` talks on when it is interrupted, ``jumpy`` answers what was not meant for it. How
often a made-up system does as the latter two, and how late, is its whole skill.

Conventions: shares are 0-1; delays count frames of voice activity, so that sound that moves by
some falls into frames as before. Choices are drawn from a seed: the same ones for ever.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

# Samples of one frame of voice activity: 32 ms.
FRAME = 512


@dataclass(frozen=True, slots=True)
class Player:
    """One made-up system, its team, and its skill.

    Attributes:
        slug: of its team; also seeds its choices.
        kind, architecture, weights: as ``Submission.Kind`` and ``System`` have them.
        stubborn: share of dialogues in which it talks on.
        hasty: share of dialogues in which it answers whatever it hears.
        late: shortest delay, in frames.
        spread: how many frames more a delay may have.
        silent: number of dialogues in which it says nothing.
        missing: number of answers that it does not hand in.
    """

    slug: str
    team: str
    system: str
    description: str
    kind: str
    architecture: str
    weights: str
    stubborn: float
    hasty: float
    late: int
    spread: int
    silent: int = 0
    missing: int = 0


class Choice(NamedTuple):
    """What a player does in one dialogue; ``style`` is a system of humdial-mini."""

    style: str
    delay: int
    silent: bool = False
    missing: bool = False


# In the order in which they are handed in: the baseline gives the board its scale.
CAST = (
    Player(
        "demo-baseline",
        "Demo baseline",
        "Plain Cascade",
        "Made up for the demonstration. 为演示而虚构。",
        "baseline",
        "cascade",
        "open",
        stubborn=0.4,
        hasty=0.35,
        late=10,
        spread=10,
        silent=4,
    ),
    Player(
        "demo-paper-kite",
        "纸鸢小组",
        "纸鸢",
        "为演示而虚构。Made up for the demonstration.",
        "participant",
        "semi-cascade",
        "closed",
        stubborn=0.16,
        hasty=0.16,
        late=2,
        spread=8,
        missing=1,
    ),
    Player(
        "demo-tin-whistle",
        "Tin Whistle Lab",
        "Tin Whistle 2",
        "Made up for the demonstration. 为演示而虚构。",
        "participant",
        "end-to-end",
        "open",
        stubborn=0.17,
        hasty=0.15,
        late=3,
        spread=8,
        silent=1,
    ),
    Player(
        "demo-lanternfish",
        "Lanternfish",
        "Lanternfish Duplex",
        "Made up for the demonstration. 为演示而虚构。",
        "participant",
        "end-to-end",
        "closed",
        stubborn=0.03,
        hasty=0.05,
        late=0,
        spread=4,
    ),
    Player(
        "demo-night-train",
        "夜航小组",
        "夜航",
        "为演示而虚构。Made up for the demonstration.",
        "late",
        "cascade",
        "closed",
        stubborn=0.1,
        hasty=0.1,
        late=1,
        spread=6,
        silent=2,
    ),
    Player(
        "demo-open-reference",
        "Open reference",
        "Sparrow (open weights)",
        "Made up for the demonstration. 为演示而虚构。",
        "open",
        "end-to-end",
        "open",
        stubborn=0.06,
        hasty=0.5,
        late=0,
        spread=2,
    ),
)


def choices(player: Player, dialogues: int) -> list[Choice]:
    """Draw what a player does in each of so many dialogues."""
    draw = np.random.default_rng(list(player.slug.encode()))
    luck = draw.random(dialogues)
    delays = FRAME * (player.late + draw.integers(0, player.spread + 1, dialogues))
    mishaps = draw.permutation(dialogues)
    silent = set(mishaps[: player.silent].tolist())
    missing = set(mishaps[player.silent : player.silent + player.missing].tolist())
    return [
        Choice(_style(player, luck[place]), int(delays[place]), place in silent, place in missing)
        for place in range(dialogues)
    ]


def _style(player: Player, luck: float) -> str:
    if luck < player.stubborn:
        return "steamroller"
    return "jumpy" if luck >= 1 - player.hasty else "prompt"
