"""The scorer at home: from folders and archives on disk to a report, in one process.

Conventions: the same stages and numbers as on the site; items are heard in small chunks, so memory
does not grow with the archive.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path

from scoring import judge, vad
from scoring.archive import Outputs, open_outputs
from scoring.asr import Heard, Transcriber
from scoring.audio import read_answer
from scoring.check import CheckReport, check, refuse
from scoring.check.file_list import files_from_csv, is_file_list
from scoring.corrections import UNCORRECTED, Corrections
from scoring.costs import Costs
from scoring.dialogue import Annotation, Segment, Transcript
from scoring.errors import ArchiveError, AudioError, ScoringError
from scoring.evidence import MODES, Evidence, Reference, without_answer
from scoring.hearing import Side, hear_models, hear_users
from scoring.humdial import BENCHMARK
from scoring.humdial.names import expected_files
from scoring.humdial.void import without_void
from scoring.judge import Judge
from scoring.manifest import ExpectedFile, Item, Manifest
from scoring.pipeline import Scored, correct, estimate, score
from scoring.pipeline import judge as judge_items
from scoring.recording import Recording, Unread
from scoring.reference import (
    Folder,
    find_folder,
    model_side,
    read_transcripts,
    user_seconds,
    user_side,
)
from scoring.tools import Memory, Notebook, Samples, Tools, transcriber

CHUNK = 8
EMBEDDED = {"cn": "whisper-base-cn", "en": "whisper-tiny-en"}

Progress = Callable[[str, int, int], None]
# Recordings of the model, or the evidence that its answer did not come.
ModelSide = Callable[[Item, Annotation], Side | Evidence]


class OutputsRefused(ArchiveError):
    """Outputs that are not acceptable.

    Attributes:
        report: every finding; the error itself tells the first.
    """

    report: CheckReport


@dataclass(frozen=True, slots=True)
class WithImported:
    """A transcriber that is used only where no transcript was brought along."""

    inner: Transcriber
    name: str = "imported transcripts"

    @property
    def engine(self) -> str:
        """Name that says so."""
        return f"imported,else:{self.inner.engine}"

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages of the engine behind."""
        return self.inner.languages

    @property
    def unofficial(self) -> bool:
        """Transcripts of unknown origin are not official."""
        return True

    def transcribe(
        self, recordings: Sequence[Samples], speech: Sequence[Sequence[Segment]]
    ) -> list[Heard]:
        """Transcribe what was not brought along."""
        return self.inner.transcribe(recordings, speech)


@dataclass(frozen=True, slots=True)
class Engines:
    """Which engines to use, by name.

    Attributes:
        asr: transcriber per language.
        judge: ``offline``, ``chat`` or ``none``.
        judge_settings: for the chat judge.
        models: folder with one folder of weights per engine, ``hub``, or empty for what is here.
        threads: for one transcriber.
    """

    asr: Mapping[str, str] = field(default_factory=lambda: dict(EMBEDDED))
    judge: str = "offline"
    judge_settings: Mapping[str, object] = field(default_factory=dict)
    models: str = ""
    threads: int = 1

    def tools(
        self,
        *,
        imported: bool,
        memory: Callable[[Iterable[Judge]], Memory] | None = None,
    ) -> Tools:
        """Load them; a transcriber that is missing complains only when it is needed.

        Args:
            imported: whether transcripts are brought along.
            memory: gives the place where the work is remembered, that of these judges included;
                for this run only by default.
        """
        transcribers = {
            language: transcriber(name, models=self.models, threads=self.threads)
            for language, name in self.asr.items()
        }
        if imported:
            transcribers = {key: WithImported(one) for key, one in transcribers.items()}
        judges = self._judges()
        remembered = memory(judges.values()) if memory else Notebook()
        return Tools(vad.detect, vad.ENGINE, transcribers, judges, remembered)

    def _judges(self) -> dict[str, Judge]:
        if self.judge == "none":
            return {}
        return judge.load_by_mode(self.judge, MODES, **self.judge_settings)


