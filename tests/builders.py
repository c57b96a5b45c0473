"""Small builders of scoring values for tests."""

from scoring.dialogue import AnnotatedSegment, Annotation, Segment, Transcript, Word
from scoring.evidence import MODES, Evidence, ItemResult, Reference
from scoring.judge import Verdict
from scoring.manifest import Item

QUESTION, EVENT, ASIDE = (0.0, 4.0), (9.0, 12.0), (15.0, 17.0)
SCRIPT_SEGMENTS = {"pause_handling": 1, "directed_at_others": 3}


def item(script="follow_up", language="en", name="0001_0001"):
    scenario, part = script, ""
    if script.startswith("third_party"):
        scenario, part = "third_party", script.rsplit("_", 1)[1]
    return Item(name, language, scenario, part)


def words(*starts, text="w", length=0.3):
    made = tuple(Word(text, start, start + length) for start in starts)
    return Transcript(" ".join(word.text for word in made), made)


def reference(script="follow_up", language="en", name="0001_0001"):
    count = SCRIPT_SEGMENTS.get(script, 2)
    segments = tuple(AnnotatedSegment(*pair) for pair in (QUESTION, EVENT, ASIDE)[:count])
    return Reference(
        item(script, language, name),
        Annotation(segments, 22.0),
        22.0,
        speech=tuple(Segment(*pair) for pair in (QUESTION, EVENT, ASIDE)[:count]),
        noisy=words(1.0, 9.0),
        clean=words(1.0),
    )


def verdict(*labels, reason=""):
    return Verdict(labels, reason, (), "test", "test", "test-1")


def verdicts(one):
    """The same verdict in both modes, as a judge gives it that does not differ by mode."""
    return dict.fromkeys(MODES, one) if one else {}


def evidence(label="C_RESPOND", speech=((5.2, 9.8), (13.1, 20.0)), starts=(5.2, 13.1), **changes):
    spoken = words(*starts)
    fields = {
        "received": True,
        "duration": 22.0,
        "speech": tuple(Segment(*pair) for pair in speech),
        "transcript": spoken,
        "noisy": spoken,
        "clean": words(5.2),
        "verdicts": verdicts(verdict(label) if label else None),
    }
    if "verdict" in changes:
        changes["verdicts"] = verdicts(changes.pop("verdict"))
    return Evidence(**{**fields, **changes})


def silent(label="C_UNKNOWN", **changes):
    return evidence(label, speech=(), starts=(), **changes)


def result(script="follow_up", language="en", name="0001_0001", **fields):
    defaults = {"received": True, "counted": True, "success": True}
    return ItemResult(item(script, language, name), **{**defaults, **fields})
