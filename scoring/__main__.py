"""The scorer at home: ``python -m scoring check | score | rank | compare``.

Conventions: results go to standard output, words for people to standard error. Exit code 0 means
done (or acceptable), 1 not acceptable, 2 that the question could not be answered, 130 stopped.
"""

import argparse
import csv
import io
import json
import os
import sys
import warnings
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from scoring import __version__
from scoring.bar import Bar
from scoring.cache import Cache, CacheError, usual_folder
from scoring.check import CheckReport, check
from scoring.comparison import compare, read_report
from scoring.corrections import UNCORRECTED, Corrections, CorrectionsError
from scoring.costs import Costs
from scoring.errors import Phrase, ScoringError
from scoring.evidence import MODES
from scoring.home import (
    EMBEDDED,
    Engines,
    OutputsRefused,
    expected_outputs,
    open_submission,
    score_official_layout,
    score_submission,
)
from scoring.humdial import BENCHMARK
from scoring.humdial.void import without_void
from scoring.judge import Judge
from scoring.judge.environment import settings_in
from scoring.manifest import Manifest
from scoring.pipeline import Scored, begun_name
from scoring.ranking import WEIGHTS, Weights, rank
from scoring.reasons import PENDING, Said, worded
from scoring.reference import discover
from scoring.report import ranking_report, score_report
from scoring.tools import Memory, Notebook, Tools
from scoring.words import check_lines, comparison_lines, ranking_lines, score_lines

ACCEPTABLE, NOT_ACCEPTABLE, CANNOT_TELL = 0, 1, 2
STOPPED = 130  # what shells give a program that was interrupted


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    options.bar = Bar(shown=sys.stderr.isatty() and not options.quiet)
    options.costs = Costs()
    try:
        with warnings.catch_warnings():
            # Libraries announce their own future, which is of no use to whoever scores.
            warnings.simplefilter("ignore", FutureWarning)
            code: int = options.command(options)
    except OutputsRefused as refused:
        return _refuse(options, refused.report)
    except (ScoringError, OSError) as error:
        options.bar.close()
        _say(f"{getattr(error, 'code', 'file-unreadable')}: {error}")
        return CANNOT_TELL
    except KeyboardInterrupt:
        options.bar.close()
        _say(" ".join(filter(None, ("Stopped.", options.costs.after()))))
        return STOPPED
    return code


def _check(options: argparse.Namespace) -> int:
    expected, seconds = expected_outputs(_text(options.manifest), options.reference)
    tell = partial(options.bar, "checking")
    try:
        with open_submission(options.archive, expected) as outputs:
            report = check(
                outputs,
                expected,
                progress=tell,
                durations=seconds,
                model_channel=options.model_channel,
            )
    except OutputsRefused as refused:
        report = refused.report
    if options.json:
        _print(report.to_json())
    elif not options.quiet:
        _print(check_lines(report))
    return ACCEPTABLE if report.acceptable else NOT_ACCEPTABLE


def _refuse(options: argparse.Namespace, report: CheckReport) -> int:
    """Tell why outputs were not scored; the findings are the reason, so they are said."""
    options.bar.close()
    for line in check_lines(report):
        _say(line)
    return NOT_ACCEPTABLE


def _score(options: argparse.Namespace) -> int:
    if options.layout:
        kind, root = options.layout
        if kind != "official":
            raise ScoringError(f"Layout {kind!r} is unknown.", cure="Write --layout official DIR.")
        options.reference = Path(root)
    manifest = _expected(options)
    corrections = _corrections(options, manifest)
    if options.json:
        _require_folder(options.json)
    tools = _engines(options).tools(
        imported=bool(options.layout or options.transcripts), memory=partial(_memory, options)
    )
    if tools.judges:
        options.costs = Costs(tools.tariff, say=partial(_tell, options))
    scored = _scored(options, manifest, tools, corrections)
    signature = tools.signature(BENCHMARK, manifest, options.mode, corrections)
    report = score_report(scored, signature.answered(scored.returned), tools.unofficial)
    report |= {"usage": options.costs.to_json(), **_channel(options)}
    _tell(options, options.costs.after())
    if options.json:
        options.json.write_text(_dumped(report) + "\n", encoding="utf-8")
    if scored.trouble is not None:
        return _wait_for_judge(options, scored.trouble)
    if not options.quiet:
        _print(score_lines(report))
    return ACCEPTABLE


