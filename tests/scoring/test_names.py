import pytest

from scoring.errors import ScenarioError
from scoring.humdial.names import (
    Place,
    RecordingName,
    expected_files,
    is_timing_user_file,
    is_transcribed,
    judge_group,
    language_of,
    may_carry,
    parse,
    place_of,
    scenario_of,
)
from scoring.humdial.scenarios import SCENARIOS
from scoring.manifest import Item, Manifest

# Stem, judge group, transcribed, user file of the timing step (official patterns, protocol 1.4).
OFFICIAL = [
    ("0001_0002", ("0001_0002", "input_noisy"), True, True),
    ("0001_0002_add", ("0001_0002_add", "input_noisy"), True, True),
    ("clean_0001_0002", ("0001_0002", "input_clean"), True, False),
    ("0001_0002_output", ("0001_0002", "output_noisy"), True, False),
    ("0001_0002_add_output", ("0001_0002_add", "output_noisy"), True, False),
    ("clean_0001_0002_output", ("0001_0002", "output_clean"), True, False),
    ("clean_0001_0002_add_output", ("0001_0002_add", "output_clean"), True, False),
    ("0001_0002_before", None, True, False),
    ("clean_0001_0002_before", None, True, False),
    ("0001_0002_before_output", None, True, False),
    ("0001_0002_after", None, False, False),
    ("0001_0002_add_before", None, False, False),
    ("0001_0002_output_add", None, False, False),
    ("0001_0002_output_output", None, False, False),
    ("0001_0002_sentence", None, False, False),
    ("0001_0002_timestamp", None, False, False),
    ("0001_0002_ADD", None, False, False),
    ("Clean_0001_0002", None, False, False),
    ("clean-0001_0002", None, False, False),
    ("test-0001_0002_output", None, False, False),
    ("0001-0002", None, False, False),
    ("001_0002", None, False, False),
    ("0001_00023", None, False, False),
    ("x0001_0002", None, False, False),
    (" 0001_0002", None, False, False),
    ("0001_0002 ", None, False, False),
    ("0001_0002.", None, False, False),
    ("", None, False, False),
    # Python's \d takes any digit, so the official scripts do.
    ("０００１_0002", ("０００１_0002", "input_noisy"), True, True),
]


@pytest.mark.parametrize(("stem", "group", "transcribed", "timing"), OFFICIAL)
def test_stems_are_sorted_as_the_official_patterns_do(
    stem: str, group: tuple[str, str] | None, transcribed: bool, timing: bool
) -> None:
    assert judge_group(stem) == group
    assert is_transcribed(stem) is transcribed
    assert is_timing_user_file(stem) is timing


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("0003_0006_output", RecordingName("scoring", "test", "0003_0006", "output")),
        ("0003_0006_add_output", RecordingName("scoring", "test", "0003_0006_add", "output")),
        ("clean_0003_0006_output", RecordingName("scoring", "clean", "0003_0006", "output")),
        ("0003_0006", RecordingName("scoring", "test", "0003_0006", "user")),
        ("clean_0003_0006_add", RecordingName("scoring", "clean", "0003_0006_add", "user")),
        ("0009_4841_before_output", RecordingName("scoring", "test", "0009_4841_before", "output")),
        ("test-0320_output", RecordingName("challenge", "test", "0320", "output")),
        ("clean-5996_output", RecordingName("challenge", "clean", "5996", "output")),
        ("test-0320", RecordingName("challenge", "test", "0320", "user")),
        (
            "test-0003_0006_add_output",
            RecordingName("challenge", "test", "0003_0006_add", "output"),
        ),
    ],
)
def test_both_name_families_are_read(stem: str, name: RecordingName) -> None:
    assert parse(stem) == name


@pytest.mark.parametrize(
    "stem", ["", "readme", "output", "test-", "0001_0002_output2", "０００１_0002", "1_2", "demo-1"]
)
def test_other_stems_are_in_neither_family(stem: str) -> None:
    assert parse(stem) is None


def test_only_third_party_before_may_carry_before() -> None:
    assert may_carry(Item("0009_4841_before", "cn", "third_party", "before"))
    assert not may_carry(Item("0009_4841_before", "cn", "third_party", "after"))
    assert not may_carry(Item("0009_4841_before", "cn", "follow_up"))
    assert may_carry(Item("0009_4841_add", "cn", "follow_up"))


