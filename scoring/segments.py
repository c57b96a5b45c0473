"""Interval algebra of two speakers: turns, overlaps and response gaps.

Conventions: segments are ``(start, end)`` in seconds; lists are taken in the order given, as the
official timing script does. The float comparisons and the rounding to whole milliseconds are part
of the protocol (sections 5.2-5.4) and are copied on purpose: ``1.6 - 1.0`` is above 0.6 in binary
floats and does not merge, ``1.0 - 0.4`` equals 0.6 and does.
"""

from collections.abc import Sequence

from scoring.dialogue import Segment

# HumDial-FDBench, official timing script: pauses up to these lengths stay inside one turn.
USER_GAP = 0.6
MODEL_GAP = 0.5


def merge(segments: Sequence[Sequence[float]], gap: float) -> list[Segment]:
    """Join segments whose pauses are at most ``gap`` seconds into turns (protocol 5.2).

    Args:
        segments: voice-activity segments, in any order.
        gap: the longest pause inside a turn, in seconds.

    Returns:
        Turns, sorted.

    Examples:
        >>> merge([(0, 1), (1.5, 2), (3.7, 4)], 0.6)
        [Segment(start=0, end=2), Segment(start=3.7, end=4)]
    """
    turns: list[Segment] = []
    for start, end in sorted((start, end) for start, end in segments):
        if turns and start - turns[-1].end <= gap:
            turns[-1] = Segment(turns[-1].start, max(turns[-1].end, end))
        else:
            turns.append(Segment(start, end))
    return turns


def overlaps(user: Sequence[Sequence[float]], model: Sequence[Sequence[float]]) -> list[Segment]:
    """Stretches where user and model speak at once: the stop latencies (protocol 5.3).

    Args:
        user: turns of the user.
        model: turns of the model.

    Returns:
        One interval per millisecond of its end (the shortest wins), sorted by end and rounded to
        milliseconds.

    Examples:
        >>> overlaps([(0, 4), (9, 12)], [(5.2, 9.8), (13.1, 20)])
        [Segment(start=9.0, end=9.8)]
    """
    shortest: dict[int, Segment] = {}
    for overlap in _crossings(user, model):
        key = round(overlap.end * 1000)
        if key not in shortest or overlap.length < shortest[key].length:
            shortest[key] = overlap
    return [_rounded(one) for one in sorted(shortest.values(), key=lambda one: one.end)]


def response_gaps(
    user: Sequence[Sequence[float]], model: Sequence[Sequence[float]]
) -> list[Segment]:
    """Silences from a user's end to the model's next start: the response latencies (protocol 5.4).

    Args:
        user: turns of the user.
        model: turns of the model.

    Returns:
        One gap per millisecond of the model's start (the latest user end wins), sorted by it.

    Examples:
        >>> response_gaps([(0, 4), (9, 12)], [(5.2, 9.8), (13.1, 20)])
        [Segment(start=4.0, end=5.2), Segment(start=12.0, end=13.1)]
    """
    latest: dict[int, Segment] = {}
    for _, user_end in user:
        reply = next((start for start, _ in model if start > user_end), None)
        if reply is None:
            continue
        gap = _rounded(Segment(user_end, reply))
        key = round(reply * 1000)
        if key not in latest or gap.start > latest[key].start:
            latest[key] = gap
    return sorted(latest.values(), key=lambda gap: gap.end)


def _crossings(user: Sequence[Sequence[float]], model: Sequence[Sequence[float]]) -> list[Segment]:
    found, i, j = [], 0, 0
    while i < len(user) and j < len(model):
        start, end = max(user[i][0], model[j][0]), min(user[i][1], model[j][1])
        if end > start:
            found.append(Segment(start, end))
        if user[i][1] < model[j][1]:
            i += 1
        else:
            j += 1
    return found


def _rounded(segment: Segment) -> Segment:
    return Segment(round(float(segment.start), 3), round(float(segment.end), 3))