def expected_outputs(
    text: str, reference: Path | None = None
) -> tuple[Sequence[ExpectedFile], Mapping[str, float] | None]:
    """Read what a submission must hold, from a manifest or from a list of files.

    Args:
        text: of the CSV file.
        reference: folder with the user side, to compare lengths with.

    Returns:
        The expected files, and the seconds of the user's recordings where they are known.

    Raises:
        ScoringError: the text is neither, or a list of files stands beside a reference.
    """
    if not is_file_list(text):
        manifest = without_void(Manifest.from_csv(text)).manifest
        return expected_files(manifest), user_seconds(reference, manifest) if reference else None
    if reference:
        raise ScoringError(
            "A list of files does not say which recordings of the user they answer.",
            cure="Leave --reference out; the site compares the lengths.",
        )
    return files_from_csv(text), None


def open_submission(path: Path, expected: Sequence[ExpectedFile]) -> Outputs:
    """Open a zip, a folder of outputs, or a folder that holds just one zip.

    Args:
        path: where it lies.
        expected: all files that a submission must hold.

    Raises:
        OutputsRefused: it is no archive that can be read.
        ArchiveError: the file is not there or may not be opened, so nothing is known about it.
    """
    try:
        return open_outputs(_archive(path))
    except ArchiveError as error:
        if error.code == ArchiveError.code:
            raise
        raise _refused(refuse(error, expected)) from error


def score_submission(
    reference: Path,
    manifest: Manifest,
    submission: Path,
    *,
    tools: Tools,
    mode: str,
    transcripts: Path | None = None,
    progress: Progress | None = None,
    costs: Costs | None = None,
    corrections: Corrections = UNCORRECTED,
    model_channel: int | None = None,
) -> Scored:
    """Score a zip or folder of outputs against a reference folder.

    Args:
        reference: folder with the user side.
        manifest: the expected items.
        submission: zip, folder of outputs, or folder that holds one zip.
        tools: engines.
        mode: ``official`` or ``strict``.
        transcripts: folder with ``{name of the wav}.json`` made elsewhere.
        progress: called with the stage's name, items done and items in all.
        costs: takes down what the judge will use and has used.
        corrections: labels of people in the place of the judge's.
        model_channel: the model's channel in outputs with several, counted from 1 (D5).

    Raises:
        OutputsRefused: ``check`` finds errors in the outputs.
        ScoringError: a file of the reference cannot be used; the error names it.
    """
    with open_submission(submission, expected_files(manifest)) as outputs:
        checked = _checked(outputs, manifest, progress, model_channel)
        read = partial(_read, outputs, model_channel)

        def side(item: Item, annotation: Annotation) -> Side | Evidence:
            return _side(item, annotation, read, checked=checked, transcripts=transcripts)

        return _score(
            reference,
            manifest,
            side,
            tools=tools,
            mode=mode,
            progress=progress,
            costs=costs,
            corrections=corrections,
        )


def score_official_layout(
    root: Path,
    manifest: Manifest,
    *,
    tools: Tools,
    mode: str,
    progress: Progress | None = None,
    costs: Costs | None = None,
    corrections: Corrections = UNCORRECTED,
    model_channel: int | None = None,
) -> Scored:
    """Score a folder in the official layout, outputs beside the user recordings (protocol 1.4).

    Raises:
        OutputsRefused: a recording of the model cannot be used.
        ScoringError: a file of the user side cannot be used; the error names it.
    """

    def side(item: Item, annotation: Annotation) -> Side | Evidence:
        folder: Folder = find_folder(root, item)
        try:
            return model_side(folder, item, annotation, model_channel=model_channel)
        except AudioError as error:
            raise _refused(refuse(error, expected_files(manifest))) from error

    return _score(
        root,
        manifest,
        side,
        tools=tools,
        mode=mode,
        progress=progress,
        costs=costs,
        corrections=corrections,
    )


