"""Compaction under realistic load: bursts, agent loops, pastes, and replies streaming concurrently."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from threading import Event
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.services.embedded_queries import query_embed
from apps.context.services.packs import context_pack
from apps.conversations.records import MessageDraft
from apps.engine.messages.message import Part, PartKind
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_anthropic
from apps.jobs.models import DueJob
from apps.turns.services.messages import messages_store
from tests.compaction.runs import check_invariants, run_due_jobs, runs_of, without_debounce
from tests.conversations.long_conversations import conversation, history, long_talk, row_of, say
from tests.processes import Running, Web, eventually, start_dispatcher, start_web, start_worker
from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.behaviours import Behaviour
from tests.turns.streams import Talker, events

pytestmark = pytest.mark.django_db(transaction=True)

DECISION = "We decided to keep the catalogue in PostgreSQL because it must stay consistent. " * 15
PASTE = "word " * 24_000
BUDGET = 8_000


@pytest.fixture(scope="module")
def provider() -> Iterator[ProviderServer]:
    with running_server() as server:
        yield server


@pytest.fixture(scope="module")
def web(django_db_setup: None, provider: ProviderServer) -> Iterator[Web]:
    no_debounce = json.dumps({"compaction_debounce_s": 0})
    running = start_web(CONTINUITY_POLICY=no_debounce, ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=provider.url)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def worker(django_db_setup: None, provider: ProviderServer) -> Iterator[Running]:
    no_extraction = json.dumps({"extraction_enabled": False})
    running = start_worker(
        CONTINUITY_POLICY=no_extraction, ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=provider.url
    )
    yield running
    running.stop()


@pytest.fixture
def processing(worker: Running) -> Iterator[None]:
    """Run a worker and a dispatcher that sends it due jobs."""
    dispatcher = start_dispatcher()
    yield
    dispatcher.stop()


@pytest.fixture
def talker(web: Web, provider: ProviderServer, alice: Actor) -> Talker:
    provider.reset()
    return Talker(web, alice)


def pack_of(actor: Actor, conversation_id: UUID, budget: int = BUDGET) -> ContextPack:
    embedded = query_embed(actor, conversation_id)
    with workspace(actor.workspace_id):
        return context_pack(actor, conversation_id, budget, embedded_query=embedded)[0].pack


def check_pack(actor: Actor, conversation_id: UUID, budget: int = BUDGET) -> None:
    """Assert that the pack fits its budget, that roles alternate and that every call precedes its result."""
    pack = pack_of(actor, conversation_id, budget)
    assert 0 < pack.total_tokens <= budget
    messages = render_anthropic(pack)["messages"]
    assert messages[0]["role"] == "user"
    assert all(message["role"] != following["role"] for message, following in pairwise(messages))
    called = [of_type(message, "tool_use", "id") for message in messages]
    answered = [of_type(message, "tool_result", "tool_use_id") for message in messages]
    assert [set(), *called] == [*answered, set()]


def of_type(message: dict[str, Any], kind: str, name: str) -> set[str]:
    return {block[name] for block in message["content"] if block["type"] == kind}


def succeeded(actor: Actor, conversation_id: UUID) -> bool:
    return [run.state for run in runs_of(actor, conversation_id)] == ["succeeded"]


@pytest.mark.slow("it stores and compacts a long burst")
def test_a_burst_schedules_one_compaction_within_thirty_seconds(alice: Actor) -> None:
    conversation_id = conversation(alice)
    started = timezone.now()
    for _ in range(60):
        say(alice, conversation_id, DECISION)
    job = DueJob.objects.get(kind="compaction", key=str(conversation_id))
    assert job.generation > 20
    assert job.due_at <= job.deadline_at <= timezone.now() + timedelta(seconds=30)
    assert job.due_at - started > timedelta(seconds=5)
    DueJob.objects.exclude(kind="compaction").delete()
    assert run_due_jobs() == 0
    DueJob.objects.filter(kind="compaction").update(due_at=timezone.now())
    assert run_due_jobs() == 1
    assert succeeded(alice, conversation_id)
    assert not DueJob.objects.filter(kind="compaction").exists()
    check_invariants(alice, conversation_id)
    check_pack(alice, conversation_id)


def test_a_burst_is_compacted_once_after_it_ends(alice: Actor, settings: Settings, processing: None) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, compaction_debounce_s=1.5)
    conversation_id = conversation(alice)
    for _ in range(60):
        say(alice, conversation_id, DECISION)
    assert runs_of(alice, conversation_id) == []
    assert eventually(lambda: succeeded(alice, conversation_id), 30)
    assert row_of(alice, conversation_id).live_tokens < BUDGET
    check_invariants(alice, conversation_id)


def test_messages_without_a_pause_do_not_postpone_compaction_forever(
    alice: Actor, settings: Settings, processing: None
) -> None:
    waits = {"compaction_debounce_s": 1.5, "compaction_max_wait_s": 3}
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, **waits)
    conversation_id = long_talk(alice, messages=30)

    def compacted_after_another_message() -> bool:
        say(alice, conversation_id, "And another thing.")
        return any(run.state == "succeeded" for run in runs_of(alice, conversation_id))

    assert eventually(compacted_after_another_message, 15)
    check_invariants(alice, conversation_id)


def agent_step(number: int) -> list[MessageDraft]:
    """Messages of one agent loop step: a reply that calls a tool, and the tool's result."""
    call, output = f"call_{number}", f"File {number}: " + "def handler(request): return answer " * 40
    tool_call = Part(PartKind.TOOL_CALL, text=json.dumps({"path": f"app/{number}.py"}), call_id=call, name="read_file")
    tool_result = Part(PartKind.TOOL_RESULT, text=output, call_id=call, name="read_file", summary=f"file {number}")
    return [
        MessageDraft("assistant", f"Next I read app/{number}.py.", parts=(tool_call,)),
        MessageDraft("tool", "", parts=(tool_result,)),
    ]


