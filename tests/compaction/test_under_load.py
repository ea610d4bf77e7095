"""Compaction as life brings it: bursts, agents' loops, pastes, and replies that are being written meanwhile."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.services.packs import context_pack
from apps.conversations.records import MessageDraft
from apps.engine.messages.message import Part, PartKind
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_anthropic
from apps.jobs.models import DueJob
from apps.turns.services.messages import messages_store
from tests.compaction.work import at_once, check_invariants, runs_of, work_off
from tests.conversations.talk import conversation, history, long_talk, row_of, say
from tests.processes import Running, Web, eventually, start_dispatcher, start_web, start_worker
from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.behaviours import Behaviour
from tests.turns.streams import Talker, events

pytestmark = pytest.mark.django_db(transaction=True)

SAID = "We decided to keep the catalogue in PostgreSQL because it must stay consistent. " * 15
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
    running = start_worker(ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=provider.url)
    yield running
    running.stop()


@pytest.fixture
def at_work(worker: Running) -> Iterator[None]:
    """A worker, and a dispatcher that gives it what is due."""
    dispatcher = start_dispatcher()
    yield
    dispatcher.stop()


@pytest.fixture
def talker(web: Web, provider: ProviderServer, alice: Actor) -> Talker:
    provider.reset()
    return Talker(web, alice)


def pack_of(actor: Actor, talk: UUID, budget: int = BUDGET) -> ContextPack:
    with workspace(actor.workspace_id):
        return context_pack(actor, talk, budget)[0].pack


def check_pack(actor: Actor, talk: UUID, budget: int = BUDGET) -> None:
    """Within its budget, and in the model's words roles alternate and every call stands before its result."""
    pack = pack_of(actor, talk, budget)
    assert 0 < pack.total_tokens <= budget
    messages = render_anthropic(pack)["messages"]
    assert messages[0]["role"] == "user"
    assert all(one["role"] != other["role"] for one, other in pairwise(messages))
    asked = [of_type(message, "tool_use", "id") for message in messages]
    answered = [of_type(message, "tool_result", "tool_use_id") for message in messages]
    assert [set(), *asked] == [*answered, set()]


def of_type(message: dict[str, Any], kind: str, name: str) -> set[str]:
    return {block[name] for block in message["content"] if block["type"] == kind}


def succeeded(actor: Actor, talk: UUID) -> bool:
    return [run.state for run in runs_of(actor, talk)] == ["succeeded"]


def test_a_burst_makes_one_compaction_due_within_thirty_seconds(alice: Actor) -> None:
    talk = conversation(alice)
    began = timezone.now()
    for _ in range(60):
        say(alice, talk, SAID)
    job = DueJob.objects.get(kind="compaction", key=str(talk))
    assert job.generation > 20
    assert job.due_at <= job.deadline_at <= timezone.now() + timedelta(seconds=30)
    assert job.due_at - began > timedelta(seconds=5)
    DueJob.objects.exclude(kind="compaction").delete()
    assert work_off() == 0
    DueJob.objects.filter(kind="compaction").update(due_at=timezone.now())
    assert work_off() == 1
    assert succeeded(alice, talk)
    assert not DueJob.objects.filter(kind="compaction").exists()
    check_invariants(alice, talk)
    check_pack(alice, talk)


def test_a_burst_is_folded_once_when_it_is_over(alice: Actor, settings: Settings, at_work: None) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, compaction_debounce_s=1.5)
    talk = conversation(alice)
    for _ in range(60):
        say(alice, talk, SAID)
    assert runs_of(alice, talk) == []
    assert eventually(lambda: succeeded(alice, talk), 30)
    assert row_of(alice, talk).live_tokens < BUDGET
    check_invariants(alice, talk)


def test_talk_without_a_pause_does_not_put_it_off_for_ever(alice: Actor, settings: Settings, at_work: None) -> None:
    waits = {"compaction_debounce_s": 1.5, "compaction_max_wait_s": 3}
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, **waits)
    talk = long_talk(alice, messages=30)

    def still_talking() -> bool:
        say(alice, talk, "And another thing.")
        return any(run.state == "succeeded" for run in runs_of(alice, talk))

    assert eventually(still_talking, 15)
    check_invariants(alice, talk)


def agent_step(number: int) -> list[MessageDraft]:
    """What one step of an agent's loop leaves: a reply that calls a tool, and the tool's result."""
    call, output = f"call_{number}", f"File {number}: " + "def handler(request): return answer " * 40
    asks = Part(PartKind.TOOL_CALL, text=json.dumps({"path": f"app/{number}.py"}), call_id=call, name="read_file")
    tells = Part(PartKind.TOOL_RESULT, text=output, call_id=call, name="read_file", summary=f"file {number}")
    return [
        MessageDraft("assistant", f"Next I read app/{number}.py.", parts=(asks,)),
        MessageDraft("tool", "", parts=(tells,)),
    ]