def _score(
    reference: Path,
    manifest: Manifest,
    model: ModelSide,
    *,
    tools: Tools,
    mode: str,
    progress: Progress | None,
    costs: Costs | None,
    corrections: Corrections,
) -> Scored:
    references: list[Reference] = []
    evidence: list[Evidence] = []
    for items in _chunks(manifest.items):
        users = [user_side(reference, item) for item in items]
        references += hear_users(users, tools)
        evidence += _heard([model(user.item, user.annotation) for user in users], tools)
        if progress:
            progress("hearing", len(evidence), len(manifest.items))
    costs = costs or Costs()
    costs.expect(estimate(references, evidence, tools, modes=[mode]))
    counted = _counted(progress, costs, mode, len(evidence))
    judged = judge_items(references, evidence, tools, modes=[mode], on_evidence=counted)
    corrected = correct(references, judged, corrections)
    signature = tools.signature(BENCHMARK, manifest, mode, corrections)
    return score(BENCHMARK, references, corrected, mode=mode, absent=signature.absence(mode))


def _counted(
    progress: Progress | None, costs: Costs, mode: str, total: int
) -> Callable[[int, Evidence], None]:
    """Tell of judging by how many are done, whichever come first, and count what they cost."""
    done = count(1)

    def tell(_position: int, evidence: Evidence) -> None:
        if verdict := evidence.verdicts.get(mode):
            costs.count(verdict)
        if progress:
            progress("judging", next(done), total)

    return tell


def _heard(sides: Sequence[Side | Evidence], tools: Tools) -> list[Evidence]:
    heard = iter(hear_models([side for side in sides if isinstance(side, Side)], tools))
    return [next(heard) if isinstance(side, Side) else side for side in sides]


def _chunks(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for first in range(0, len(items), CHUNK):
        yield items[first : first + CHUNK]


def _archive(submission: Path) -> Path:
    """Return the zip itself where a folder holds just that and no recordings."""
    if not submission.is_dir():
        return submission
    zips = sorted(submission.glob("*.zip"))
    return zips[0] if len(zips) == 1 and not any(submission.rglob("*.wav")) else submission


def _checked(
    outputs: Outputs, manifest: Manifest, progress: Progress | None, model_channel: int | None
) -> CheckReport:
    tell = partial(progress, "checking") if progress else None
    files = expected_files(manifest)
    report = check(outputs, files, progress=tell, model_channel=model_channel)
    if not report.acceptable:
        raise _refused(report)
    return report


def _refused(report: CheckReport) -> OutputsRefused:
    errors = [finding for finding in report.findings if finding.severity == "error"]
    first = errors[0]
    more = f" ({len(errors) - 1} more error(s))" if len(errors) > 1 else ""
    error = OutputsRefused(f"{first.rule}{more}", cure=first.cure, path=first.path, code=first.code)
    error.report = report
    return error


def _side(
    item: Item,
    annotation: Annotation,
    read: Callable[[str], Recording],
    *,
    checked: CheckReport,
    transcripts: Path | None,
) -> Side | Evidence:
    sounds = {
        kind: Unread(checked.contents[item.key, role], name, partial(read, name))
        for kind, role in (("noisy", "test"), ("clean", "clean"))
        if (name := checked.members.get((item.key, role)))
    }
    if "noisy" not in sounds:
        return without_answer(sounds["clean"].sha256 if "clean" in sounds else None)
    words = _imported({kind: one.path for kind, one in sounds.items()}, transcripts)
    return Side(item, annotation, sounds["noisy"], sounds.get("clean"), words)


def _read(outputs: Outputs, model_channel: int | None, name: str) -> Recording:
    return read_answer(outputs.read(name), path=name, model_channel=model_channel)


def _imported(names: Mapping[str, str], folder: Path | None) -> dict[str, Transcript]:
    if folder is None:
        return {}
    stems = {kind: Path(name).stem for kind, name in names.items()}
    known = read_transcripts(folder, stems.values())
    return {kind: known[stem] for kind, stem in stems.items() if stem in known}
