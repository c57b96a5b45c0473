"""The scorer at home: ``python -m scoring check | score | rank | compare``.

Conventions: results go to standard output, words for people to standard error. Exit code 0 means
done (or acceptable), 1 not acceptable, 2 that the question could not be answered.
"""

import argparse
import csv
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from scoring import __version__
from scoring.archive import open_outputs
from scoring.check import CheckReport, check, refuse
from scoring.errors import ArchiveError, ScoringError
from scoring.evidence import MODES
from scoring.home import EMBEDDED, Engines, score_official_layout, score_submission
from scoring.humdial import BENCHMARK
from scoring.humdial.names import expected_files
from scoring.manifest import Manifest
from scoring.ranking import Row, rank
from scoring.reference import discover
from scoring.report import score_report
from scoring.signature import Signature, differences
from scoring.words import check_lines, ranking_lines, score_lines

ACCEPTABLE, NOT_ACCEPTABLE, CANNOT_TELL = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.command(options)
    except (ScoringError, OSError, UnicodeDecodeError) as error:
        _say(f"{getattr(error, 'code', 'file-unreadable')}: {error}")
        return CANNOT_TELL
    return code


def _check(options: argparse.Namespace) -> int:
    expected = expected_files(_manifest(options.manifest))
    try:
        with open_outputs(options.archive) as outputs:
            report = check(outputs, expected, progress=_progress("checking"))
    except ArchiveError as error:
        report = refuse(error, expected)
    _print(report.to_json() if options.json else check_lines(report))
    return _verdict(report)


def _verdict(report: CheckReport) -> int:
    return ACCEPTABLE if report.acceptable else NOT_ACCEPTABLE


def _score(options: argparse.Namespace) -> int:
    if options.layout:
        kind, root = options.layout
        if kind != "official":
            raise ScoringError(f"Layout {kind!r} is unknown.", cure="Write --layout official DIR.")
        options.reference = Path(root)
    manifest = _expected(options)
    tools = _engines(options).tools(imported=bool(options.layout or options.transcripts))
    report = score_report(
        _scored(options, manifest, tools),
        tools.signature(BENCHMARK, manifest, options.mode),
        tools.unofficial,
    )
    if options.json:
        options.json.write_text(_dumped(report) + "\n", encoding="utf-8")
    _print(score_lines(report))
    return ACCEPTABLE


def _scored(options: argparse.Namespace, manifest: Manifest, tools: Any) -> Any:
    shared = {"tools": tools, "mode": options.mode, "progress": _stages}
    if options.layout:
        return score_official_layout(options.reference, manifest, **shared)
    return score_submission(
        options.reference, manifest, options.submission, transcripts=options.transcripts, **shared
    )


def _expected(options: argparse.Namespace) -> Manifest:
    if options.manifest:
        return _manifest(options.manifest)
    if options.layout:
        return discover(options.reference, language=options.language)
    raise ScoringError(
        "The expected items are not known.",
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
    """Read the chat judge's endpoint; the key comes from the environment only."""
    key = os.environ.get("JUDGE_API_KEY", "")
    if not key:
        raise ScoringError(
            "The chat judge needs a key.",
            cure="Set the environment variable JUDGE_API_KEY, or use --judge offline.",
            code="judge-key-missing",
        )
    return {
        "mode": options.mode,
        "base_url": os.environ.get("JUDGE_BASE_URL", "https://api.deepseek.com"),
        "model": os.environ.get("JUDGE_MODEL", "deepseek-chat"),
        "api_key": key,
    }


def _rank(options: argparse.Namespace) -> int:
    with options.table.open(encoding="utf-8-sig", newline="") as file:
        rows = rank(csv.DictReader(file), l_min=options.l_min, l_base=options.l_base)
    if options.json:
        _print({"schema": "ranking/1", "rows": [_row(row) for row in rows]})
    else:
        _print(ranking_lines(rows))
    return ACCEPTABLE


def _row(row: Row) -> dict[str, Any]:
    """Return a row with its decimals as numbers, exact texts beside them for the raw ones."""
    return {
        name: str(value)
        if isinstance(value, Decimal) and name.endswith("_raw")
        else float(value)
        if isinstance(value, Decimal)
        else value
        for name, value in asdict(row).items()
    }


def _compare(options: argparse.Namespace) -> int:
    one, other = (json.loads(path.read_text(encoding="utf-8")) for path in options.reports)
    lines = differences(*(Signature.parse(each["signature"]) for each in (one, other)))
    for name in ("interruption", "rejection", "delay"):
        pair = [each["totals"][name] for each in (one, other)]
        lines.append(f"{name}: {pair[0] or '—'} against {pair[1] or '—'}")
    _print(lines)
    return ACCEPTABLE


def _manifest(path: Path) -> Manifest:
    return Manifest.from_csv(path.read_text(encoding="utf-8"))


def _print(result: Any) -> None:
    text = "\n".join(result) if isinstance(result, list) else _dumped(result)
    sys.stdout.write(text + "\n")


def _dumped(result: Any) -> str:
    return json.dumps(result, ensure_ascii=False, indent=1)


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


def _progress(stage: str) -> Any:
    return lambda done, total: _stages(stage, done, total)


def _stages(stage: str, done: int, total: int) -> None:
    if sys.stderr.isatty() and total:
        bar = "█" * (20 * done // total)
        sys.stderr.write(f"\r{stage} [{bar:<20}] {done}/{total}" + ("\n" if done == total else ""))
        sys.stderr.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scoring", description=__doc__)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="check | score | rank | compare")
    _add_check(commands.add_parser("check", help="is an archive acceptable?"))
    _add_score(commands.add_parser("score", help="score outputs"))
    _add_rank(commands.add_parser("rank", help="rank a table of results"))
    compare = commands.add_parser("compare", help="what differs between two score reports")
    compare.add_argument("reports", type=Path, nargs=2)
    compare.set_defaults(command=_compare)
    return parser


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", type=Path, help="zip (or folder) of output recordings")
    parser.add_argument("--manifest", type=Path, required=True, help="CSV of the expected items")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(command=_check)


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reference", type=Path, help="folder with the user side")
    parser.add_argument("--manifest", type=Path, help="CSV of the expected items")
    parser.add_argument("--submission", type=Path, help="zip or folder of output recordings")
    parser.add_argument("--transcripts", type=Path, help="folder of transcripts made elsewhere")
    parser.add_argument(
        "--layout", nargs=2, metavar=("official", "DIR"), help="score the official folder layout"
    )
    parser.add_argument("--language", choices=("cn", "en"), default="", help="if no folder says it")
    parser.add_argument("--mode", choices=MODES, default="official")
    parser.add_argument("--judge", choices=("offline", "chat", "none"), default="offline")
    parser.add_argument("--asr-cn", default=EMBEDDED["cn"], help="Chinese transcriber")
    parser.add_argument("--asr-en", default=EMBEDDED["en"], help="English transcriber")
    parser.add_argument(
        "--models", default="", help="folder with a folder of weights per engine, or hub"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report to FILE")
    parser.set_defaults(command=_score)


def _add_rank(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", type=Path, help="CSV: team,kind,interruption,rejection,delay")
    parser.add_argument("--l-min", help="fastest total delay; from the rows unless given")
    parser.add_argument("--l-base", help="baseline's total delay; from the rows unless given")
    parser.add_argument("--json", action="store_true", help="print the ranking as JSON")
    parser.set_defaults(command=_rank)


if __name__ == "__main__":
    sys.exit(main())