def _channel(options: argparse.Namespace) -> dict[str, int]:
    """Which channel was heard as the model; reports of recordings with one are as they were."""
    return {"model_channel": options.model_channel} if options.model_channel else {}


def _wait_for_judge(options: argparse.Namespace, trouble: Said) -> int:
    """Tell what keeps the judge; there are no totals yet, so none are shown (decision 26a)."""
    options.bar.close()
    key = trouble.key if isinstance(trouble, Phrase) else PENDING.key
    again = "" if options.no_cache else " What is judged is remembered: score again to go on."
    _say(f"{key}: {worded(trouble)}{again}")
    return CANNOT_TELL


def _memory(options: argparse.Namespace, judges: Iterable[Judge]) -> Memory:
    """Open the cache; where nobody asked for one and there can be none, say so and go without."""
    if options.no_cache:
        return Notebook()
    lasting = [name for one in judges for name in (one.signature, begun_name(one))]
    try:
        return Cache(options.cache or usual_folder(os.environ), lasting=lasting)
    except CacheError as error:
        if options.cache:
            raise
        _tell(options, f"{error} Nothing is remembered for another run.")
        return Notebook()


def _tell(options: argparse.Namespace, sentence: str) -> None:
    """Say something that is no error."""
    if sentence and not options.quiet:
        _say(sentence)


def _require_folder(path: Path) -> None:
    """Tell before the work, not after it, that the report cannot be written."""
    if not path.absolute().parent.is_dir():
        raise ScoringError(
            "The folder for the report is not there.", cure="Make it first.", path=str(path)
        )


def _scored(
    options: argparse.Namespace, manifest: Manifest, tools: Tools, corrections: Corrections
) -> Scored:
    if options.layout:
        return score_official_layout(
            options.reference,
            manifest,
            tools=tools,
            mode=options.mode,
            progress=options.bar,
            costs=options.costs,
            corrections=corrections,
            model_channel=options.model_channel,
        )
    return score_submission(
        options.reference,
        manifest,
        options.submission,
        tools=tools,
        mode=options.mode,
        transcripts=options.transcripts,
        progress=options.bar,
        costs=options.costs,
        corrections=corrections,
        model_channel=options.model_channel,
    )


def _expected(options: argparse.Namespace) -> Manifest:
    if options.layout and not options.manifest:
        return discover(options.reference, language=options.language)
    if options.manifest and options.reference and (options.submission or options.layout):
        return _manifest(options.manifest)
    raise ScoringError(
        "It is not known what to score against what.",
        cure="Give --reference, --manifest and --submission, or --layout official DIR.",
    )


def _engines(options: argparse.Namespace) -> Engines:
    return Engines(
        asr={"cn": options.asr_cn, "en": options.asr_en},
        judge=options.judge,
        judge_settings=_judge_settings(options) if options.judge == "chat" else {},
        models=options.models,
        threads=options.threads,
    )


def _judge_settings(options: argparse.Namespace) -> dict[str, object]:
    settings = settings_in(os.environ)
    return settings | ({"budget": options.budget} if options.budget else {})


def _corrections(options: argparse.Namespace, manifest: Manifest) -> Corrections:
    """Read the labels that people corrected; a list that cannot be used is told with its name."""
    if not options.corrections:
        return UNCORRECTED
    try:
        found = Corrections.from_csv(_text(options.corrections))
        found.demand(manifest, BENCHMARK.is_judged)
    except CorrectionsError as error:
        raise error.at(str(options.corrections)) from error
    return found


def _rank(options: argparse.Namespace) -> int:
    table = csv.DictReader(io.StringIO(_text(options.table), newline=""))
    weights, ranked = Weights.of(options.weights), not options.unranked_baseline
    rules = {"mode": options.mode, "weights": weights, "rank_baseline": ranked}
    rows = rank(table, l_min=options.l_min, l_base=options.l_base, **rules)
    _print(ranking_report(rows, **rules) if options.json else ranking_lines(rows))
    return ACCEPTABLE


def _compare(options: argparse.Namespace) -> int:
    comparison = compare(*(read_report(_text(path), path=str(path)) for path in options.reports))
    _print(comparison.to_json() if options.json else comparison_lines(comparison))
    return ACCEPTABLE


