"""A message that is posted twice, as after a lost connection, is stored once, and so is its reply."""

from __future__ import annotations

import http.client
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from tests.compaction.runs import check_invariants
from tests.conversations.long_conversations import conversation, history, say
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour
from tests.turns.streams import Event, Talker, ended, events, told

pytestmark = pytest.mark.django_db(transaction=True)


def post(talker: Talker, talk: UUID, **more: str) -> http.client.HTTPResponse:
    return talker.turn(talk, "Hello", **{"external_id": "one", **more})


def check(stream: list[Event], actor: Actor, talk: UUID, *, said: int = 0, reply: int = 1) -> None:
    """Check that the stream has one message and one reply, as they are stored."""
    rows = history(actor, talk)
    names = [name for name, _ in stream]
    place = {"id": str(rows[reply].id), "index": reply}
    assert (names[0], names[-1]) == ("started", "finished")
    assert stream[0][1]["message"]["id"] == str(rows[said].id)
    assert stream[0][1]["reply"] == place
    end = stream[-1][1]["reply"]
    assert end == {**place, "status": rows[reply].status, "error_code": rows[reply].error_code, "detail": end["detail"]}
    assert bool(end["detail"]) == bool(rows[reply].error_code)
    assert told(stream) == rows[reply].content
    check_invariants(actor, talk)


def test_while_the_reply_is_written_it_is_followed_from_its_beginning(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    provider.script(Behaviour(piece_s=0.1))
    talk = conversation(alice)
    first = events(post(talker, talk))
    heard = [next(first) for _ in range(3)]
    again = list(events(post(talker, talk)))
    check(heard + list(first), alice, talk)
    check(again, alice, talk)
    assert (len(history(alice, talk)), len(provider.requests)) == (2, 1)


@pytest.mark.parametrize(
    ("behaviour", "end"),
    [
        (Behaviour(), ("complete", "")),
        (Behaviour("cut"), ("partial", "cut")),
        (Behaviour("refusal", after=0), ("failed", "refused")),
    ],
    ids=lambda value: value.kind if isinstance(value, Behaviour) else None,
)
def test_a_stored_reply_is_replayed_with_its_ending(
    alice: Actor, talker: Talker, provider: ProviderServer, behaviour: Behaviour, end: tuple[str, str]
) -> None:
    provider.script(behaviour)
    talk = conversation(alice)
    list(events(post(talker, talk)))
    list(events(talker.turn(talk, "And another")))
    stream = list(events(post(talker, talk)))
    check(stream, alice, talk)
    assert [name for name, _ in stream].count("delta") == (end[0] != "failed")
    assert (history(alice, talk)[1].status, history(alice, talk)[1].error_code) == end
    assert (len(history(alice, talk)), len(provider.requests)) == (4, 2)


def test_after_a_retry_the_newer_reply_is_replayed(alice: Actor, talker: Talker, provider: ProviderServer) -> None:
    provider.script(Behaviour("cut"))
    talk = conversation(alice)
    list(events(post(talker, talk)))
    list(events(talker.open("POST", f"/conversations/{talk}/turns/retry")))
    check(list(events(post(talker, talk))), alice, talk, reply=2)
    assert len(provider.requests) == 2


def test_a_stored_message_without_a_reply_is_answered_if_it_is_the_newest(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    talk = conversation(alice)
    body = {"messages": [{"role": "user", "content": "Hello", "external_id": "one"}]}
    assert talker.ask("POST", f"/conversations/{talk}/messages", body)[0] == 201
    check(list(events(post(talker, talk))), alice, talk)
    assert ended(alice, talk) == ("complete", "")
    body["messages"][0]["external_id"] = "two"
    assert talker.ask("POST", f"/conversations/{talk}/messages", body)[0] == 201
    say(alice, talk, "Something else", role="user")
    with post(talker, talk, external_id="two") as refused:
        assert refused.status == 409
        assert b"not_the_newest" in refused.read()
    assert len(history(alice, talk)) == 4
    assert history(alice, talk)[1].content == DEFAULT_TEXT


def test_another_message_is_refused_while_a_reply_is_written(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    provider.script(Behaviour(), Behaviour(piece_s=0.1))
    talk = conversation(alice)
    first = list(events(post(talker, talk)))
    running = events(post(talker, talk, external_id="two"))
    next(running)
    with post(talker, talk, external_id="three") as refused:
        assert (refused.status, b"turn_running" in refused.read()) == (409, True)
    assert list(events(post(talker, talk)))[-1] == first[-1]
    list(running)


def test_a_name_that_another_s_message_has_is_refused(alice: Actor, talker: Talker) -> None:
    talk = conversation(alice)
    body = {"messages": [{"role": "assistant", "content": "Hello", "external_id": "one"}]}
    assert talker.ask("POST", f"/conversations/{talk}/messages", body)[0] == 201
    with post(talker, talk) as refused:
        assert (refused.status, b"external_id_taken" in refused.read()) == (409, True)