@pytest.mark.slow("it compacts after two hundred messages")
def test_an_agent_loop_of_two_hundred_messages_never_separates_a_call_from_its_result(
    alice: Actor, settings: Settings
) -> None:
    without_debounce(settings)
    conversation_id = conversation(alice)
    say(alice, conversation_id, "Read every file and tell me which handlers are slow.")
    for number in range(100):
        # Some compactions run between a call and its result.
        for draft in agent_step(number):
            with workspace(alice.workspace_id):
                messages_store(alice, conversation_id=conversation_id, drafts=[draft])
            if number % 7 == 0:
                run_due_jobs()
                check_pairs(alice, conversation_id)
                check_pack(alice, conversation_id)
    run_due_jobs()
    runs = runs_of(alice, conversation_id)
    assert len(runs) > 3
    assert {run.state for run in runs} == {"succeeded"}
    assert row_of(alice, conversation_id).live_tokens < BUDGET
    check_pairs(alice, conversation_id)
    check_pack(alice, conversation_id)
    check_invariants(alice, conversation_id)


def check_pairs(actor: Actor, conversation_id: UUID) -> None:
    """Assert that a call and its result are compacted by the same version, or that both are live."""
    versions: dict[str, set[int | None]] = {}
    for row in history(actor, conversation_id):
        for part in row.parts:
            versions.setdefault(part["call_id"], set()).add(row.compacted_in)
    assert all(len(compacted_in) == 1 for compacted_in in versions.values())


def test_a_paste_of_thirty_thousand_tokens_is_compacted_like_any_message(alice: Actor, settings: Settings) -> None:
    without_debounce(settings)
    conversation_id = long_talk(alice, messages=12)
    say(alice, conversation_id, PASTE)
    assert row_of(alice, conversation_id).live_tokens == 12 * 300 + 2_000
    check_pack(alice, conversation_id, budget=40_000)
    say(alice, conversation_id, DECISION)
    check_pack(alice, conversation_id)
    say(alice, conversation_id, *[DECISION] * 24)
    run_due_jobs()
    assert succeeded(alice, conversation_id)
    assert history(alice, conversation_id)[12].compacted_in == 1
    check_pack(alice, conversation_id)
    check_invariants(alice, conversation_id)


def test_a_turn_with_a_paste_is_answered_and_compacted_later(
    alice: Actor, talker: Talker, provider: ProviderServer, processing: None
) -> None:
    conversation_id = long_talk(alice, messages=28)
    assert reply_status(list(events(talker.turn(conversation_id, PASTE)))) == "complete"
    chat = [request.body for request in provider.requests if "output_config" not in request.body]
    assert PASTE in str(chat[-1]["messages"][-1]["content"])
    assert eventually(lambda: succeeded(alice, conversation_id), 30)
    check_pack(alice, conversation_id, budget=40_000)
    check_invariants(alice, conversation_id)


def test_a_conversation_of_twelve_huge_messages_is_answered_and_compacted(
    alice: Actor, talker: Talker, processing: None
) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, *[f"Part {place}. " + "word " * 7_200 for place in range(12)])
    assert reply_status(list(events(talker.turn(conversation_id, "Now tell me what matters.")))) == "complete"
    assert eventually(lambda: row_of(alice, conversation_id).live_tokens < 9_000, 30)
    assert {run.state for run in runs_of(alice, conversation_id)} == {"succeeded"}
    check_pack(alice, conversation_id, budget=12_000)
    check_invariants(alice, conversation_id)


def reply_status(stream: list[tuple[str, dict[str, Any]]]) -> str:
    status: str = stream[-1][1]["reply"]["status"]
    return status


def test_a_compaction_waits_until_the_reply_ends(
    alice: Actor, talker: Talker, provider: ProviderServer, processing: None
) -> None:
    provider.script(Behaviour(piece_s=0.5))
    conversation_id = long_talk(alice, messages=30)
    stream = events(talker.turn(conversation_id, "Hello"))
    next(stream)
    DueJob.objects.filter(kind="compaction").update(due_at=timezone.now())
    for _ in stream:
        runs = runs_of(alice, conversation_id)
        # A slow reader sees the last pieces after the reply has ended.
        assert runs == [] or row_of(alice, conversation_id).turn_reply is None
    assert eventually(lambda: succeeded(alice, conversation_id), 30)
    assert [row.compacted_in for row in history(alice, conversation_id)[-2:]] == [None, None]
    check_invariants(alice, conversation_id)


def test_a_slow_compaction_delays_no_reply(
    alice: Actor, talker: Talker, provider: ProviderServer, processing: None
) -> None:
    replied = Event()
    provider.gate = replied.is_set
    provider.script(Behaviour(held=True))
    conversation_id = long_talk(alice, messages=30)
    DueJob.objects.filter(kind="compaction").update(due_at=timezone.now())
    assert eventually(lambda: len(provider.requests) == 1, 30)
    assert reply_status(list(events(talker.turn(conversation_id, "Hello")))) == "complete"
    assert [run.state for run in runs_of(alice, conversation_id)] == ["running"]
    replied.set()
    assert eventually(lambda: succeeded(alice, conversation_id), 30)
    assert [row.compacted_in for row in history(alice, conversation_id)[-2:]] == [None, None]
    assert runs_of(alice, conversation_id)[0].model != "offline"
    check_invariants(alice, conversation_id)
