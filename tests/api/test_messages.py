"""Messages over HTTP: stored exactly once, in order, all or none."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.engine.text.normal_form import clean_text
from tests.api.callers import Caller, at_once
from tests.conversations.long_conversations import conversation, row_of, say

pytestmark = pytest.mark.django_db

HELLO = {"role": "user", "content": "Hello"}
ODD_TEXTS = [
    "  leading and trailing  \n\n",
    "\t\r\ntabs and carriage returns\r",
    "👩‍👩‍👧‍👦 🇨🇭 e\u0301 \ufeff \u200b \u2028",
    "\U0001f600" * 1000,
    '"quotes" \\ and \\u0000 as text',
    "<script>alert(1)</script> {{ 7*7 }} %s {}",
]


def post(actor: Actor, talk: UUID, body: Any, status: int = 201, **headers: str) -> Any:
    return Caller(actor).post(f"/conversations/{talk}/messages", body, status=status, **headers)


def errors_of(actor: Actor, body: Any) -> list[tuple[str, str]]:
    talk = conversation(actor)
    problem = post(actor, talk, body, status=400)
    assert row_of(actor, talk).message_count == 0
    return [(error["pointer"], error["code"]) for error in problem["errors"]]


def test_one_message_is_stored_and_returned(alice: Actor) -> None:
    talk = conversation(alice)
    sent = {**HELLO, "name": "Ana", "created_at": "2024-05-01T10:00:00+02:00", "external_id": "m-1"}
    answer = post(alice, talk, sent)
    (stored,) = answer["data"]
    assert answer["stored"] == 1
    assert {name: stored[name] for name in sent} == {**sent, "created_at": "2024-05-01T08:00:00Z"}
    assert (stored["index"], stored["state"], stored["status"], stored["parts"]) == (0, "live", "complete", [])
    assert (stored["token_count"], stored["tokens_through"]) == (6, 6)
    assert Caller(alice).get(f"/conversations/{talk}/messages/{stored['id']}") == stored
    assert datetime.fromisoformat(stored["created_at"])


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_content_is_stored_to_the_last_character(text: str, alice: Actor) -> None:
    talk = conversation(alice)
    post(alice, talk, {"role": "assistant", "parts": [{"kind": "text", "text": text}], "content": text})
    post(alice, talk, {"role": "user", "content": text})
    caller = Caller(alice)
    stored, current = caller.get(f"/conversations/{talk}/messages")["data"]
    text = clean = clean_text(text, show_hidden=True).text
    assert (stored["content"], stored["parts"], current["content"]) == (clean, [{"kind": "text", "text": clean}], clean)
    pack = caller.get(f"/conversations/{talk}/context?format=openai")
    assert pack["current_message"]["content"] == text
    assert pack["rendered"]["messages"][-1] == {"role": "user", "content": text}


def test_many_are_stored_in_their_order(alice: Actor) -> None:
    talk = conversation(alice)
    answer = post(alice, talk, {"messages": [{**HELLO, "content": str(n)} for n in range(500)]})
    assert answer["stored"] == 500
    assert [(row["index"], row["content"]) for row in answer["data"]] == [(n, str(n)) for n in range(500)]


def test_long_lists_come_in_pages_without_gap_or_repeat(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, *(f"Message {n}" for n in range(250)))
    pages = Caller(alice).pages(f"/conversations/{talk}/messages", 100)
    assert [len(page) for page in pages] == [100, 100, 50]
    assert [row["index"] for page in pages for row in page] == list(range(250))
    assert [len(page) for page in Caller(alice).pages(f"/conversations/{talk}/messages", 125)] == [125, 125]


def test_a_window_begins_at_any_index(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, *(f"Message {n}" for n in range(250)))
    path = f"/conversations/{talk}/messages"
    for begin, shown in ((0, 100), (120, 100), (249, 1), (250, 0)):
        page = Caller(alice).get(f"{path}?from_index={begin}&limit=100")
        assert [row["index"] for row in page["data"]] == list(range(begin, begin + shown))
        assert page["has_more"] == (begin + shown < 250)
    first = Caller(alice).client.get(f"/api{path}?from_index=240&limit=6")
    address = first["Link"].removeprefix("<").removesuffix('>; rel="next"')
    assert [row["index"] for row in Caller(alice).client.get(address).json()["data"]] == [246, 247, 248, 249]


def test_messages_are_listed_by_id_in_order_without_those_of_others(alice: Actor) -> None:
    talk, other = conversation(alice), conversation(alice)
    say(alice, talk, "a", "b", "c", "d")
    say(alice, other, "elsewhere")
    first, second, _, last = (row["id"] for row in Caller(alice).get(f"/conversations/{talk}/messages")["data"])
    foreign = Caller(alice).get(f"/conversations/{other}/messages")["data"][0]["id"]
    wanted = ",".join([last, foreign, first, second.upper(), str(uuid4())])
    page = Caller(alice).get(f"/conversations/{talk}/messages?ids={wanted}&limit=2")
    assert [row["content"] for row in page["data"]] == ["a", "b", "d"]
    assert not page["has_more"]


@pytest.mark.parametrize("ids", ["x", "1,2", ",".join(["019a4f2e-6b00-7000-8000-000000000006"] * 101)])
def test_ids_that_make_no_sense_are_refused(ids: str, alice: Actor) -> None:
    problem = Caller(alice).get(f"/conversations/{conversation(alice)}/messages?ids={ids}", status=400)
    assert problem["errors"][0]["pointer"] == "/ids"


@pytest.mark.parametrize("query", ["from_index=-1", "from_index=x", "from_index=2147483648", "form_index=1"])
def test_a_window_that_makes_no_sense_is_refused(query: str, alice: Actor) -> None:
    problem = Caller(alice).get(f"/conversations/{conversation(alice)}/messages?{query}", status=400)
    assert problem["errors"][0]["pointer"] == f"/{query.partition('=')[0]}"


def test_the_link_header_contains_the_next_page(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "a", "b", "c")
    first = Caller(alice).client.get(f"/api/conversations/{talk}/messages?limit=2")
    address = first["Link"].removeprefix("<").removesuffix('>; rel="next"')
    assert [row["content"] for row in Caller(alice).client.get(address).json()["data"]] == ["c"]


def test_a_cursor_of_another_list_is_refused(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "a", "b")
    cursor = Caller(alice).get(f"/conversations/{talk}/messages?limit=1")["next_cursor"]
    for path in ("/conversations", f"/conversations/{talk}/pins", "/user-memory"):
        problem = Caller(alice).get(f"{path}?cursor={cursor}", status=400)
        assert problem["errors"][0]["pointer"] == "?cursor"


def test_one_bad_message_keeps_all_out(alice: Actor) -> None:
    batch = [HELLO] * 20 + [{"role": "robot", "content": "x"}, {"role": "user", "content": 5}]
    assert errors_of(alice, {"messages": batch}) == [
        ("/messages/20/role", "invalid_choice"),
        ("/messages/21/content", "invalid"),
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, [("/role", "required")]),
        ({"role": "user"}, [("/content", "empty_message")]),
        ({"role": "user", "content": " \n"}, [("/content", "empty_message")]),
        ({"role": "user", "content": None}, [("/content", "null")]),
        ({"role": "user", "content": ["text"]}, [("/content", "wrong_type")]),
        ({"role": "user", "content": "x" * 400_001}, [("/content", "max_length")]),
        ({**HELLO, "name": "x" * 121}, [("/name", "max_length")]),
        ({**HELLO, "external_id": "x" * 201}, [("/external_id", "max_length")]),
        ({**HELLO, "created_at": "yesterday"}, [("/created_at", "invalid")]),
        ({**HELLO, "created_at": "0001-01-01T00:00:00+14:00"}, [("/created_at", "overflow")]),
        ({**HELLO, "index": 3}, [("/index", "unknown_field")]),
        ({**HELLO, "messages": []}, [("/content", "unknown_field"), ("/role", "unknown_field")]),
        ({"messages": []}, [("/messages", "min_length")]),
        ({"messages": [HELLO] * 501}, [("/messages", "max_length")]),
        ({"messages": [[]]}, [("/messages/0", "invalid")]),
        ({"messages": "Hello"}, [("/messages", "not_a_list")]),
    ],
)
def test_a_message_that_makes_no_sense_is_pointed_at(body: Any, expected: list[tuple[str, str]], alice: Actor) -> None:
    assert errors_of(alice, body) == expected


@pytest.mark.parametrize(
    ("role", "part", "expected"),
    [
        ("assistant", {"kind": "tool_call", "call_id": "c1"}, [("/parts/0/name", "required")]),
        ("assistant", {"kind": "tool_call", "name": "f"}, [("/parts/0/call_id", "required")]),
        ("tool", {"kind": "tool_result", "text": "x"}, [("/parts/0/call_id", "required")]),
        ("user", {"kind": "text"}, [("/parts/0/text", "required")]),
        ("user", {"kind": "video", "text": "x"}, [("/parts/0/kind", "invalid_choice")]),
        ("user", {"kind": "image", "text": "x"}, [("/parts/0/url", "required")]),
        ("user", {"text": "x"}, [("/parts/0/kind", "required")]),
        ("user", {"kind": "text", "text": "x", "tokens": 5}, [("/parts/0/tokens", "not_of_this_kind")]),
        ("user", {"kind": "text", "text": "x", "call_id": "c"}, [("/parts/0/call_id", "not_of_this_kind")]),
        ("assistant", {"kind": "reasoning", "tokens": -1}, [("/parts/0/tokens", "min_value")]),
        ("assistant", {"kind": "reasoning", "tokens": 10_000_001}, [("/parts/0/tokens", "max_value")]),
        ("assistant", {"kind": "reasoning", "tokens": "many"}, [("/parts/0/tokens", "invalid")]),
        ("user", {"kind": "reasoning", "tokens": 1}, [("/parts", "not_in_this_role")]),
        ("user", {"kind": "tool_call", "call_id": "c", "name": "f"}, [("/parts", "not_in_this_role")]),
        ("assistant", {"kind": "tool_result", "call_id": "c"}, [("/parts", "not_in_this_role")]),
        ("user", {"kind": "text", "text": "x" * 400_001}, [("/parts/0/text", "max_length")]),
        ("user", "text", [("/parts/0", "invalid")]),
    ],
)
def test_a_part_that_makes_no_sense_is_pointed_at(
    role: str, part: Any, expected: list[tuple[str, str]], alice: Actor
) -> None:
    assert errors_of(alice, {"role": role, "parts": [part]}) == expected


def test_a_message_has_at_most_two_hundred_parts(alice: Actor) -> None:
    parts = [{"kind": "text", "text": "x"}] * 201
    assert errors_of(alice, {"role": "user", "parts": parts}) == [("/parts", "max_length")]
    post(alice, conversation(alice), {"role": "user", "parts": parts[:200]})


def test_the_largest_message_can_be_counted(alice: Actor) -> None:
    talk = conversation(alice)
    parts = [{"kind": "reasoning", "tokens": 10_000_000}] * 200
    (stored,) = post(alice, talk, {"role": "assistant", "parts": parts, "content": "x" * 400_000})["data"]
    assert stored["token_count"] == 2_000_100_004
    post(alice, talk, {"messages": [{"role": "assistant", "parts": parts}] * 3})
    assert Caller(alice).get(f"/conversations/{talk}/context")["metadata"]["total_tokens"] > 8_000_000_000


def test_parts_come_back_as_they_were_sent(alice: Actor) -> None:
    talk = conversation(alice)
    sent = [
        {"kind": "reasoning", "tokens": 10_000_000, "text": "because"},
        {"kind": "tool_call", "call_id": "c1", "name": "find", "text": '{"q": "Rome"}'},
    ]
    result = [{"kind": "tool_result", "call_id": "c1", "text": " 42\n", "summary": "a number", "name": "find"}]
    answer = post(alice, talk, {"messages": [{"role": "assistant", "parts": sent}, {"role": "tool", "parts": result}]})
    assert [row["parts"] for row in answer["data"]] == [sent, result]


def test_a_message_known_by_its_name_is_stored_once(alice: Actor) -> None:
    talk = conversation(alice)
    batch = [{**HELLO, "external_id": f"m-{n}"} for n in range(3)]
    first = post(alice, talk, {"messages": batch[:2]})
    second = post(alice, talk, {"messages": batch})
    assert (first["stored"], second["stored"]) == (2, 1)
    assert second["data"][:2] == first["data"]
    assert post(alice, talk, {"messages": batch}, status=200)["stored"] == 0
    assert row_of(alice, talk).message_count == 3


def test_a_repeated_post_stores_once_and_answers_alike(alice: Actor) -> None:
    talk = conversation(alice)
    assert post(alice, talk, HELLO, Idempotency_Key="k1") == post(alice, talk, HELLO, Idempotency_Key="k1")
    other = post(alice, talk, {**HELLO, "content": "Bye"}, status=422, Idempotency_Key="k1")
    assert other["code"] == "idempotency_key_reused"
    assert row_of(alice, talk).message_count == 1


@pytest.mark.django_db(transaction=True)
def test_the_same_post_from_many_at_once_is_stored_once(alice: Actor) -> None:
    talk = conversation(alice)
    answers = at_once(lambda: post(alice, talk, HELLO, Idempotency_Key="k1"))
    assert len({answer["data"][0]["id"] for answer in answers}) == 1
    assert row_of(alice, talk).message_count == 1


@pytest.mark.django_db(transaction=True)
def test_messages_from_many_at_once_have_no_gap(alice: Actor) -> None:
    talk = conversation(alice)
    at_once(lambda: post(alice, talk, {"messages": [HELLO] * 5}))
    rows = Caller(alice).get(f"/conversations/{talk}/messages")["data"]
    assert [row["index"] for row in rows] == list(range(20))
    assert row_of(alice, talk).message_count == 20


def test_a_body_that_is_too_large_is_refused_whole(alice: Actor, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100_000
    talk = conversation(alice)
    batch = [{**HELLO, "content": "x" * 10_000}] * 11
    assert post(alice, talk, {"messages": batch}, status=413)["code"] == "too_large"
    assert row_of(alice, talk).message_count == 0


def test_messages_are_excluded_and_included_again(alice: Actor) -> None:
    talk = conversation(alice)
    ids = [str(row.id) for row in say(alice, talk, "a", "b", "c")]
    caller = Caller(alice)
    path = f"/conversations/{talk}"
    changed = caller.post(f"{path}/exclusions", {"message_ids": ids[:2]}, status=200)
    assert changed == {"changed": ids[:2], "compacted": []}
    assert caller.post(f"{path}/exclusions", {"message_ids": ids[:2]}, status=200)["changed"] == []
    assert [row["state"] for row in caller.get(f"{path}/messages")["data"]] == ["excluded", "excluded", "live"]
    assert caller.patch(f"{path}/messages/{ids[0]}", {"excluded": False})["state"] == "live"
    assert caller.get(path)["live_count"] == 2


def test_an_exclusion_with_an_unknown_message_changes_nothing(alice: Actor) -> None:
    talk, other = conversation(alice), conversation(alice)
    mine = str(say(alice, talk, "a")[0].id)
    elsewhere = str(say(alice, other, "b")[0].id)
    caller = Caller(alice)
    for foreign in (elsewhere, str(uuid4())):
        caller.post(f"/conversations/{talk}/exclusions", {"message_ids": [mine, foreign]}, status=404)
    caller.patch(f"/conversations/{talk}/messages/{elsewhere}", {"excluded": True}, status=404)
    caller.get(f"/conversations/{talk}/messages/{elsewhere}", status=404)
    assert caller.get(f"/conversations/{talk}")["live_count"] == 1


@pytest.mark.parametrize("body", [{"message_ids": []}, {"message_ids": ["x"]}, {"message_ids": ["x"] * 10_001}, {}])
def test_an_exclusion_that_makes_no_sense_is_refused(body: dict[str, object], alice: Actor) -> None:
    Caller(alice).post(f"/conversations/{conversation(alice)}/exclusions", body, status=400)


def test_the_role_of_a_developer_is_stored_as_that_of_the_system(alice: Actor) -> None:
    talk = conversation(alice)
    (stored,) = post(alice, talk, {"role": "developer", "content": "Be brief."})["data"]
    assert stored["role"] == "system"


def test_the_messages_of_a_batch_have_a_bounded_number_of_parts(alice: Actor) -> None:
    message = {"role": "user", "parts": [{"kind": "text", "text": "a"}] * 200}
    path = f"/conversations/{conversation(alice)}/messages"
    answer = Caller(alice).post(path, {"messages": [message] * 11}, status=400)
    assert answer["errors"][0]["code"] == "max_length"