@pytest.mark.parametrize(
    ("folder", "scenario"),
    [
        ("Follow-up_Questions", ("follow_up", "")),
        ("follow up question", ("follow_up", "")),
        ("FOLLOWUP-QUESTIONS", ("follow_up", "")),
        ("ask", ("follow_up", "")),
        ("Negation/Dissatisfaction", ("negation", "")),
        ("Negation_Dissatisfaction", ("negation", "")),
        ("Negation or Dissatisfaction", ("negation", "")),
        ("deny", ("negation", "")),
        ("Repetition Requests", ("repetition", "")),
        ("repeat", ("repetition", "")),
        ("Topic_Switching", ("topic_switch", "")),
        ("Topic Switch", ("topic_switch", "")),
        ("shift", ("topic_switch", "")),
        ("Silence/Termination", ("silence_stop", "")),
        ("Silence or Stop", ("silence_stop", "")),
        ("wait", ("silence_stop", "")),
        ("User_Real-time_Backchannels", ("backchannels", "")),
        ("backchannel", ("backchannels", "")),
        ("Pause_Handling", ("pause_handling", "")),
        ("pause", ("pause_handling", "")),
        ("Third-party_Speech_after", ("third_party", "after")),
        ("third party speech before", ("third_party", "before")),
        ("others_talk_to_user_before", ("third_party", "before")),
        ("others_talk_to_user_after", ("third_party", "after")),
        ("third_party_after", ("third_party", "after")),
        ("Third-party Speech", ("third_party", "")),
        ("Speech_Directe_at_Others", ("directed_at_others", "")),
        ("Speech_Directed_at_Others", ("directed_at_others", "")),
        ("Speech Directed to Others", ("directed_at_others", "")),
        ("talk_to_others", ("directed_at_others", "")),
        ("HD-Track2", None),
        ("test", None),
        ("cn", None),
        ("", None),
        ("___", None),
    ],
)
def test_folder_names_stand_for_scenarios(folder: str, scenario: tuple[str, str] | None) -> None:
    assert scenario_of(folder) == scenario


@pytest.mark.parametrize("slug", SCENARIOS)
def test_every_slug_is_its_own_alias(slug: str) -> None:
    assert scenario_of(slug) == (slug, "")


@pytest.mark.parametrize(
    ("folder", "language"),
    [
        ("cn", "cn"),
        ("ZH", "cn"),
        ("Chinese", "cn"),
        ("zh-CN", "cn"),
        ("en", "en"),
        ("English", "en"),
        ("ask", None),
        ("french", None),
    ],
)
def test_folder_names_stand_for_languages(folder: str, language: str | None) -> None:
    assert language_of(folder) == language


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("en/Negation/Dissatisfaction/x.wav", Place("en", "negation")),
        ("deny/zh/x.wav", Place("cn", "negation")),
        ("third_party/after/x.wav", Place("", "third_party", "after")),
        ("ask/en/shift/x.wav", Place("en", "topic_switch")),
        ("ask.wav", Place()),
        ("HD-Track2/test/ask", Place()),
    ],
)
def test_the_innermost_folder_says_where_a_file_belongs(path: str, place: Place) -> None:
    assert place_of(path) == place


def test_paths_of_anonymous_items_are_those_of_the_challenge() -> None:
    item = Item("0001_5538", "cn", "follow_up", "", "Follow-up_Questions", "0320", "5996")
    assert [file.path for file in expected_files(Manifest((item,)))] == [
        "HD-Track2/test/test-0320_output.wav",
        "HD-Track2/clean/clean-5996_output.wav",
    ]


def test_an_anonymous_item_needs_a_clean_file_only_where_it_has_a_clean_id() -> None:
    item = Item("0001_5538", "cn", "follow_up", test_id="0320")
    assert [file.kind for file in expected_files(Manifest((item,)))] == ["test"]


def test_paths_of_other_items_are_those_of_the_scoring_layout() -> None:
    item = Item("0010_8393_add", "en", "directed_at_others", folder="talk_to_others")
    assert [(file.kind, file.path) for file in expected_files(Manifest((item,)))] == [
        ("test", "en/talk_to_others/0010_8393_add_output.wav"),
        ("clean", "en/talk_to_others/clean_0010_8393_add_output.wav"),
    ]


@pytest.mark.parametrize(
    ("scenario", "part", "kinds"),
    [
        ("pause_handling", "", ["test"]),
        ("third_party", "before", ["test"]),
        ("third_party", "after", ["test", "clean"]),
        ("backchannels", "", ["test", "clean"]),
        ("directed_at_others", "", ["test", "clean"]),
    ],
)
def test_pause_handling_and_third_party_before_need_no_clean_file(
    scenario: str, part: str, kinds: list[str]
) -> None:
    manifest = Manifest((Item("0001_0002", "cn", scenario, part),))
    assert [file.kind for file in expected_files(manifest)] == kinds


def test_an_unknown_scenario_is_named() -> None:
    with pytest.raises(ScenarioError, match="'singing' is unknown"):
        expected_files(Manifest((Item("0001_0002", "cn", "singing"),)))
