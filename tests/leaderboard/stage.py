"""A small stage for pages: a split with items, a team, and submissions that were really scored."""

import io
import wave
import zipfile

from django.core.files.base import ContentFile
from django.utils import timezone

from leaderboard.snapshots import freeze
from scoring import pipeline, report
from scoring.evidence import MISSING, MODES, evidence_to_json
from scoring.humdial import BENCHMARK, SCRIPTS
from submissions.models import Item, ItemResult, Run, Split, Submission, System, Team
from submissions.services import correct
from tests import builders

SIGNATURE = (
    "protocol:humdial-fdbench-2025-11|mode:both|manifest:abc|vad:silero|asr_cn:a|asr_en:b|"
    "judge:offline|prompt:rules-1|rounding:half-up|scorer:0.1.0"
)


def make_split(slug="demo", **fields):
    split = Split.objects.create(slug=slug, name=slug.capitalize(), **fields)
    for language in ("cn", "en"):
        for script in SCRIPTS:
            _item(split, builders.reference(script, language, f"{len(script):04d}_0001"))
    return split


def _item(split, reference):
    spec = reference.item
    split.items.create(
        position=split.items.count(),
        slug=spec.key.replace("/", "-"),
        name=spec.item,
        language=spec.language,
        scenario=spec.scenario,
        part=spec.part,
        annotation=reference.annotation.to_json(),
        duration=reference.duration,
        speech=[list(pair) for pair in reference.speech],
        noisy_words=reference.noisy.to_json(),
        clean_words=reference.clean.to_json(),
    )


def make_team(name="Wonderland", *members):
    team = Team.objects.create(name=name, slug=name.lower())
    team.members.add(*members)
    return team


def make_submission(split, team, name="Parrot", **fields):
    system, _ = System.objects.get_or_create(
        team=team, name=name, defaults={"slug": f"{team.slug}-{name}".lower()}
    )
    data = archive(split)
    defaults = {
        "archive": ContentFile(data, name="HD-Track2.zip"),
        "archive_name": "HD-Track2.zip",
        "size": len(data),
        "sha256": "0" * 64,
    }
    return Submission.objects.create(
        split=split, team=team, system=system, **{**defaults, **fields}
    )


def archive(split):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for item in split.items.all():
            file.writestr(f"test/{item.slug}.wav", _wav())
    return out.getvalue()


def _wav():
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(b"\0\0" * 1600)
    return out.getvalue()


def score(submission, *, missing=(), publish=True, **changes):
    """Give a submission a finished run; items whose slug is in ``missing`` were not handed in.

    As in a real one, the corrections that stand are in it.
    """
    standing = correct.standing(submission)
    mark = correct.given(standing).mark
    run = Run.objects.create(
        submission=submission,
        signature=f"{SIGNATURE}|corrections:{mark}" if mark else SIGNATURE,
        unofficial=["offline"],
        finished=timezone.now(),
    )
    run.corrections.set(standing)
    items = list(submission.split.items.all())
    references = [item.reference for item in items]
    evidence = [
        MISSING if item.slug in missing else builders.evidence(_label(item), **changes)
        for item in items
    ]
    evidence = pipeline.correct(references, evidence, correct.given(standing))
    rows = [
        ItemResult(run=run, item=item, evidence=evidence_to_json(one), heard=timezone.now(),
                   judged=timezone.now())
        for item, one in zip(items, evidence, strict=True)
    ]  # fmt: skip
    run.results = {mode: _results(rows, references, evidence, mode) for mode in MODES}
    run.save()
    ItemResult.objects.bulk_create(rows)
    submission.state = Submission.State.SCORED
    if submission.published is None:
        submission.board_run = run
        submission.published = timezone.now() if publish else None
    submission.check_report = {
        "acceptable": True,
        "expected": len(items),
        "received": len(items),
        "findings": [],
        "members": {f"{item.spec.key}|test": f"test/{item.slug}.wav" for item in items},
    }
    submission.save()
    return run


def _results(rows, references, evidence, mode):
    scored = pipeline.score(BENCHMARK, references, evidence, mode=mode)
    for row, result in zip(rows, scored.items, strict=True):
        setattr(row, mode, report.item_to_json(result))
    return {
        "scenarios": [report.scenario_to_json(one) for one in scored.scenarios],
        "totals": report.totals_to_json(scored.totals),
    }


def _label(item: Item):
    measure = SCRIPTS[item.spec.script].measure
    return measure.value if measure.is_judged else ""


def put_on_board(run, cause="scored again: Parrot"):
    """Let a run stand for its entry, and freeze the board that says so."""
    submission = run.submission
    submission.board_run = run
    submission.save()
    return freeze(submission.split, cause)


def published_board(split, cause="new entry: Parrot"):
    return freeze(split, cause)