def test_an_agents_loop_of_two_hundred_messages_never_parts_a_call_from_its_result(
    alice: Actor, settings: Settings
) -> None:
    at_once(settings)
    talk = conversation(alice)
    say(alice, talk, "Read every file and tell me which handlers are slow.")
    for number in range(100):
        # Sometimes a compaction comes between the call and its result.
        for draft in agent_step(number):
            with workspace(alice.workspace_id):
                messages_store(alice, conversation_id=talk, drafts=[draft])
            if number % 7 == 0:
                work_off()
                check_pairs(alice, talk)
                check_pack(alice, talk)
    work_off()
    runs = runs_of(alice, talk)
    assert len(runs) > 3
    assert {run.state for run in runs} == {"succeeded"}
    assert row_of(alice, talk).live_tokens < BUDGET
    check_pairs(alice, talk)
    check_pack(alice, talk)
    check_invariants(alice, talk)


def check_pairs(actor: Actor, talk: UUID) -> None:
    """A call and its result are folded by the same version, or both are live."""
    versions: dict[str, set[int | None]] = {}
    for row in history(actor, talk):
        for part in row.parts:
            versions.setdefault(part["call_id"], set()).add(row.compacted_in)
    assert all(len(folded_in) == 1 for folded_in in versions.values())


def test_a_paste_of_thirty_thousand_tokens_is_folded_like_another_message(alice: Actor, settings: Settings) -> None:
    at_once(settings)
    talk = long_talk(alice, messages=12)
    say(alice, talk, PASTE)
    assert row_of(alice, talk).live_tokens == 12 * 300 + 2_000
    check_pack(alice, talk, budget=40_000)
    say(alice, talk, SAID)
    check_pack(alice, talk)
    say(alice, talk, *[SAID] * 24)
    work_off()
    assert succeeded(alice, talk)
    assert history(alice, talk)[12].compacted_in == 1
    check_pack(alice, talk)
    check_invariants(alice, talk)


def test_a_turn_with_a_paste_is_answered_and_folded_later(
    alice: Actor, talker: Talker, provider: ProviderServer, at_work: None
) -> None:
    talk = long_talk(alice, messages=28)
    assert finished(list(events(talker.turn(talk, PASTE)))) == "complete"
    chat = [request.body for request in provider.requests if "output_config" not in request.body]
    assert PASTE in str(chat[-1]["messages"][-1]["content"])
    assert eventually(lambda: succeeded(alice, talk), 30)
    check_pack(alice, talk, budget=40_000)
    check_invariants(alice, talk)


def test_twelve_messages_of_nine_thousand_tokens_are_answered_and_folded(
    alice: Actor, talker: Talker, at_work: None
) -> None:
    talk = conversation(alice)
    say(alice, talk, *[f"Part {place}. " + "word " * 7_200 for place in range(12)])
    assert finished(list(events(talker.turn(talk, "Now tell me what matters.")))) == "complete"
    assert eventually(lambda: row_of(alice, talk).live_tokens < 9_000, 30)
    assert {run.state for run in runs_of(alice, talk)} == {"succeeded"}
    check_pack(alice, talk, budget=12_000)
    check_invariants(alice, talk)


def finished(stream: list[tuple[str, dict[str, Any]]]) -> str:
    status: str = stream[-1][1]["reply"]["status"]
    return status


def test_a_compaction_waits_for_the_end_of_the_reply(
    alice: Actor, talker: Talker, provider: ProviderServer, at_work: None
) -> None:
    provider.script(Behaviour(piece_s=0.5))
    talk = long_talk(alice, messages=30)
    stream = events(talker.turn(talk, "Hello"))
    next(stream)
    DueJob.objects.filter(kind="compaction").update(due_at=timezone.now())
    for _ in stream:
        assert runs_of(alice, talk) == []
    assert eventually(lambda: succeeded(alice, talk), 30)
    assert [row.compacted_in for row in history(alice, talk)[-2:]] == [None, None]
    check_invariants(alice, talk)


def test_a_compaction_that_takes_its_time_delays_no_reply(
    alice: Actor, talker: Talker, provider: ProviderServer, at_work: None
) -> None:
    provider.script(Behaviour(first_byte_s=6))
    talk = long_talk(alice, messages=30)
    DueJob.objects.filter(kind="compaction").update(due_at=timezone.now())
    assert eventually(lambda: len(provider.requests) == 1, 30)
    began = time.monotonic()
    assert finished(list(events(talker.turn(talk, "Hello")))) == "complete"
    assert time.monotonic() - began < 3
    assert [run.state for run in runs_of(alice, talk)] == ["running"]
    assert eventually(lambda: succeeded(alice, talk), 30)
    assert [row.compacted_in for row in history(alice, talk)[-2:]] == [None, None]
    assert runs_of(alice, talk)[0].model != "offline"
    check_invariants(alice, talk)
