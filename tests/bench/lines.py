"""How a measurement is told: what, against what, the ratio, and on which machine.

Conventions: both sides of a ratio are measured in the same run, in turn; a ratio above 1 means
that the first side is better. Nothing names the machine, only what it is made of.
"""

import os
import platform
import sys
from pathlib import Path

import psutil

WIDTH, SIDE = 48, 13


def machine() -> str:
    """Return the size of this machine in one line."""
    memory = psutil.virtual_memory().total / 2**30
    cores = len(os.sched_getaffinity(0))
    return (
        f"{cores} processors ({_model()}), {memory:.0f} GiB of memory, "
        f"{platform.system()}, Python {platform.python_version()}"
    )


def _model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:  # not Linux
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def head(what: str) -> None:
    """Start a group of lines."""
    _write(f"\n{what}")


def versus(what: str, ours: str, against: str, theirs: str, ratio: float) -> None:
    """Tell one comparison."""
    _write(f"  {what:<{WIDTH}} {ratio:>7.2f} times: {ours} against {theirs} ({against})")


def fact(what: str, value: str) -> None:
    """Tell something that is compared with nothing."""
    _write(f"  {what:<{WIDTH}} {value:>{SIDE}}")


def note(sentence: str) -> None:
    """Say what a number above means, or does not mean."""
    _write(f"  {sentence}")


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
