"""The chat judge's settings from variables of the environment, the same ones that the site reads.

Conventions: the key comes from ``JUDGE_API_KEY`` or the file that ``JUDGE_API_KEY_FILE`` names, and
from nowhere else; it stands in no message.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from scoring.errors import EngineError

BASE_URL, MODEL = "https://api.deepseek.com", "deepseek-chat"
NUMBERS: Mapping[str, Callable[[str], int | float]] = {"concurrency": int, "timeout": float}
MONEY = ("price_in", "price_out", "budget")


def settings_in(environment: Mapping[str, str]) -> dict[str, object]:
    """Return the arguments of ``scoring.judge.load_by_mode("chat", ...)``.

    Args:
        environment: variables, such as ``os.environ``.

    Raises:
        EngineError: there is no key (``judge-key-missing``), its file cannot be read, or a number
            is none (``judge-setting-wrong``).
    """
    settings: dict[str, object] = {
        "base_url": environment.get("JUDGE_BASE_URL") or BASE_URL,
        "model": environment.get("JUDGE_MODEL") or MODEL,
        "api_key": _key(environment),
    }
    for name, number in NUMBERS.items():
        if written := environment.get(variable(name), "").strip():
            settings[name] = _number(variable(name), written, number)
    return settings | {name: environment.get(variable(name), "").strip() for name in MONEY}


def variable(name: str) -> str:
    """Return the variable of a setting."""
    return f"JUDGE_{name.upper()}"


def _key(environment: Mapping[str, str]) -> str:
    path = environment.get("JUDGE_API_KEY_FILE", "")
    key = _secret(Path(path)) if path else environment.get("JUDGE_API_KEY", "")
    if not key:
        raise EngineError(
            "The chat judge needs a key.",
            cure="Set the variable JUDGE_API_KEY, or let JUDGE_API_KEY_FILE name a file with it; "
            "or use --judge offline.",
            code="judge-key-missing",
        )
    return key


def _secret(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as cause:
        raise EngineError(
            "The file that JUDGE_API_KEY_FILE names cannot be read.",
            cure="Name a text file that holds nothing but the key.",
            path=str(path),
            code="judge-key-missing",
        ) from cause


def _number(name: str, written: str, number: Callable[[str], int | float]) -> int | float:
    try:
        return number(written)
    except ValueError as cause:
        kind = "a whole number" if number is int else "a number of seconds"
        raise EngineError(
            f"{name} is {written!r}.", cure=f"Write {kind}.", code="judge-setting-wrong"
        ) from cause
