"""Say which member of an archive is which expected file, and which is none.

Conventions: the expected files come from the manifest, never from the archive (decision D4). The
file name decides; folders are asked only when a name alone leaves a doubt. Other trees than the
expected one are accepted, with one note, as long as there is no doubt. Everything here is pure.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from scoring.errors import Finding
from scoring.humdial import names as humdial
from scoring.manifest import ExpectedFile, Item

TREE_CURE = f"The expected tree is {humdial.TREE}."
IGNORED = "It is not scored; leave it out or ignore this line."


@dataclass(slots=True)
class Match:
    """Which member is which expected file.

    Attributes:
        members: key of the expected file → member name, in the order of the archive.
        findings: what is wrong or odd about names and folders.
    """

    members: dict[tuple[str, str], str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def match(names: Iterable[str], expected: Sequence[ExpectedFile]) -> Match:
    """Find the expected file that each member name stands for.

    Args:
        names: member names with ``/`` between folders.
        expected: all files that a submission must hold.

    Returns:
        The first member for each file that has one, and the findings ``file-unknown``,
        ``clean-not-needed``, ``name-ambiguous``, ``file-twice`` and ``layout-differs``.
    """
    index, result = _Index(expected), Match()
    differences: dict[str, str] = {}
    for name in names:
        found = index.find(name)
        if isinstance(found, Finding):
            result.findings.append(found)
        elif found.key in result.members:
            result.findings.append(_twice(name, result.members[found.key], found))
        else:
            result.members[found.key] = name
            differences |= dict.fromkeys(_differences(name, found), name)
    if differences:
        result.findings.append(_layout_note(differences))
    return result


class _Index:
    """Expected files by path and by the file names they may have."""

    def __init__(self, expected: Sequence[ExpectedFile]) -> None:
        self._by_path = {file.path: file for file in expected}
        self._by_name: defaultdict[str, list[ExpectedFile]] = defaultdict(list)
        self._items: defaultdict[str, dict[str, Item]] = defaultdict(dict)
        for file in expected:
            self._items[file.item.item][file.item.key] = file.item
            for name in _file_names(file):
                self._by_name[name].append(file)

    def find(self, name: str) -> ExpectedFile | Finding:
        """The expected file a member is, or why it is none."""
        folders, base = _split(name)
        for start in range(len(folders) + 1):
            if file := self._by_path.get("/".join([*folders[start:], base])):
                return file
        candidates = self._by_name.get(base, [])
        if len(candidates) == 1 and base != _item_name(candidates[0]):
            # An anonymous id is unique in the split, whatever folder its file lies in.
            return candidates[0]
        return self._by_folders(name, candidates)

    def _by_folders(self, name: str, candidates: list[ExpectedFile]) -> ExpectedFile | Finding:
        place = humdial.place_of(name)
        fitting = [file for file in candidates if not place.contradicts(file.item)]
        if len(fitting) > 1:
            folders = set(map(humdial.alias_key, _split(name)[0]))
            named = [file for file in fitting if humdial.alias_key(file.item.folder) in folders]
            fitting = named or fitting
        if len(fitting) == 1:
            return fitting[0]
        return _ambiguous(name, fitting) if fitting else self._unknown(name, candidates)

    def _unknown(self, name: str, candidates: list[ExpectedFile]) -> Finding:
        if candidates:
            keys = _listed(file.item.key for file in candidates)
            return _not_scored(name, f"The name belongs to {keys}, but its folders say otherwise.")
        stem, _, suffix = _split(name)[1].rpartition(".")
        if suffix != "wav":
            return _not_scored(name, "The file is no wav recording.")
        parsed = humdial.parse(stem)
        if parsed is None or parsed.side == "user":
            return _no_output(name, is_user_side=parsed is not None)
        if parsed.family == "challenge":
            rule = f"No {parsed.kind} recording of this split has the id {parsed.id}."
            return _not_scored(name, rule)
        place = humdial.place_of(name)
        items = [item for item in self._items[parsed.id].values() if not place.contradicts(item)]
        if items and parsed.kind == "clean":
            return _clean_not_needed(name, items[0])
        return _not_scored(name, f"No item of this split is called {parsed.id}.")


def _split(name: str) -> tuple[list[str], str]:
    """Folders and file name of a path; the suffix in small letters."""
    *folders, base = name.split("/")
    stem, dot, suffix = base.rpartition(".")
    return folders, f"{stem}{dot}{suffix.lower()}"


def _item_name(file: ExpectedFile) -> str:
    return humdial.output_name(file.item, file.kind)


def _file_names(file: ExpectedFile) -> Iterator[str]:
    canonical = _split(file.path)[1]
    yield canonical
    if _item_name(file) != canonical and humdial.may_carry(file.item):
        yield _item_name(file)


def _listed(keys: Iterable[str], limit: int = 3) -> str:
    found = list(keys)
    more = f" and {len(found) - limit} more" if len(found) > limit else ""
    return ", ".join(found[:limit]) + more


# ---- findings -----------------------------------------------------------------------------------


def _not_scored(name: str, rule: str) -> Finding:
    return Finding("file-unknown", name, rule, f"Check the name. {IGNORED}", severity="warning")


def _no_output(name: str, *, is_user_side: bool) -> Finding:
    rule = "The name is that of no output recording."
    if is_user_side:
        rule = "By its name this is the recording of the user, not the answer to it."
    cure = f"The names of outputs end in _output.wav. {IGNORED}"
    return Finding("file-unknown", name, rule, cure, severity="warning")


def _clean_not_needed(name: str, item: Item) -> Finding:
    rule = f"{item.key} is scored by time alone and needs no clean recording."
    return Finding("clean-not-needed", name, rule, IGNORED, severity="note")


def _ambiguous(name: str, files: list[ExpectedFile]) -> Finding:
    keys = _listed(file.item.key for file in files)
    return Finding(
        "name-ambiguous",
        name,
        f"The name stands for {len(files)} items ({keys}), and its folders do not say which.",
        "Put it into folders for language and scenario, such as cn/Follow-up_Questions.",
    )


def _twice(name: str, first: str, file: ExpectedFile) -> Finding:
    return Finding(
        "file-twice",
        name,
        f"The {file.kind} output of {file.item.key} is there twice, first as {first}.",
        "Keep the one that counts.",
    )


def _differences(name: str, file: ExpectedFile) -> Iterator[str]:
    """Say in half sentences how a path differs from the expected one."""
    folders, base = _split(name)
    wanted, wanted_base = _split(file.path)
    if not name.endswith(base):
        yield "suffixes are in capitals"
    if base != wanted_base:
        yield "files are named by dialogue instead of by test id"
    elif wanted_base != _item_name(file) and folders != wanted:
        yield from _other_folders(folders, file.kind, root=wanted[:-1])


def _other_folders(folders: list[str], kind: str, *, root: list[str]) -> Iterator[str]:
    inner = folders[-1].casefold() if folders else ""
    if inner in ("test", "clean"):
        folders = folders[:-1]
    else:
        yield "files are not sorted into the folders test and clean"
    if inner in ("test", "clean") and inner != kind:
        yield f"{kind} files lie in the folder {inner} (their name decides)"
    if folders == root:
        return
    if not folders:
        yield f"there is no folder {'/'.join(root)}"
    elif folders[-len(root) :] == root:
        yield f"there is the folder {'/'.join(folders[: -len(root)])} around it"
    else:
        yield f"the outer folder is called {'/'.join(folders)}"


def _layout_note(differences: dict[str, str]) -> Finding:
    said = _listed((f"{what}, as in {name}" for what, name in differences.items()), limit=5)
    return Finding(
        "layout-differs",
        "",
        f"The tree is not the expected one, but leaves no doubt: {said}.",
        f"Accepted as it is. {TREE_CURE}",
        severity="note",
    )
