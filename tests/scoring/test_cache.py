"""The cache of the command line: kept between runs, by content, for its owner only."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest

import scoring.cache
from scoring.cache import FILE, Cache, CacheError, usual_folder


def test_what_is_kept_is_there_for_the_next_run(tmp_path):
    first = Cache(tmp_path / "new" / "folder")
    first.keep("silero-6.2.3", {"a": [[0.1, 0.2]], "b": {"字": None}})
    first.close()
    second = Cache(tmp_path / "new" / "folder")
    assert second.recall("silero-6.2.3", ["a", "b", "c"]) == {"a": [[0.1, 0.2]], "b": {"字": None}}
    assert second.recall("silero-7", ["a"]) == {}
    assert second.recall("silero-6.2.3", []) == {}


def test_who_came_first_is_kept(tmp_path):
    one, other = Cache(tmp_path), Cache(tmp_path)
    one.keep("judge", {"a": 1})
    other.keep("judge", {"a": 2, "b": 3})
    assert one.recall("judge", ["a", "b"]) == {"a": 1, "b": 3}


def test_what_is_forgotten_can_be_kept_anew(tmp_path):
    cache = Cache(tmp_path)
    cache.keep("chat", {"a": 1, "b": 2})
    cache.forget("chat", ["a", "unknown"])
    assert cache.recall("chat", ["a", "b"]) == {"b": 2}
    cache.keep("chat", {"a": 3})
    assert cache.recall("chat", ["a"]) == {"a": 3}


def test_another_release_hears_again_but_pays_no_label_again(tmp_path, monkeypatch):
    old = Cache(tmp_path, lasting=["chat/model"])
    old.keep("silero", {"a": []})
    old.keep("chat/model", {"m": "C_RESUME"})
    monkeypatch.setattr(scoring.cache, "__version__", "99.0")
    new = Cache(tmp_path, lasting=["chat/model"])
    assert new.recall("silero", ["a"]) == {}
    assert new.recall("chat/model", ["m"]) == {"m": "C_RESUME"}


def test_only_its_owner_may_read_it(tmp_path):
    cache = Cache(tmp_path)
    cache.keep("judge", {"a": 1})
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes[FILE] == 0o600
    assert set(modes.values()) == {0o600}  # what SQLite lays beside it, too


def test_a_file_that_is_no_cache_is_named_with_a_cure(tmp_path):
    (tmp_path / FILE).write_bytes(b"no database, and long enough to be read as one " * 30)
    with pytest.raises(CacheError, match=r"remembered-1\.sqlite3: .*--no-cache") as caught:
        Cache(tmp_path)
    assert caught.value.code == "cache-unusable"


def test_a_value_that_was_damaged_is_told(tmp_path):
    cache = Cache(tmp_path, lasting=["judge"])
    cache.keep("judge", {"a": 1})
    with sqlite3.connect(tmp_path / FILE) as base:
        base.execute("UPDATE remembered SET value = '{'")
    with pytest.raises(CacheError):
        cache.recall("judge", ["a"])


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CacheError):
        Cache(tmp_path / "file" / "folder")


@pytest.mark.parametrize(
    ("named", "base"),
    [
        ("/somewhere", Path("/somewhere")),
        ("", Path.home() / ".cache"),
        ("a", Path.home() / ".cache"),
    ],
)
def test_the_usual_folder_is_where_caches_of_the_user_lie(named, base):
    found = usual_folder({"XDG_CACHE_HOME": named})
    assert found == base / "full-duplex-leaderboard"
    assert os.path.isabs(found)
