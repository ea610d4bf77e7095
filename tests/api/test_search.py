"""Search over HTTP: all of the words in readable conversations, newest first, within a time limit."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.records import MessageDraft
from apps.conversations.selectors import search as searching
from apps.engine.messages.message import Part, PartKind
from apps.turns.services.messages import messages_store
from tests.api.callers import Caller
from tests.conversations.long_conversations import conversation, huge_talk, say

pytestmark = pytest.mark.django_db


def find(actor: Actor, words: str, status: int = 200, more: str = "") -> Any:
    return Caller(actor).get(f"/search?q={quote(words)}{more}", status=status)


def matched(found: dict[str, Any]) -> str:
    start, length = found["match"]
    return str(found["snippet"][start : start + length])


def test_conversations_are_found_by_their_titles_and_messages_by_their_words(alice: Actor) -> None:
    talk = conversation(alice, title="The Lighthouse in Kiel")
    other = conversation(alice, title="Something else")
    (message,) = say(alice, other, "Far out, " * 40 + "there stands a\nLIGHTHOUSE on the cliff." + " And so on." * 40)
    found = find(alice, "lighthouse")
    (row,) = found["conversations"]
    assert set(row) == {"id", "title", "updated_at", "archived_at"}
    assert (row["id"], row["archived_at"]) == (str(talk), None)
    (hit,) = found["messages"]
    assert (hit["conversation_id"], hit["title"]) == (str(other), "Something else")
    assert (hit["message_id"], hit["index"], hit["role"]) == (str(message.id), 0, "user")
    assert matched(hit) == "LIGHTHOUSE"
    assert hit["snippet"].startswith("…") and "there stands a LIGHTHOUSE on" in hit["snippet"]
    assert len(hit["snippet"]) <= 201


def test_what_a_tool_was_given_and_returned_is_found_but_no_reasoning(alice: Actor) -> None:
    talk = conversation(alice)
    for role, kind, text in (
        ("assistant", PartKind.TOOL_CALL, '{"command": "pytest tests/cart"}'),
        ("tool", PartKind.TOOL_RESULT, "AssertionError: 11.99 != 12.00"),
        ("assistant", PartKind.REASONING, "The zeppelin is a guess."),
    ):
        with workspace(alice.workspace_id):
            draft = MessageDraft(role, "", parts=(Part(kind, text, "c1", "Bash"),))
            messages_store(alice, conversation_id=talk, drafts=[draft])
    assert [hit["index"] for hit in find(alice, "tests/cart")["messages"]] == [0]
    (hit,) = find(alice, "AssertionError 11.99")["messages"]
    assert (hit["index"], hit["role"], matched(hit)) == (1, "tool", "AssertionError")
    assert find(alice, "zeppelin")["messages"] == []


@pytest.mark.parametrize("words", ["100%", "a_b", "c:\\temp", "'; DROP TABLE", "ÄRGER", "👩‍👩‍👧‍👦 x", "(.*)"])
def test_words_are_matched_literally(words: str, alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, f"One 👩‍👩‍👧‍👦 two {words.lower()} three", "1000 acb c:temp axb anything")
    (hit,) = find(alice, words)["messages"]
    assert matched(hit).casefold() == searching.words_of(words)[0].casefold()


def test_all_words_are_looked_for_in_any_order_and_a_quoted_phrase_as_one(alice: Actor) -> None:
    talk = conversation(alice, title="Hosting in Vienna")
    say(alice, talk, "Two machines in Vienna: the hosting costs 64 euros.", "Vienna is far.", "Hosting elsewhere.")
    for words in ("vienna hosting", "hosting Vienna", 'Vienna "the hosting"'):
        assert [hit["index"] for hit in find(alice, words)["messages"]] == [0]
    assert len(find(alice, "vienna hosting")["conversations"]) == 1
    nothing = find(alice, '"vienna hosting"')
    assert not any(nothing.values())


def test_memories_user_memory_pins_and_summaries_are_found_too(alice: Actor, bob: Actor, charlie: Actor) -> None:
    talk = conversation(alice, title="Plans")
    caller = Caller(alice)
    draft = {"category": "events", "name": "Move", "content": "We move to Vienna; the hosting stays."}
    memory = caller.post("/memories", draft, status=201)
    item = caller.post("/user-memory", {"type": "fact", "key": "hosting", "content": "It is in Vienna."}, status=201)
    text = "Hosting in Vienna costs 64 euros."
    pin = caller.post(f"/conversations/{talk}/pins", {"category": "decision", "content": text}, status=201)
    line = {"field": "decisions", "place": None, "line": {"text": "Vienna keeps the hosting.", "reason": "cheap"}}
    summary = f"/conversations/{talk}/summary"
    caller.post(f"{summary}/corrections", line, 200, If_Match=caller.tag(summary))
    found = find(alice, "vienna hosting")
    assert [(row["id"], row["uri"]) for row in found["memories"]] == [(memory["id"], "mem://user/events/move")]
    assert [(row["id"], row["key"], row["snippet"]["text"]) for row in found["user_memory"]] == [
        (item["id"], "hosting", "It is in Vienna.")
    ]
    assert [(row["id"], row["title"], row["snippet"]["match"]) for row in found["pins"]] == [
        (pin["id"], "Plans", [0, 7])
    ]
    assert [(row["conversation_id"], row["field"]) for row in found["summary_lines"]] == [(str(talk), "decisions")]
    for person in (bob, charlie):
        assert not any(find(person, "vienna hosting").values())


def test_an_archived_memory_is_not_found_and_user_memory_that_is_off_is_marked(alice: Actor) -> None:
    caller = Caller(alice)
    memory = caller.post("/memories", {"category": "events", "name": "Move", "content": "Vienna."}, status=201)
    caller.post(f"/memories/{memory['id']}/archive", {}, 200)
    draft = {"type": "fact", "key": "Vienna", "content": "The hosting is there.", "is_active": False}
    caller.post("/user-memory", draft)
    found = find(alice, "vienna")
    assert found["memories"] == []
    (item,) = found["user_memory"]
    assert (item["is_active"], item["snippet"]) == (False, {"text": "Vienna", "match": [0, 6]})


def test_pins_and_summary_lines_of_a_shared_chat_are_found_by_its_reader(alice: Actor, bob: Actor) -> None:
    talk = conversation(alice, title="Plans")
    caller = Caller(alice)
    for number in range(3):
        caller.post(f"/conversations/{talk}/pins", {"category": "other", "content": f"Vienna, part {number}"})
    caller.post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    found = find(bob, "vienna", more="&limit=2")
    assert [row["snippet"]["text"] for row in found["pins"]] == ["Vienna, part 2", "Vienna, part 1"]


def test_the_newest_come_first_and_no_more_than_asked_for(alice: Actor) -> None:
    first, second = conversation(alice, title="Trip one"), conversation(alice, title="Trip two")
    for talk in (first, second, first):
        say(alice, talk, *(f"On the trip, part {number}" for number in range(2)))
    found = find(alice, "trip")
    assert [row["title"] for row in found["conversations"]] == ["Trip one", "Trip two"]
    assert [(hit["title"][5:], hit["index"]) for hit in found["messages"]] == [
        *(("one", 3), ("one", 2), ("two", 1), ("two", 0), ("one", 1), ("one", 0)),
    ]
    few = find(alice, "trip", more="&limit=1")
    assert few == {kind: rows[:1] for kind, rows in found.items()}


def test_only_so_many_of_the_newest_messages_are_read(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MOST_MESSAGES", 5)
    old, new = conversation(alice, title="Old"), conversation(alice, title="New")
    say(alice, old, *("A needle",) * 4)
    say(alice, new, *("A needle",) * 3)
    hits = [(hit["title"], hit["index"]) for hit in find(alice, "needle")["messages"]]
    assert hits == [("New", 2), ("New", 1), ("New", 0), ("Old", 3), ("Old", 2)]


def test_a_search_that_takes_too_long_is_an_error(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    huge_talk(alice, 20_000)
    assert find(alice, "nothing of this")["messages"] == []
    monkeypatch.setattr(searching, "LONGEST_MS", 1)
    assert find(alice, "nothing of this", status=503)["code"] == "search_too_slow"
    assert Caller(alice).get("/conversations")["data"]


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("q=a", "/q"),
        ("q=%20a%20", "/q"),
        ("", "/q"),
        (f"q={'x' * 201}", "/q"),
        ("q=a%00b", "/q"),
        ("q=ab&limit=0", "/limit"),
        ("q=ab&limit=51", "/limit"),
        ("q=ab&limit=x", "/limit"),
        ("q=ab&in=titles", "/in"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused(query: str, pointer: str, alice: Actor) -> None:
    problem = Caller(alice).get(f"/search?{query}", status=400)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


def test_unreadable_conversations_are_never_found(alice: Actor, bob: Actor, charlie: Actor) -> None:
    talk: UUID = conversation(alice, title="The secret garden")
    say(alice, talk, "A secret")
    for other in (bob, charlie):
        assert not any(find(other, "secret").values())
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    found = find(bob, "secret")
    assert (len(found["conversations"]), len(found["messages"])) == (1, 1)
    assert not any(find(charlie, "secret").values())
