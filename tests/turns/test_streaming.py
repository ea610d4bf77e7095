"""A turn over a real server: the reply is streamed, stored, and there whatever becomes of its reader or its writer."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.llm.models import ModelUsage
from tests.compaction.work import check_invariants, work_off
from tests.conversations.talk import conversation, history
from tests.processes import Web, eventually, start_web
from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour
from tests.turns.streams import Talker, events, told

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def provider() -> Iterator[ProviderServer]:
    with running_server() as server:
        yield server


@pytest.fixture(scope="module")
def web(django_db_setup: None, provider: ProviderServer) -> Iterator[Web]:
    running = start_web(ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=provider.url)
    yield running
    running.stop()
    assert "turn.not_kept" not in running.log()


@pytest.fixture
def talker(web: Web, provider: ProviderServer, alice: Actor) -> Talker:
    provider.reset()
    return Talker(web, alice)


def reply_of(actor: Actor, talk: UUID) -> Message:
    return history(actor, talk)[-1]


def ended(actor: Actor, talk: UUID) -> tuple[str, str]:
    reply = reply_of(actor, talk)
    return reply.status, reply.error_code


def test_a_reply_is_streamed_stored_and_accounted_for(alice: Actor, talker: Talker) -> None:
    talk = conversation(alice, system_prompt="Be short.")
    stream = list(events(talker.turn(talk, "What did we decide?")))
    assert [name for name, _ in stream if name != "delta"] == ["started", "finished"]
    assert told(stream) == DEFAULT_TEXT == reply_of(alice, talk).content
    assert ended(alice, talk) == ("complete", "")
    with workspace(alice.workspace_id):
        usage = ModelUsage.objects.get(conversation_id=talk)
    assert (usage.purpose, usage.outcome, usage.source) == ("chat", "ok", "reported")
    check_invariants(alice, talk)


def test_the_model_sees_the_pack(alice: Actor, talker: Talker, provider: ProviderServer) -> None:
    talk = conversation(alice, system_prompt="Be short.")
    list(events(talker.turn(talk, "First.")))
    list(events(talker.turn(talk, "  Second, with  its spaces.\n")))
    body = provider.requests[-1].body
    assert "Be short." in str(body["system"])
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert "  Second, with  its spaces.\n" in str(body["messages"][-1]["content"]).encode().decode("unicode_escape")


def test_a_reader_that_goes_away_does_not_lose_the_reply(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    provider.script(Behaviour(piece_s=0.05))
    talk = conversation(alice)
    stream = events(talker.turn(talk, "Hello"))
    assert next(name for name, _ in stream if name == "delta")
    stream.close()  # type: ignore[attr-defined]  # a generator
    assert eventually(lambda: ended(alice, talk) == ("complete", ""))
    assert reply_of(alice, talk).content == DEFAULT_TEXT


@pytest.mark.parametrize(
    ("behaviour", "status", "code"),
    [
        (Behaviour("cut"), "partial", "cut"),
        (Behaviour("reset"), "partial", "cut"),
        (Behaviour("in_band", error_type="overloaded_error"), "partial", "overloaded"),
        (Behaviour("garbage"), "partial", "malformed"),
        (Behaviour("stall"), "partial", "timeout"),
        (Behaviour("hang"), "failed", "timeout"),
        (Behaviour("status", status=529, error_type="overloaded_error"), "failed", "overloaded"),
        (Behaviour("status", status=429, error_type="rate_limit_error"), "failed", "rate_limited"),
        (Behaviour("refusal", after=0), "failed", "refused"),
        (Behaviour("empty"), "failed", "malformed"),
    ],
    ids=lambda value: value.kind if isinstance(value, Behaviour) else None,
)
def test_what_goes_wrong_ends_the_turn_and_says_so(
    alice: Actor, talker: Talker, provider: ProviderServer, behaviour: Behaviour, status: str, code: str
) -> None:
    provider.script(behaviour)
    talk = conversation(alice)
    stream = list(events(talker.turn(talk, "Hello")))
    assert stream[-1][1]["reply"]["status"] == status
    assert ended(alice, talk) == (status, code)
    assert reply_of(alice, talk).content == told(stream)
    assert bool(told(stream)) == (status == "partial")
    check_invariants(alice, talk)


def test_a_failed_reply_is_tried_again_and_left_out(alice: Actor, talker: Talker, provider: ProviderServer) -> None:
    provider.script(Behaviour("cut"))
    talk = conversation(alice)
    list(events(talker.turn(talk, "Hello")))
    with talker.open("POST", f"/conversations/{talk}/turns/retry") as response:
        assert DEFAULT_TEXT.split()[0] in response.read().decode()
    assert [(row.role, row.status, row.excluded) for row in history(alice, talk)] == [
        ("user", "complete", False),
        ("assistant", "partial", True),
        ("assistant", "complete", False),
    ]
    assert len(provider.requests[-1].body["messages"]) == 1
    status, problem = talker.ask("POST", f"/conversations/{talk}/turns/retry")
    assert (status, problem["code"]) == (409, "reply_complete")
    check_invariants(alice, talk)


def test_stopping_keeps_what_there_is(alice: Actor, talker: Talker, provider: ProviderServer) -> None:
    provider.script(Behaviour(piece_s=0.2))
    talk = conversation(alice)
    stream = events(talker.turn(talk, "Hello"))
    next(name for name, _ in stream if name == "delta")
    status, _ = talker.ask("POST", f"/conversations/{talk}/turns/stop")
    assert status == 202
    assert list(stream)[-1][1]["reply"] | {"index": 1} == {
        "id": str(reply_of(alice, talk).id),
        "index": 1,
        "status": "partial",
        "error_code": "stopped",
    }
    assert DEFAULT_TEXT.startswith(reply_of(alice, talk).content)
    assert eventually(lambda: provider.open_streams == 0)
    assert talker.ask("POST", f"/conversations/{talk}/turns/stop")[0] == 409


def test_a_second_turn_at_once_is_refused_and_stores_nothing(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    provider.script(Behaviour(piece_s=0.1))
    talk = conversation(alice)
    stream = events(talker.turn(talk, "Hello"))
    next(stream)
    with talker.turn(talk, "Hello again") as refused:
        assert refused.status == 409
    list(stream)
    assert [row.content for row in history(alice, talk)] == ["Hello", DEFAULT_TEXT]


def test_somebody_else_may_follow_the_reply_from_its_beginning(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    provider.script(Behaviour(piece_s=0.1))
    talk = conversation(alice)
    stream = events(talker.turn(talk, "Hello"))
    next(name for name, _ in stream if name == "delta")
    assert told(list(events(talker.open("GET", f"/conversations/{talk}/turns/current")))) == DEFAULT_TEXT
    list(stream)


def test_a_message_of_thirty_thousand_tokens_is_answered(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    talk = conversation(alice)
    paste = "word " * 24_000
    list(events(talker.turn(talk, paste)))
    assert ended(alice, talk) == ("complete", "")
    assert paste in str(provider.requests[-1].body["messages"][-1]["content"])
    status, problem = talker.ask("POST", f"/conversations/{talk}/turns", {"content": paste, "token_budget": 1_000})
    assert (status, problem["code"]) == (422, "budget_exceeded")
    assert len(history(alice, talk)) == 2


def test_charlie_cannot_talk_in_it(alice: Actor, charlie: Actor, web: Web) -> None:
    talk = conversation(alice)
    with Talker(web, charlie).turn(talk, "Let me in") as refused:
        assert refused.status == 404
    assert not history(alice, talk)


def test_a_killed_server_leaves_a_partial_reply(alice: Actor, provider: ProviderServer) -> None:
    provider.reset()
    provider.script(Behaviour(piece_s=0.3))
    talk = conversation(alice)
    web = start_web(ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=provider.url)
    try:
        stream = events(Talker(web, alice).turn(talk, "Hello"))
        next(name for name, _ in stream if name == "delta")
        assert eventually(lambda: bool(reply_of(alice, talk).content))
        web.kill9()
        stream.close()  # type: ignore[attr-defined]  # a generator
    finally:
        web.stop()
    assert ended(alice, talk) == ("streaming", "")
    assert eventually(lambda: work_off() >= 0 and ended(alice, talk) == ("partial", "interrupted"))
    assert DEFAULT_TEXT.startswith(reply_of(alice, talk).content)
    check_invariants(alice, talk)
