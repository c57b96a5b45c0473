"""The tools of scoring, chosen by settings; one set per process, models loaded on first use."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.conf import settings

from scoring import judge, vad
from scoring.evidence import MODES
from scoring.judge import Judge
from scoring.tools import Tools, transcriber
from submissions.models import Remembered, Split

BATCH = 200


class DatabaseMemory:
    """Work remembered by content in the database, for all submissions together."""

    def recall(self, engine: str, keys: Sequence[str]) -> Mapping[str, Any]:
        """Return the values that are known, by key."""
        rows = Remembered.objects.filter(engine=engine, key__in=keys)
        return dict(rows.values_list("key", "value"))

    def keep(self, engine: str, values: Mapping[str, Any]) -> None:
        """Remember values by key; whoever came first is kept."""
        Remembered.objects.bulk_create(
            [Remembered(engine=engine, key=key, value=value) for key, value in values.items()],
            ignore_conflicts=True,
            batch_size=BATCH,
        )

    def forget(self, engine: str, keys: Sequence[str]) -> None:
        """Forget values by key."""
        Remembered.objects.filter(engine=engine, key__in=keys).delete()


@lru_cache(maxsize=1)
def tools() -> Tools:
    """Return the tools that the settings name.

    A transcriber whose weights are missing complains only when it is needed, so that entries
    whose transcripts are all imported are scored without any.

    Raises:
        EngineError: a name is unknown, or weights cannot be used; says what to do about it.
    """
    names = settings.ENGINES
    transcribers = {
        language: transcriber(
            names[f"asr_{language}"],
            models=names["models"],
            device=names["device"],
            threads=settings.THREADS,
        )
        for language in ("cn", "en")
    }
    return Tools(vad.detect, vad.ENGINE, transcribers, _judges(), DatabaseMemory())


def asked(split: Split) -> tuple[str, ...]:
    """The modes in which a split has its answers judged: the one that ranks, and the other."""
    return MODES if split.both_modes else (split.ranking_mode,)


def _judges() -> dict[str, Judge]:
    """Return the judge of each mode; none at all where nobody is to judge."""
    name = settings.ENGINES["judge"]
    if name == "none":
        return {}
    options = {**settings.JUDGE, "key_needed": True} if name == "chat" else {}
    return judge.load_by_mode(name, MODES, **options)