def _manifest(path: Path) -> Manifest:
    return without_void(Manifest.from_csv(_text(path))).manifest


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as cause:
        raise ScoringError(
            "The file is no UTF-8 text.",
            cure="Save it again as UTF-8.",
            path=str(path),
            code="file-not-text",
        ) from cause


def _print(result: Any) -> None:
    text = "\n".join(result) if isinstance(result, list) else _dumped(result)
    sys.stdout.write(text + "\n")


def _dumped(result: Any) -> str:
    return json.dumps(result, ensure_ascii=False, indent=1)


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scoring", description=__doc__)
    parser.set_defaults(quiet=False)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="check | score | rank | compare")
    _add_check(commands.add_parser("check", help="is an archive acceptable?"))
    _add_score(commands.add_parser("score", help="score outputs"))
    _add_rank(commands.add_parser("rank", help="rank a table of results"))
    _add_compare(commands.add_parser("compare", help="what differs between two score reports"))
    return parser


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", type=Path, help="zip (or folder) of output recordings")
    parser.add_argument(
        "--manifest",
        type=Path,
        required=True,
        help="CSV of the expected items, or the files.csv of a split",
    )
    parser.add_argument(
        "--reference", type=Path, help="folder with the user side, to compare lengths with"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    _add_channel(parser)
    _add_quiet(parser)
    parser.set_defaults(command=_check)


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reference", type=Path, help="folder with the user side")
    parser.add_argument("--manifest", type=Path, help="CSV of the expected items")
    parser.add_argument("--submission", type=Path, help="zip or folder of output recordings")
    parser.add_argument("--transcripts", type=Path, help="folder of transcripts made elsewhere")
    parser.add_argument(
        "--corrections", type=Path, help="CSV of labels that people corrected; see the README"
    )
    parser.add_argument(
        "--layout", nargs=2, metavar=("official", "DIR"), help="score the official folder layout"
    )
    parser.add_argument("--language", choices=("cn", "en"), default="", help="if no folder says it")
    parser.add_argument("--mode", choices=MODES, default="official")
    parser.add_argument("--judge", choices=("offline", "chat", "none"), default="offline")
    parser.add_argument(
        "--budget", metavar="MONEY", help="judging pauses when it is spent; before JUDGE_BUDGET"
    )
    parser.add_argument("--asr-cn", default=EMBEDDED["cn"], help="Chinese transcriber")
    parser.add_argument("--asr-en", default=EMBEDDED["en"], help="English transcriber")
    parser.add_argument(
        "--models", default="", help="folder with a folder of weights per engine, or hub"
    )
    parser.add_argument("--threads", type=int, default=1)
    _add_channel(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report to FILE")
    cache = parser.add_mutually_exclusive_group()
    cache.add_argument(
        "--cache", type=Path, metavar="DIR", help="where work is remembered; else the user's cache"
    )
    cache.add_argument("--no-cache", action="store_true", help="remember nothing for another run")
    _add_quiet(parser)
    parser.set_defaults(command=_score)


def _add_rank(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", type=Path, help="CSV: team,kind,interruption,rejection,delay")
    parser.add_argument("--l-min", help="fastest total delay; from the rows unless given")
    parser.add_argument("--l-base", help="baseline's total delay; from the rows unless given")
    parser.add_argument(
        "--mode", choices=MODES, default="official", help="how totals are rounded and ordered"
    )
    parser.add_argument(
        "--weights",
        nargs=3,
        metavar=("INTERRUPTION", "REJECTION", "DELAY_SCORE"),
        default=WEIGHTS,
        help=f"sum: 1; unless given {' '.join(map(str, WEIGHTS))}",
    )
    parser.add_argument(
        "--unranked-baseline", action="store_true", help="the baseline stands without a rank"
    )
    parser.add_argument("--json", action="store_true", help="print the ranking as JSON")
    parser.set_defaults(command=_rank)


def _add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("reports", type=Path, nargs=2, metavar="REPORT", help="of score --json")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")
    parser.set_defaults(command=_compare)


def _add_channel(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model-channel",
        type=_counted_from_1,
        metavar="N",
        help="the model's channel, counted from 1, where recordings have several",
    )


def _counted_from_1(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is no channel; the first is 1")
    return number


def _add_quiet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--quiet", action="store_true", help="no progress and no summary; errors are still told"
    )


if __name__ == "__main__":
    sys.exit(main())
