"""Typed readers of the environment; a bad value stops the start with a sentence."""

import os
import secrets
from pathlib import Path


class BadSetting(SystemExit):
    """A setting that cannot be used; printed as one sentence."""


def text(name: str, default: str = "") -> str:
    """Return a text."""
    return os.environ.get(name) or default


def secret(name: str, default: str = "") -> str:
    """Return a secret from NAME, or from the file that NAME_FILE names."""
    path = os.environ.get(f"{name}_FILE")
    if not path:
        return os.environ.get(name) or default
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as cause:
        raise BadSetting(f"{name}_FILE names {path}, which cannot be read: {cause}.") from cause


def flag(name: str, *, default: bool) -> bool:
    """Return a yes or no: 1/true/yes/on or 0/false/no/off."""
    value = os.environ.get(name, "").strip().lower()
    known = dict.fromkeys(("1", "true", "yes", "on"), True)
    known |= dict.fromkeys(("0", "false", "no", "off"), False)
    if value and value not in known:
        raise BadSetting(f"{name} is {value!r}; write 1 or 0.")
    return known.get(value, default)


def whole(name: str, default: int) -> int:
    """Return a whole number."""
    value = os.environ.get(name, "").strip()
    if value and not value.lstrip("-").isdigit():
        raise BadSetting(f"{name} is {value!r}; write a whole number.")
    return int(value) if value else default


def choice(name: str, default: str, known: tuple[str, ...]) -> str:
    """Return one of some words."""
    value = text(name, default)
    if value not in known:
        raise BadSetting(f"{name} is {value!r}; write one of {', '.join(known)}.")
    return value


def client(name: str) -> dict[str, str]:
    """Return the keys of a log-in through others; empty when they are not set."""
    key, word = text(f"{name.upper()}_CLIENT_ID"), secret(f"{name.upper()}_CLIENT_SECRET")
    if bool(key) != bool(word):
        raise BadSetting(f"Set both {name.upper()}_CLIENT_ID and {name.upper()}_CLIENT_SECRET.")
    return {"client_id": key, "secret": word} if key else {}


def words(name: str, default: str) -> list[str]:
    """Return a comma-separated list."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def own_key(path: Path) -> str:
    """Return the key kept in a file of this machine, made at the first start."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50), encoding="utf-8")
    return path.read_text(encoding="utf-8")
