"""Transcripts: the entries of a file, the conversation in it, and its condensed form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from apps.engine.messages.message import Message, PartKind, Role
from apps.engine.transcripts.condense import MOST_CALLS, compactions_of, condensed
from apps.engine.transcripts.prompts import first_prompt
from apps.engine.transcripts.transcript import Transcript, transcript_of, usage_of
from tests.engine.agent_transcripts import SAMPLE, assistant, boundary, call, lines, result, text, user


def read(*entries: dict[str, Any]) -> Transcript:
    return transcript_of(lines(entries))


def uuids(transcript: Transcript) -> list[str]:
    return [entry.uuid for entry in transcript.conversation]


def messages(transcript: Transcript) -> list[Message]:
    return [one.message for one in condensed(transcript.history)]


def test_every_intact_line_is_an_entry() -> None:
    transcript = read(*SAMPLE)
    assert len(transcript.entries) == len(SAMPLE)
    assert not transcript.problems


def test_the_conversation_has_no_meta_entries_and_no_subagents() -> None:
    assert uuids(read(*SAMPLE)) == ["u1", "a1", "a2", "a3", "r1", "a4", "r2", "a5", "a6", "u2", "a7"]


def test_a_subagents_entries_are_a_chain_of_their_own() -> None:
    assert {name: [one.uuid for one in chain] for name, chain in read(*SAMPLE).sidechains.items()} == {
        "agent7": ["s1", "s2"]
    }


def test_facts_about_the_session_are_read() -> None:
    transcript = read(*SAMPLE)
    assert transcript.cwd == "/home/alice/booking"
    assert transcript.model == "claude-opus-5-5"
    assert transcript.title == "Booking rules"
    assert transcript.started_at is not None
    assert transcript.started_at.isoformat() == "2026-03-01T10:00:00+00:00"


def test_usage_counts_once_per_message() -> None:
    usage = usage_of(read(*SAMPLE).history)
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_input_tokens) == (50, 25, 500)


def test_of_two_branches_the_latest_is_the_conversation() -> None:
    transcript = read(user("u1", None, "one"), assistant("a1", "u1", text("old")), assistant("a2", "u1", text("new")))
    assert uuids(transcript) == ["u1", "a2"]


@pytest.mark.parametrize("more", [{"isSidechain": True}, {"teamName": "blue"}, {"isMeta": True}])
def test_a_leaf_of_others_is_not_the_end_of_the_conversation(more: dict[str, Any]) -> None:
    transcript = read(user("u1", None, "one"), assistant("a1", "u1", text("mine")), user("u2", "u1", "other", **more))
    assert uuids(transcript) == ["u1", "a1"]


def test_a_cycle_of_parents_ends() -> None:
    transcript = read(user("u1", "a1", "one"), assistant("a1", "u1", text("two")), assistant("a2", "a1", text("three")))
    assert uuids(transcript) == ["u1", "a1", "a2"]
    assert not uuids(read(user("u1", "a1", "one"), assistant("a1", "u1", text("two"))))


def test_a_missing_parent_ends_the_chain_and_a_gap_in_the_history_is_bridged() -> None:
    lost = SAMPLE[:9] + SAMPLE[10:]
    transcript = read(*lost)
    assert uuids(transcript) == ["a6", "u2", "a7"]
    assert [one.uuid for one in transcript.history][:4] == ["u1", "a1", "a2", "a3"]
    assert [one.uuid for one in transcript.history][-3:] == ["a6", "u2", "a7"]


def compacted(*more: dict[str, Any], **metadata: Any) -> Transcript:
    return read(
        user("u1", None, "one"),
        assistant("a1", "u1", text("two")),
        user("u2", "a1", "three"),
        assistant("a2", "u2", text("four")),
        boundary("b", "a2", **metadata),
        user("s", "b", "The summary.", isCompactSummary=True),
        *more,
    )


def test_after_a_compaction_the_conversation_begins_with_its_summary() -> None:
    transcript = compacted(user("u3", "s", "five"))
    assert uuids(transcript) == ["s", "u3"]


def test_the_history_continues_before_a_compaction() -> None:
    transcript = compacted(user("u3", "s", "five"))
    assert [one.uuid for one in transcript.history] == ["u1", "a1", "u2", "a2", "b", "s", "u3"]
    assert [one.content for one in messages(transcript)] == ["one", "two", "three", "four", "five"]
    assert [(one.summary, one.pre_tokens) for one in compactions_of(transcript.history)] == [("The summary.", 167_189)]


def test_a_summary_remains_where_the_file_no_longer_contains_what_it_replaced() -> None:
    transcript = read(
        boundary("b", "gone"), user("s", "b", "The summary.", isCompactSummary=True), user("u", "s", "Go")
    )
    assert [(one.role, one.content) for one in messages(transcript)] == [
        (Role.SYSTEM, "The summary."),
        (Role.USER, "Go"),
    ]


PRESERVED = {"preservedMessages": {"anchorUuid": "s", "uuids": ["u2", "a2"]}}
SEGMENT = {"preservedSegment": {"anchorUuid": "s", "headUuid": "u2", "tailUuid": "a2"}}


@pytest.mark.parametrize("metadata", [PRESERVED, SEGMENT, {**PRESERVED, "preservedSegment": {"anchorUuid": "b"}}])
@pytest.mark.parametrize("parent", ["s", "a2"])
def test_preserved_messages_follow_the_summary(metadata: dict[str, Any], parent: str) -> None:
    transcript = compacted(user("u3", parent, "five"), **metadata)
    assert uuids(transcript) == ["s", "u2", "a2", "u3"]
    assert [one.uuid for one in transcript.history] == ["u1", "a1", "b", "s", "u2", "a2", "u3"]


def test_the_list_of_preserved_messages_supersedes_their_segment() -> None:
    metadata = {**SEGMENT, "preservedMessages": {"anchorUuid": "s", "uuids": ["a2"]}}
    assert uuids(compacted(user("u3", "a2", "five"), **metadata)) == ["s", "a2", "u3"]


def test_names_in_snake_case_are_read_too() -> None:
    metadata = {"preserved_messages": {"anchor_uuid": "s", "uuids": ["u2", "a2"]}}
    assert uuids(compacted(user("u3", "a2", "five"), **metadata)) == ["s", "u2", "a2", "u3"]


@pytest.mark.parametrize(
    "metadata",
    [
        {"preservedMessages": {"anchorUuid": "lost", "uuids": ["u2"]}},
        {"preservedMessages": {"anchorUuid": "u2", "uuids": ["u2", "a2"]}},
        {"preservedMessages": {"anchorUuid": "s", "uuids": ["lost", "u2", "u2", 7, "a2"]}},
        {"preservedMessages": {"anchorUuid": 7, "uuids": "u2"}},
        {"preservedSegment": {"anchorUuid": "s", "headUuid": "lost", "tailUuid": "a2"}},
    ],
)
def test_damaged_names_of_preserved_messages_lose_nothing(metadata: dict[str, Any]) -> None:
    history = compacted(user("u3", "a2", "five"), **metadata).history
    assert {"u1", "a1", "u2", "a2", "u3"} <= {one.uuid for one in history}


def test_parallel_calls_and_their_results_are_part_of_the_history() -> None:
    transcript = read(
        user("u1", None, "Read both."),
        assistant("a1", "u1", call("t1", "Read", file_path="a"), message_id="m"),
        assistant("a2", "u1", call("t2", "Read", file_path="b"), message_id="m"),
        user("r2", "a2", [result("t2", "B")]),
        user("r1", "a1", [result("t1", "A")]),
        assistant("a3", "r1", text("Both are read.")),
    )
    assert [one.uuid for one in transcript.history] == ["u1", "a1", "a2", "r2", "r1", "a3"]


def test_the_first_prompt_is_what_the_user_wrote() -> None:
    skipped = [
        "<command-name>/clear</command-name>",
        "<local-command-stdout>ok</local-command-stdout>",
        "<tick>1</tick>",
    ]
    entries = [
        user(f"x{place}", None, words) for place, words in enumerate([*skipped, "[Request interrupted by user]"])
    ]
    transcript = read(*entries, user("m", None, "Meta.", isMeta=True), user("u", "m", "Rename it."))
    assert first_prompt(transcript.entries) == "Rename it."


def test_condensed_turns_are_prompts_bookends_and_short_calls() -> None:
    found = messages(read(*SAMPLE))
    assert [(one.role, one.content) for one in found] == [
        (Role.USER, "Add a limit of 3 bookings a day."),
        (Role.ASSISTANT, "I will look at the model first."),
        (Role.TOOL, ""),
        (Role.ASSISTANT, "Done: at most 3 bookings a day."),
        (Role.USER, "Write it as 5, not 3. Naïve café ☕ 東京"),
        (Role.ASSISTANT, "It is 5 now."),
    ]
    assert [(part.kind, part.name, part.text) for one in found for part in one.parts] == [
        (PartKind.TOOL_CALL, "Read", '{"file_path":"apps/models.py"}'),
        (PartKind.TOOL_CALL, "Bash", '{"command":"pytest"}'),
        (PartKind.TOOL_RESULT, "Read", "class Booking:\n    day = 1"),
        (PartKind.TOOL_RESULT, "Bash", "Error: 2 failed: test_limit"),
    ]
    assert [one.index for one in found] == list(range(6))
    assert len({one.id for one in found}) == 6


def test_long_arguments_and_long_turns_are_cut() -> None:
    calls = [assistant(f"a{n}", f"a{n - 1}", call(f"t{n}", "Write", content="x" * 5_000)) for n in range(1, 201)]
    found = messages(read(user("a0", None, "Write all."), *calls, user("u2", "a200", "Go on.")))
    parts = found[1].parts
    assert [part.call_id for part in parts] == [f"t{n}" for n in (*range(1, 31), *range(171, 201))]
    assert len(parts) == MOST_CALLS
    assert all(len(part.text) < 200 for part in parts)


def test_a_call_of_the_last_turn_without_a_result_is_omitted() -> None:
    history = [
        user("u1", None, "Look."),
        assistant("a1", "u1", call("t1", "Read"), call("t2", "Read")),
        user("r1", "a1", [result("t1", "one")]),
    ]
    parts = [part for one in messages(read(*history)) for part in one.parts]
    assert [part.call_id for part in parts] == ["t1", "t1"]
    interrupted = [*history, user("u2", "r1", "Stop.")]
    calls = [part for one in messages(read(*interrupted)) for part in one.parts if part.kind is PartKind.TOOL_CALL]
    assert [part.call_id for part in calls] == ["t1", "t2"]


def test_two_texts_of_one_entry_are_one_message() -> None:
    found = messages(read(user("u", None, "Go"), assistant("a", "u", text("One."), call("t", "Bash"), text("Two."))))
    assert [(one.id, one.content) for one in found] == [("u", "Go"), ("a", "One.\n\nTwo.")]


@pytest.mark.parametrize(
    ("content", "codes", "count"),
    [
        (b'{"type": "user", "uuid": "1"', ["truncated"], 0),
        (b'{"type": "user", "uuid": "1"}{"type": "user", "uuid": "2"}\n', ["spliced"], 2),
        (b'{"type": "user", "uu{"type": "user", "uuid": "2"}\n', ["invalid_json"], 1),
        (b'{"type": "user", "uuid": "1"}\x00\x00\x00{"type": "user", "uuid": "2"}\n', ["nul_run"], 2),
        (b"\x00" * 500 + b'\n{"type": "user", "uuid": "1"}\n', ["nul_run"], 1),
        (b'\xef\xbb\xbf{"type": "user", "uuid": "1"}\r\n\r\n{"type": "user", "uuid": "2"}\r\n', [], 2),
        (b'{"type": "user", "uuid": "\xff"}\n', ["not_utf8"], 1),
        (b'[1, 2]\n"x"\n7\nnull\n', ["not_an_object"] * 4, 0),
        (b'{"a": ' * 2_000 + b'\n{"type": "user", "uuid": "1"}\n', ["too_deep"], 1),
        (b'{"type": "user", "uuid": "' + b"x" * 9_000_000 + b'"}\n', ["line_too_long"], 0),
        (b"", [], 0),
    ],
)
def test_a_damaged_line_is_reported_and_loses_only_itself(content: bytes, codes: list[str], count: int) -> None:
    transcript = transcript_of(content)
    assert [problem.code for problem in transcript.problems] == codes
    assert len(transcript.entries) == count


def test_damage_is_reported_with_its_line_in_the_whole_file() -> None:
    transcript = transcript_of(b'{"type": "user", "uuid": "1"}\nnonsense\n', first_line=101)
    assert [(problem.line, problem.recovered) for problem in transcript.problems] == [(102, 0)]


def test_texts_can_be_stored() -> None:
    odd = json.dumps(user("u1", None, "a\x00b\ud800c")).encode()
    assert transcript_of(odd).entries[0].blocks[0].text == "a\ufffdb\ufffdc"


@pytest.mark.parametrize(
    "wrong", [None, 7, [], {}, "x", [[1]], {"content": {"type": 7}}, {"content": [{"type": []}, 3]}]
)
def test_fields_of_another_type_count_as_absent(wrong: Any) -> None:
    odd: dict[str, Any] = dict.fromkeys(SAMPLE[2], wrong)
    odd |= {"type": "user", "uuid": "u1", "compactMetadata": wrong, "subtype": "compact_boundary"}
    transcript = read(odd, user("u2", "u1", "Next"))
    assert [entry.uuid for entry in transcript.entries] == ["u1", "u2"]
    assert messages(transcript)[-1].content == "Next"
