"""Forks of conversations over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.api.conversations import conversations
from apps.turns.services.fork import conversation_fork
from tests.api.callers import Caller, at_once
from tests.compaction.runs import check_invariants, compact
from tests.conversations.long_conversations import conversation, long_talk, say

pytestmark = pytest.mark.django_db


def test_a_fork_has_the_messages_up_to_there(alice: Actor) -> None:
    talk = conversation(alice, title="Trip", system_prompt="Be brief.")
    say(alice, talk, "a", "b", "c")
    caller = Caller(alice)
    caller.patch(f"/conversations/{talk}", {"token_budget": 4_000}, If_Match='"1"')
    answer = caller.client.post(f"/api/conversations/{talk}/fork", {"through_index": 1})
    fork = answer.json()
    assert (answer.status_code, answer["Location"]) == (201, f"/api/conversations/{fork['id']}")
    assert (fork["copied_from"], fork["copied_through"], fork["message_count"]) == (str(talk), 1, 2)
    assert (fork["title"], fork["system_prompt"], fork["version"]) == ("Trip", "Be brief.", 1)
    assert fork["token_budget"] == 4_000
    copies = caller.get(f"/conversations/{fork['id']}/messages")["data"]
    assert [row["content"] for row in copies] == ["a", "b"]
    assert caller.post(f"/conversations/{talk}/fork", {"through_index": 0, "title": "Other"})["title"] == "Other"


def test_a_fork_takes_the_pins_and_the_summary_with_it(alice: Actor) -> None:
    talk = long_talk(alice, messages=40, tokens=50)
    compact(alice, talk)
    caller = Caller(alice)
    caller.post(f"/conversations/{talk}/pins", {"content": "Keep this"})
    fork = caller.post(f"/conversations/{talk}/fork", {"through_index": 30})["id"]
    assert [pin["content"] for pin in caller.get(f"/conversations/{fork}/pins")["data"]] == ["Keep this"]
    original, copied = (caller.get(f"/conversations/{one}/summary") for one in (talk, fork))
    assert (copied["cause"], copied["covers_through"]) == ("fork", original["covers_through"])
    check_invariants(alice, fork)


@pytest.mark.django_db(transaction=True)
def test_a_fork_of_a_conversation_that_is_deleted_meanwhile_is_refused(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reference to the original is checked only at the commit."""
    talk = conversation(alice)
    say(alice, talk, "a", "b")

    def forked(*arguments: Any, **options: Any) -> Any:
        made = conversation_fork(*arguments, **options)
        at_once(lambda: Caller(alice).delete(f"/conversations/{talk}"), times=1)
        return made

    monkeypatch.setattr(conversations, "conversation_fork", forked)
    problem = Caller(alice).post(f"/conversations/{talk}/fork", {"through_index": 1}, status=409)
    assert (problem["code"], problem["detail"]) == ("conflict", "Another request has deleted what this one refers to.")
    assert Caller(alice).get("/conversations")["data"] == []


@pytest.mark.parametrize("index", [3, 2**31 - 1])
def test_a_fork_behind_the_end_is_refused(index: int, alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "a", "b", "c")
    problem = Caller(alice).post(f"/conversations/{talk}/fork", {"through_index": index}, status=422)
    assert problem["code"] == "no_such_index"
    assert len(Caller(alice).get("/conversations")["data"]) == 1


@pytest.mark.parametrize("body", [{}, {"through_index": -1}, {"through_index": 2**31}, {"through_index": "1"}])
def test_a_fork_that_makes_no_sense_is_refused(body: dict[str, object], alice: Actor) -> None:
    problem = Caller(alice).post(f"/conversations/{conversation(alice)}/fork", body, status=400)
    assert problem["errors"][0]["pointer"] == "/through_index"


def test_a_reader_may_fork_what_is_shared_and_owns_the_fork(alice: Actor, bob: Actor, charlie: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "a")
    for other in (bob, charlie):
        Caller(other).post(f"/conversations/{talk}/fork", {"through_index": 0}, status=404)
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    fork = Caller(bob).post(f"/conversations/{talk}/fork", {"through_index": 0})
    assert fork["owner_id"] == str(bob.user_id)
    Caller(alice).get(f"/conversations/{fork['id']}", status=404)


def test_a_repeated_fork_is_one_fork(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "a")
    path = f"/conversations/{talk}/fork"
    forks = [Caller(alice).post(path, {"through_index": 0}, Idempotency_Key="f1")["id"] for _ in range(2)]
    assert forks[0] == forks[1]


def test_a_fork_of_no_message_starts_over_with_the_same_settings(alice: Actor) -> None:
    talk = conversation(alice, title="Trip", system_prompt="Be brief.")
    say(alice, talk, "a", "b")
    fork = Caller(alice).post(f"/conversations/{talk}/fork", {"through_index": None})
    assert (fork["copied_from"], fork["copied_through"], fork["message_count"]) == (str(talk), None, 0)
    assert fork["system_prompt"] == "Be brief."
