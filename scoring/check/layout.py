"""Say which member of an archive is which expected file, and which is none.

Conventions: the expected files come from the manifest, never from the archive (decision D4). The
file name decides; folders are asked only when a name alone leaves a doubt. Other trees than the
expected one are accepted, with one note, as long as there is no doubt. Everything here is pure.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scoring.archive.members import shown
from scoring.errors import Finding, Phrase
from scoring.humdial import names as humdial
from scoring.humdial.void import is_void
from scoring.manifest import ExpectedFile, Item
from scoring.rules import finding, listed

# Differences of the tree that are told one by one.
TOLD = 5


@dataclass(slots=True)
class Match:
    """Which member is which expected file.

    Attributes:
        members: key of the expected file → member name, in the order of the archive.
        findings: what is wrong or odd about names and folders.
        dialogues: members named by dialogue, where the expected files do not tell their dialogues.
    """

    members: dict[tuple[str, str], str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    dialogues: list[str] = field(default_factory=list)


def match(
    names: Iterable[str], expected: Sequence[ExpectedFile], *, by_dialogue: bool = True
) -> Match:
    """Find the expected file that each member name stands for.

    Args:
        names: member names with ``/`` between folders.
        expected: all files that a submission must hold.
        by_dialogue: whether files with anonymous ids may also be named by their dialogues; not
            where the sender must not learn which dialogue an id stands for.

    Returns:
        The first member for each file that has one, and the findings ``file-unknown``,
        ``file-void``, ``clean-not-needed``, ``name-ambiguous``, ``file-twice``,
        ``names-by-dialogue`` and ``layout-differs``.
    """
    index, result = _Index(expected, by_dialogue=by_dialogue), Match()
    differences: dict[_Difference, str] = {}
    for name in names:
        found = index.find(name)
        if found is None:
            result.dialogues.append(name)
        elif isinstance(found, Finding):
            result.findings.append(found)
        elif found.key in result.members:
            result.findings.append(_twice(name, result.members[found.key], found))
        else:
            result.members[found.key] = name
            differences |= dict.fromkeys(_differences(name, found), name)
    if result.dialogues:
        result.findings.append(_by_dialogue(result.dialogues))
    if differences:
        result.findings.append(_layout_note(differences))
    return result


class _Index:
    """Expected files by path and by the file names they may have."""

    def __init__(self, expected: Sequence[ExpectedFile], *, by_dialogue: bool) -> None:
        self._by_path = {file.path: file for file in expected}
        self._by_name: defaultdict[str, list[ExpectedFile]] = defaultdict(list)
        self._items: defaultdict[str, dict[str, Item]] = defaultdict(dict)
        self._hides = False
        for file in expected:
            is_secret = file.stands_alone or not (by_dialogue or file.item.is_named_by_dialogue)
            self._hides |= is_secret
            if not is_secret:
                self._items[file.item.item][file.item.key] = file.item
            for name in _file_names(file, by_dialogue=not is_secret):
                self._by_name[name].append(file)

    def find(self, name: str) -> ExpectedFile | Finding | None:
        """The expected file a member is, or why it is none; ``None`` for a secret dialogue."""
        folders, base = _split(name)
        for start in range(len(folders) + 1):
            if file := self._by_path.get("/".join([*folders[start:], base])):
                return file
        candidates = self._by_name.get(base, [])
        if len(candidates) == 1 and base != _item_name(candidates[0]):
            # An anonymous id is unique in the split, whatever folder its file lies in.
            return candidates[0]
        return self._by_folders(name, candidates)

    def _by_folders(
        self, name: str, candidates: list[ExpectedFile]
    ) -> ExpectedFile | Finding | None:
        place = humdial.place_of(name)
        fitting = [file for file in candidates if not place.contradicts(file.item)]
        if len(fitting) > 1:
            folders = set(map(humdial.alias_key, _split(name)[0]))
            named = [file for file in fitting if humdial.alias_key(file.item.folder) in folders]
            fitting = named or fitting
        if len(fitting) == 1:
            return fitting[0]
        return _ambiguous(name, fitting) if fitting else self._unknown(name, candidates)

    def _unknown(self, name: str, candidates: list[ExpectedFile]) -> Finding | None:
        if candidates:
            keys = listed([file.item.key for file in candidates])
            return finding("file-unknown:folders", shown(name), items=keys)
        stem, _, suffix = _split(name)[1].rpartition(".")
        if suffix != "wav":
            return finding("file-unknown:suffix", shown(name))
        parsed = humdial.parse(stem)
        if parsed is None or parsed.side == "user":
            return finding("file-unknown:user" if parsed else "file-unknown:name", shown(name))
        if parsed.family == "challenge" and is_void(parsed.kind, parsed.id):
            return finding("file-void", shown(name))
        if parsed.family == "challenge":
            kind = Phrase(f"kind-{parsed.kind}")
            return finding("file-unknown:id", shown(name), kind=kind, id=shown(parsed.id))
        place = humdial.place_of(name)
        items = [item for item in self._items[parsed.id].values() if not place.contradicts(item)]
        if items and parsed.kind == "clean":
            return finding("clean-not-needed", shown(name))
        if self._hides:
            return None
        return finding("file-unknown:item", shown(name), id=parsed.id)


def _split(name: str) -> tuple[list[str], str]:
    """Folders and file name of a path; the suffix in small letters."""
    *folders, base = name.split("/")
    stem, dot, suffix = base.rpartition(".")
    return folders, f"{stem}{dot}{suffix.lower()}"


def _item_name(file: ExpectedFile) -> str:
    return humdial.output_name(file.item, file.kind)


def _file_names(file: ExpectedFile, *, by_dialogue: bool) -> Iterator[str]:
    canonical = _split(file.path)[1]
    yield canonical
    if by_dialogue and _item_name(file) != canonical and humdial.may_carry(file.item):
        yield _item_name(file)


# ---- findings -----------------------------------------------------------------------------------


class _Difference(NamedTuple):
    """How a path differs from the expected one; the file it is seen in comes later."""

    phrase: str
    kind: str = ""
    folder: str = ""
    root: str = ""

    def seen_in(self, name: str) -> Phrase:
        """Say it in half a sentence."""
        kind = Phrase(f"kind-{self.kind}") if self.kind else ""
        places = {"kind": kind, "folder": shown(self.folder), "root": self.root}
        return Phrase(self.phrase, {**places, "name": shown(name)})


def _ambiguous(name: str, files: list[ExpectedFile]) -> Finding:
    keys = listed([file.item.key for file in files])
    return finding("name-ambiguous", shown(name), count=f"{len(files):,}", items=keys)


def _twice(name: str, first: str, file: ExpectedFile) -> Finding:
    kind = Phrase(f"kind-{file.kind}")
    return finding("file-twice", shown(name), kind=kind, first=shown(first))


def _by_dialogue(names: Sequence[str]) -> Finding:
    return finding("names-by-dialogue", count=f"{len(names):,}", name=shown(names[0]))


def _differences(name: str, file: ExpectedFile) -> Iterator[_Difference]:
    folders, base = _split(name)
    wanted, wanted_base = _split(file.path)
    if not name.endswith(base):
        yield _Difference("tree-suffixes")
    if base != wanted_base:
        yield _Difference("tree-dialogues")
    elif wanted_base != _item_name(file) and folders != wanted:
        yield from _other_folders(folders, file.kind, root=wanted[:-1])


def _other_folders(folders: list[str], kind: str, *, root: list[str]) -> Iterator[_Difference]:
    inner = folders[-1].casefold() if folders else ""
    if inner in ("test", "clean"):
        folders = folders[:-1]
    else:
        yield _Difference("tree-unsorted")
    if inner in ("test", "clean") and inner != kind:
        yield _Difference("tree-swapped", kind=kind, folder=inner)
    if folders == root:
        return
    if not folders:
        yield _Difference("tree-no-root", root="/".join(root))
    elif folders[-len(root) :] == root:
        yield _Difference("tree-around", folder="/".join(folders[: -len(root)]))
    else:
        yield _Difference("tree-other-root", folder="/".join(folders))


def _layout_note(differences: dict[_Difference, str]) -> Finding:
    """One note on the whole tree; of many kinds of other roots the first ones are enough."""
    said = [one.seen_in(name) for one, name in list(differences.items())[:TOLD]]
    if len(differences) > TOLD:
        said.append(Phrase("tree-more", {"count": f"{len(differences) - TOLD:,}"}))
    return finding("layout-differs", differences=said, tree=humdial.TREE)
