"""Parsing of files: the items of a line, recovery after damage, and the position to resume from."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.conversations.imports import line_reader, locomo_samples
from apps.conversations.imports.formats import Format, Source, format_of, read_items
from apps.conversations.imports.parsed_items import Item, Place, ReadMessage, Skipped
from apps.engine.messages.message import Part, PartKind
from apps.engine.text.normal_form import cleaned

USER = b'{"role": "user", "content": "Hello"}'
REPLY = b'{"role": "assistant", "content": "Good morning"}'


def read(content: bytes, begin: Place | None = None, **source: Any) -> list[Item]:
    return list(read_items(io.BytesIO(content), Source("talk.jsonl", **source), begin or Place()))


def contents(items: Sequence[Item]) -> list[str]:
    return [item.found.content for item in items if isinstance(item.found, ReadMessage)]


def skipped(items: Sequence[Item]) -> list[tuple[int, str]]:
    return [(item.found.line, item.found.code) for item in items if isinstance(item.found, Skipped)]


def test_a_line_gives_a_message_with_all_its_fields() -> None:
    line = {"role": "user", "content": "Hi", "name": "Lena", "created_at": "2026-03-02T08:00:00+01:00"}
    (item,) = read(json.dumps({**line, "external_id": "m-1", "mood": "good"}).encode())
    assert item.found == ReadMessage(
        "user", "Hi", "Lena", datetime(2026, 3, 2, 7, tzinfo=UTC), "m-1", number=1, unknown=("mood",)
    )


CALL = {"kind": "tool_call", "call_id": "c1", "name": "search", "text": '{"q": "Rome"}'}
RESULT = {"kind": "tool_result", "call_id": "c1", "text": "12 trains", "summary": "trains"}


@pytest.mark.parametrize(
    ("line", "role", "content", "parts"),
    [
        ({"role": "assistant", "parts": [CALL]}, "assistant", "", [CALL]),
        ({"role": "tool", "content": "", "parts": [RESULT]}, "tool", "", [RESULT]),
        (
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "function": {"name": "search", "arguments": '{"q": "Rome"}'}}],
            },
            *("assistant", "", [CALL]),
        ),
        (
            {"role": "tool", "tool_call_id": "c1", "content": "12 trains"},
            *("tool", "", [{"kind": "tool_result", "call_id": "c1", "text": "12 trains"}]),
        ),
        ({"role": "developer", "content": "Be brief."}, "system", "Be brief.", []),
    ],
)
def test_tool_calls_and_roles_of_other_apis_are_read(line: Any, role: str, content: str, parts: list[Any]) -> None:
    (item,) = read(json.dumps(line).encode())
    assert isinstance(item.found, ReadMessage)
    assert (item.found.role, item.found.content) == (role, content)
    assert item.found.parts == tuple(Part(**{**part, "kind": PartKind(part["kind"])}) for part in parts)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"parts": "x"}, "wrong_type"),
        ({"parts": [7]}, "wrong_type"),
        ({"parts": [{"kind": "video"}]}, "unknown_part"),
        ({"parts": [{"kind": "image"}]}, "missing_field"),
        ({"parts": [{"kind": "text"}]}, "missing_field"),
        ({"parts": [{"kind": "text", "text": "a", "name": "b"}]}, "unknown_part_field"),
        ({"parts": [CALL]}, "not_in_this_role"),
        ({"parts": [{"kind": "reasoning", "tokens": -1}]}, "wrong_type"),
        ({"parts": [{"kind": "text", "text": "a"}] * 201}, "too_many_parts"),
        ({"tool_calls": [{"id": "c1"}]}, "wrong_type"),
        ({"tool_call_id": 7, "content": "a"}, "wrong_type"),
    ],
)
def test_a_part_that_cannot_be_stored_is_named(fields: dict[str, Any], code: str) -> None:
    line = json.dumps({"role": "user", "content": "", **fields}).encode()
    assert skipped(read(b"\n".join([USER, line]))) == [(2, code)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"role": "user", "content": "a"', "invalid_json"),
        (b"hello", "invalid_json"),
        (b'["a"]', "not_an_object"),
        (b"42", "not_an_object"),
        (b'{"content": "a"}', "missing_field"),
        (b'{"role": "user"}', "missing_field"),
        (b'{"role": "robot", "content": "a"}', "unknown_role"),
        (b'{"role": 7, "content": "a"}', "wrong_type"),
        (b'{"role": "user", "content": null}', "wrong_type"),
        (b'{"role": "user", "content": [{"text": "a"}]}', "missing_field"),
        (b'{"role": "user", "content": ["a"]}', "wrong_type"),
        (b'{"role": "user", "content": " \\n "}', "empty_content"),
        (b'{"role": "user", "content": "a", "created_at": "tomorrow"}', "bad_date"),
        (b'{"role": "user", "content": "a", "created_at": "0001-01-01T00:00:00+14:00"}', "bad_date"),
        (b'{"role": "user", "content": "a", "created_at": 9223372036854775808}', "wrong_type"),
        (b'{"role": "user", "content": "a", "name": "%s"}' % (b"n" * 121), "too_long"),
        (b'{"role": "user", "content": "%s"}' % (b"c" * 400_001), "too_long"),
        (b'{"role": "user", "content": "a", "external_id": "%s"}' % (b"x" * 201), "too_long"),
        (b'{"role": "user", "content": "\xff"}', "not_utf8"),
        (b'{"role": "user", "content": "a", "deep": ' + b"[" * 3_000 + b"]" * 3_000 + b"}", "too_deep"),
        (b"\x00" * 512, "nul_run"),
        (b'{"role": "user", "con\x00\x00\x00tent": "a"}', "nul_run"),
    ],
)
def test_a_bad_line_loses_only_itself_and_is_named(line: bytes, code: str) -> None:
    items = read(b"\n".join([USER, line, REPLY]))
    assert contents(items) == ["Hello", "Good morning"]
    assert skipped(items) == [(2, code)]


def test_numbers_that_mean_nothing_to_a_message_do_it_no_harm() -> None:
    line = b'{"role": "user", "content": "a", "n": ' + b"9" * 5_000 + b', "x": 1e999, "y": NaN}'
    assert contents(read(line)) == ["a"]


def test_blank_lines_and_other_line_breaks_are_no_fault() -> None:
    items = read(b"\xef\xbb\xbf" + USER + b"\r\n\r\n  \n" + REPLY + b"\r\n")
    assert contents(items) == ["Hello", "Good morning"] and not skipped(items)


def test_objects_without_a_line_break_between_them_are_all_read() -> None:
    items = read(USER + REPLY + b" " + USER + b"\n")
    assert contents(items) == ["Hello", "Good morning", "Hello"] and not skipped(items)
    assert len({item.found.external_id for item in items if isinstance(item.found, ReadMessage)}) == 3


def test_an_object_behind_the_stump_of_another_is_found_again() -> None:
    items = read(b'{"role": "user", "content": "half a sen' + REPLY + b"\n" + USER)
    assert contents(items) == ["Good morning", "Hello"]
    assert skipped(items) == [(1, "invalid_json")]


def test_an_object_before_a_fragment_is_parsed() -> None:
    items = read(USER + b'e of a sentence", "x": {"role": 1}}\n' + REPLY)
    assert contents(items) == ["Hello", "Good morning"]
    assert skipped(items) == [(1, "invalid_json")]


def test_a_message_quoted_in_a_broken_one_is_not_taken_for_a_message() -> None:
    items = read(b'{"log": [' + USER + b', "and then the disk was full\n' + REPLY)
    assert contents(items) == ["Good morning"]
    assert skipped(items) == [(1, "invalid_json")]


def test_nul_bytes_around_an_object_are_reported_and_the_object_is_parsed() -> None:
    items = read(b"\x00" * 9 + USER + b"\n" + REPLY + b"\x00" * 9)
    assert contents(items) == ["Hello", "Good morning"]
    assert skipped(items) == [(1, "nul_run"), (2, "nul_run")]


def test_a_truncated_last_line_is_reported() -> None:
    items = read(USER + b"\n" + REPLY[:-5])
    assert contents(items) == ["Hello"]
    assert skipped(items) == [(2, "truncated")]


def test_a_line_that_is_too_long_is_skipped_without_buffering_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_reader, "LONGEST_LINE", 60)
    long = b'{"role": "user", "content": "' + b"x" * 500 + b'"}'
    assert skipped(read(b"\n".join([USER, long, REPLY]))) == [(2, "line_too_long")]
    assert skipped(read(b"\n".join([USER, long]))) == [(2, "line_too_long")]
    assert contents(read(b"\n".join([long, USER, long, REPLY]))) == ["Hello", "Good morning"]


@pytest.mark.parametrize("text", ['{"{"' * 300_000, '{"a":[' * 200_000, '{"a":1,' * 150_000, "{" * 1_000_000])
def test_a_line_made_to_be_slow_is_given_up(text: str) -> None:
    assert contents(read(text.encode())) == []


def test_identity_comes_from_line_and_text_so_that_a_grown_file_only_adds() -> None:
    def ids(content: bytes) -> list[str | None]:
        return [item.found.external_id for item in read(content) if isinstance(item.found, ReadMessage)]

    before = ids(USER + b"\n" + REPLY + b"\n")
    assert ids(USER + b"\n" + REPLY + b"\n" + USER + b"\n")[:2] == before
    assert len(set(ids(USER + b"\n" + USER + b"\n"))) == 2
    assert read(USER)[0].seed == read(USER + b"\n" + REPLY)[0].seed
    assert read(USER)[0].seed != read(REPLY)[0].seed


def test_reading_goes_on_at_any_place() -> None:
    content = b"\n".join([USER, b"oops", USER + REPLY, b"", REPLY])
    items = read(content)
    for number, item in enumerate(items, start=1):
        rest = read(content, item.after)
        assert [one.seed for one in rest] == [item.seed] * len(rest)
        again = [one.found for one in rest]
        # A line with several objects is parsed again from its beginning.
        assert again in ([one.found for one in items[number:]], [one.found for one in items[number - 1 :]])


@given(st.data())
def test_every_line_that_damage_did_not_touch_is_read(data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.text(min_size=1).filter(lambda text: text.strip()), min_size=3, max_size=8))
    whole = [json.dumps({"role": "user", "content": f"{place} {text}"}) for place, text in enumerate(texts)]
    whole = [line for line in whole if "\\u0000" not in line and "\\ud" not in line]
    victim = data.draw(st.integers(0, max(len(whole) - 1, 0)))
    damage = data.draw(st.sampled_from(["cut", "nul", "garbage", "joined"]))
    rows = [line.encode() + b"\n" for line in whole]
    if rows:
        at = data.draw(st.integers(0, len(rows[victim]) - 2))
        row = rows[victim]
        rows[victim] = {
            "cut": row[:at] + b"\n",
            "nul": row[:at] + b"\x00" * 7 + row[at:],
            "garbage": b"\xfe\xff" + row,
            "joined": row[:-1],
        }[damage]
    found = contents(read(b"".join(rows)))
    expected = [
        cleaned(json.loads(line)["content"])
        for place, line in enumerate(whole)
        if place != victim or damage == "joined"
    ]
    assert [text for text in found if text in expected] == expected


SAMPLE = {
    "qa": [{"question": "Where?", "answer": "At home"}],
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_10_date_time": "12:05 am on 9 December, 2023",
        "session_10": [{"speaker": "Ben", "dia_id": "D10:1", "text": "The tenth"}],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            {"speaker": "Ana", "dia_id": "D2:1", "text": "Look", "blip_caption": "a dog", "img_url": ["http://x"]},
            {"speaker": "Ben", "dia_id": "D2:2", "text": "", "blip_caption": "a cat"},
            {"speaker": "Cleo", "dia_id": "D2:3", "text": "Who am I?"},
            {"speaker": "Ben", "dia_id": "D2:4", "text": 5},
        ],
        "session_3_date_time": "one day in June",
        "session_3": [{"speaker": "Ana", "dia_id": "D3:1", "text": "When?"}],
        "session_4": "nothing",
    },
    "sample_id": "s-1",
}


@pytest.mark.parametrize("form", [SAMPLE, [SAMPLE]])
def test_locomo_is_read_in_the_order_of_its_sessions(form: object) -> None:
    items = read(json.dumps(form, indent=1).encode())
    messages = [item.found for item in items if isinstance(item.found, ReadMessage)]
    assert [(one.role, one.name, one.content) for one in messages] == [
        ("user", "Ana", "Look [a dog]"),
        ("assistant", "Ben", "[a cat]"),
        ("assistant", "Ben", "The tenth"),
    ]
    assert messages[0].created_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert messages[2].created_at == datetime(2023, 12, 9, 0, 5, tzinfo=UTC)
    assert [one.external_id for one in messages] == ["s-1:D2:1", "s-1:D2:2", "s-1:D10:1"]
    assert skipped(items) == [(3, "unknown_speaker"), (4, "wrong_type"), (5, "bad_date"), (6, "not_an_object")]
    assert items[0].seed is not None and items[0].seed.external_id == "locomo:s-1"


def test_each_sample_is_a_conversation_and_reading_goes_on_at_any_place() -> None:
    content = json.dumps([SAMPLE, 7, {"sample_id": "empty"}, {**SAMPLE, "sample_id": "s-2"}]).encode()
    items = read(content)
    assert {item.seed.external_id for item in items if item.seed} == {"locomo:s-1", "locomo:s-2"}
    assert [code for _, code in skipped(items)].count("not_a_sample") == 2
    for number, item in enumerate(items, start=1):
        assert read(content, item.after) == items[number:]


def test_a_locomo_file_that_ends_too_early_keeps_the_samples_before() -> None:
    content = json.dumps([SAMPLE, {**SAMPLE, "sample_id": "s-2"}]).encode()[:-400]
    items = read(content)
    assert {item.seed.external_id for item in items if item.seed} == {"locomo:s-1"}
    assert skipped(items)[-1] == (2, "invalid_json")


def test_a_conversation_that_is_too_large_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locomo_samples, "LARGEST_CONVERSATION", 9_000)
    long = {"speaker_a": "Ana", "session_1": [{"speaker": "Ana", "text": "x" * 10_000}]}
    items = read(json.dumps([{"conversation": long}, SAMPLE]).encode())
    assert skipped(items)[0] == (1, "sample_too_large")
    assert len(contents(items)) == 3


@pytest.mark.parametrize(
    ("head", "form"),
    [
        (b"", Format.JSONL),
        (USER, Format.JSONL),
        (b"  [", Format.LOCOMO),
        (b'{\n "sample_id": "x"', Format.LOCOMO),
        (b'\xef\xbb\xbf{"conversation":', Format.LOCOMO),
    ],
)
def test_the_form_is_seen_from_the_beginning(head: bytes, form: Format) -> None:
    assert format_of(io.BytesIO(head)) is form
