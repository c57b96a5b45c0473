"""The packages that pip would install beside one of ours, laid out in a folder of their own.

Conventions: requirements are followed as pip follows them, from the installed packages' own
records, for this machine and this Python. The folder holds links to just these packages' files, so
an interpreter that sees this folder and the standard library, and nothing else, has what an empty
environment would have after ``pip install``.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def closure(requirements: Iterable[str]) -> dict[str, Distribution]:
    """Return all packages that the requirements need, by name.

    Raises:
        PackageNotFoundError: one is not installed here.
        AssertionError: one is installed in a version that pip would not take.
    """
    found: dict[str, Distribution] = {}
    left = [Requirement(line) for line in requirements]
    while left:
        wanted = left.pop()
        name = canonicalize_name(wanted.name)
        package = distribution(name)
        assert wanted.specifier.contains(package.version, prereleases=True), (
            f"{wanted} is asked for, {package.version} is here"
        )
        if name not in found:
            found[name] = package
            left += _needs(package, wanted.extras)
    return found


def _needs(package: Distribution, extras: Iterable[str]) -> list[Requirement]:
    needs = [Requirement(line) for line in package.requires or ()]
    wishes = [{"extra": extra} for extra in ("", *extras)]
    return [one for one in needs if one.marker is None or any(map(one.marker.evaluate, wishes))]


def lay_out(packages: Mapping[str, Distribution], place: Path) -> None:
    """Link the files of packages into a folder, as they would lie in an environment."""
    for package in packages.values():
        for name in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            source = Path(str(package.locate_file(name)))
            if source.exists() and not (place / name).exists():
                (place / name).symlink_to(source)
