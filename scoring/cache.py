"""What was heard and judged at home, kept in a file between two runs.

Conventions: values are plain JSON by engine and content key, as ``scoring.tools.Memory`` asks. Each
``keep`` is one transaction, so a run that is killed has lost only what was under way. The file
holds words and labels, never a key; only its owner may read it.
"""

import json
import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scoring import __version__
from scoring.errors import ScoringError

# The number counts layouts of the table; another layout is another file.
FILE = "remembered-1.sqlite3"
_TABLE = """CREATE TABLE IF NOT EXISTS remembered (
    engine TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (engine, key)
) WITHOUT ROWID"""
# Several runs may share the file; each waits so many seconds for its turn.
PATIENCE = 60.0


class CacheError(ScoringError):
    """The cache cannot be used."""

    code = "cache-unusable"


def usual_folder(environment: Mapping[str, str]) -> Path:
    """Return where a user's caches lie: ``$XDG_CACHE_HOME``, else ``~/.cache``.

    Args:
        environment: variables, such as ``os.environ``.

    Raises:
        CacheError: neither the variables nor the system know a home folder.
    """
    named = environment.get("XDG_CACHE_HOME", "")
    try:
        # The XDG rule: a relative path is to be ignored.
        base = Path(named) if os.path.isabs(named) else Path.home() / ".cache"
    except RuntimeError as cause:
        raise CacheError(
            "There is no home folder for the cache.", cure="Name one with --cache, or --no-cache."
        ) from cause
    return base / "full-duplex-leaderboard"


class Cache:
    """A memory in a file."""

    def __init__(self, folder: Path, *, lasting: Collection[str] = ()) -> None:
        """Open the cache in a folder; make both if they are not there.

        Args:
            folder: where it lies.
            lasting: engines whose values depend on their key alone. What the others said also
                depends on how this release reads recordings, so it is not used by another one.

        Raises:
            CacheError: the folder cannot be made or written, or its file is no cache.
        """
        self.path = folder / FILE
        self._lasting = frozenset(lasting)
        with self._speaking():
            folder.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)
            self._base = sqlite3.connect(self.path, timeout=PATIENCE)
            # Survives the death of the process; a power cut may cost the last few values.
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = NORMAL")
            with self._base:
                self._base.execute(_TABLE)

    def recall(self, engine: str, keys: Sequence[str]) -> Mapping[str, Any]:
        """Return the values that are known, by key."""
        query = "SELECT value FROM remembered WHERE engine = ? AND key = ?"
        name = self._name(engine)
        with self._speaking():
            rows = ((key, self._base.execute(query, (name, key)).fetchone()) for key in keys)
            return {key: json.loads(row[0]) for key, row in rows if row is not None}

    def keep(self, engine: str, values: Mapping[str, Any]) -> None:
        """Remember values by key; what came first is kept."""
        name = self._name(engine)
        rows = [(name, key, json.dumps(value)) for key, value in values.items()]
        with self._speaking(), self._base:
            self._base.executemany("INSERT OR IGNORE INTO remembered VALUES (?, ?, ?)", rows)

    def forget(self, engine: str, keys: Sequence[str]) -> None:
        """Forget values by key."""
        rows = [(self._name(engine), key) for key in keys]
        with self._speaking(), self._base:
            self._base.executemany("DELETE FROM remembered WHERE engine = ? AND key = ?", rows)

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def _name(self, engine: str) -> str:
        return engine if engine in self._lasting else f"{engine} scorer={__version__}"

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error, ValueError) as cause:
            raise CacheError(
                f"The cache cannot be used: {cause}.",
                cure="Delete it, name another folder with --cache, or go without: --no-cache.",
                path=str(self.path),
            ) from cause
