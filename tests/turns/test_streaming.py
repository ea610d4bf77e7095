"""A turn over a real server: the reply is streamed and stored, even if its reader or its writer dies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.selectors.messages import message_get
from apps.llm.models import ModelUsage
from apps.memory.models import MemAccess
from tests.api.callers import at_once
from tests.compaction.runs import check_invariants, run_due_jobs
from tests.conversations.long_conversations import conversation, history
from tests.memory.recall import remember
from tests.processes import Web, eventually, start_web
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour
from tests.turns.streams import Event, Talker, ended, events, reply_of, told

pytestmark = pytest.mark.django_db(transaction=True)

LONG_TEXT = " ".join([DEFAULT_TEXT] * 20)
SAID = ("First.", "Second.")


@pytest.fixture(scope="module", autouse=True)
def all_is_kept(web: Web) -> Iterator[None]:
    yield
    assert "turn.not_" not in web.log()


def test_a_reply_is_streamed_stored_and_accounted_for(alice: Actor, talker: Talker) -> None:
    talk = conversation(alice, system_prompt="Be short.")
    stream = list(events(talker.turn(talk, "What did we decide?")))
    assert [name for name, _ in stream if name != "delta"] == ["started", "finished"]
    assert told(stream) == DEFAULT_TEXT == reply_of(alice, talk).content
    assert ended(alice, talk) == ("complete", "")
    with workspace(alice.workspace_id):
        usage = ModelUsage.objects.get(conversation_id=talk)
        reply = message_get(alice, talk, usage.message_id)
    assert (usage.purpose, usage.outcome, usage.source) == ("chat", "ok", "reported")
    assert reply.role == "assistant" and reply.usage is not None
    assert (reply.usage.output_tokens, reply.usage.source) == (usage.output_tokens, "reported")
    check_invariants(alice, talk)


def test_the_model_sees_the_pack(alice: Actor, talker: Talker, provider: ProviderServer) -> None:
    talk = conversation(alice, system_prompt="Be short.")
    list(events(talker.turn(talk, "First.")))
    list(events(talker.turn(talk, "  Second, with  its spaces.\n")))
    body = provider.requests[-1].body
    assert "Be short." in str(body["system"])
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert "  Second, with  its spaces.\n" in str(body["messages"][-1]["content"]).encode().decode("unicode_escape")


def test_the_first_event_describes_the_pack(alice: Actor, talker: Talker) -> None:
    talk = conversation(alice, system_prompt="Be short.")
    (first, *_), (second, *_) = ([data.get("pack") for _, data in events(talker.turn(talk, said))] for said in SAID)
    assert (first["strategy"], first["epoch"]["number"], first["stability"]) == ("full", 1, None)
    assert second["epoch"] == {**first["epoch"], "is_new": False}
    assert second["stability"]["same"] == second["stability"]["previous"] > 0
    assert first["pack_tokens"] <= first["budget"]


@pytest.mark.parametrize(
    ("behaviour", "status", "noted"),
    [
        (Behaviour(), "complete", 1),
        (Behaviour("cut"), "partial", 1),
        (Behaviour("status", status=529, error_type="overloaded_error"), "failed", 0),
    ],
    ids=lambda value: value.kind if isinstance(value, Behaviour) else None,
)
def test_memories_in_a_pack_count_as_accessed_once_there_is_a_reply(
    alice: Actor, talker: Talker, provider: ProviderServer, behaviour: Behaviour, status: str, noted: int
) -> None:
    provider.script(behaviour)
    key = remember(alice, "mem://user/events/house", "The spare key lies under the blue flowerpot.")
    talk = conversation(alice)
    list(events(talker.turn(talk, "Where does the spare key lie?")))
    assert key.content in str(provider.requests[-1].body["messages"])
    assert ended(alice, talk)[0] == status
    with workspace(alice.workspace_id):
        assert list(MemAccess.objects.values_list("node_id", flat=True)) == [key.id] * noted


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
def test_an_error_ends_the_turn_and_is_reported(
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


@pytest.mark.parametrize(("kind", "more"), [("nul", ""), ("halves", "😀")])
def test_characters_that_cannot_be_stored_are_removed_from_the_reply(
    alice: Actor, talker: Talker, provider: ProviderServer, kind: str, more: str
) -> None:
    provider.script(Behaviour(kind))
    talk = conversation(alice)
    stream = list(events(talker.turn(talk, "Hello")))
    assert told(stream) == reply_of(alice, talk).content == DEFAULT_TEXT + more
    assert ended(alice, talk) == ("complete", "")
    check_invariants(alice, talk)


def test_a_reply_beyond_the_length_limit_is_partial_with_the_reason(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    provider.script(Behaviour(stop_reason="max_tokens"))
    talk = conversation(alice)
    stream = list(events(talker.turn(talk, "Hello")))
    reply = {"id": str(reply_of(alice, talk).id), "index": 1, "status": "partial", "error_code": "max_tokens"}
    assert stream[-1] == ("finished", {"reply": {**reply, "detail": ""}})
    assert ended(alice, talk) == ("partial", "max_tokens")
    with workspace(alice.workspace_id):
        assert ModelUsage.objects.get(conversation_id=talk).outcome == "ok"
    list(events(talker.turn(talk, "Go on")))
    assert DEFAULT_TEXT in str(provider.requests[-1].body["messages"])


def test_a_retry_excludes_the_failed_reply(alice: Actor, talker: Talker, provider: ProviderServer) -> None:
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


def test_of_two_turns_at_once_one_is_answered_and_the_other_stores_nothing(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    provider.usual = Behaviour(piece_s=0.1)
    talk = conversation(alice)

    def turn() -> tuple[int, list[Event]]:
        with talker.turn(talk, "Hello") as response:
            return response.status, list(events(response)) if response.status == 200 else []

    (_, stream), (refused, _) = sorted(at_once(turn, times=2), key=lambda result: result[0])
    assert (refused, told(stream)) == (409, DEFAULT_TEXT)
    assert [row.content for row in history(alice, talk)] == ["Hello", DEFAULT_TEXT]
    assert len(provider.requests) == 1
    check_invariants(alice, talk)


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
    status, problem = talker.ask("POST", f"/conversations/{talk}/turns", {"content": "Hello", "token_budget": 500_000})
    assert (status, problem["code"], problem["largest_budget"]) == (422, "budget_beyond_window", 191_808)
    assert len(history(alice, talk)) == 2


def test_charlie_cannot_write_in_it(alice: Actor, charlie: Actor, web: Web) -> None:
    talk = conversation(alice)
    with Talker(web, charlie).turn(talk, "Let me in") as refused:
        assert refused.status == 404
    assert not history(alice, talk)


def test_a_killed_server_leaves_a_partial_reply(alice: Actor, provider: ProviderServer) -> None:
    provider.reset()
    provider.script(Behaviour(text=LONG_TEXT, piece_s=0.3))
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
    assert eventually(lambda: run_due_jobs() >= 0 and ended(alice, talk) == ("partial", "interrupted"))
    assert LONG_TEXT.startswith(reply_of(alice, talk).content)
    check_invariants(alice, talk)
