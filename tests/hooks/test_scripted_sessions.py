"""A whole session of each client: what it leaves behind, and what the next one is given."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.selectors.session_archives import OBSERVATIONS, SUMMARY, archive_address
from apps.conversations.models import Conversation, Message
from apps.conversations.records import engine_messages
from apps.engine.messages.agent_text import MEMORY_TAG
from apps.engine.messages.tool_exchanges import exchanges
from apps.hooks.dialects.registry import CLIENTS
from apps.hooks.models import AgentSession, Observation
from apps.jobs.models import DueJob
from apps.memory.models import MemNode
from apps.memory.selectors.nodes import sources_of
from tests.compaction.runs import check_invariants, run_due_jobs
from tests.hooks.agents import Agent, messages_of, observations_of, session_of, sessions_of
from tests.hooks.scripts import PROMPTS, REPLIES, script_of, start_of
from tests.hooks.scripts import SUMMARY as AGENTS_SUMMARY

pytestmark = pytest.mark.django_db(transaction=True)


def run_jobs_now() -> None:
    DueJob.objects.exclude(kind="agent_session_end").update(due_at=timezone.now())
    run_due_jobs()


def rows_of(actor: Actor) -> Any:
    """What is stored, without ids, places and times of storing."""
    with workspace(actor.workspace_id):
        messages = Message.objects.values_list("role", "content", "parts", "external_id", "created_at")
        observations = Observation.objects.values_list(
            *("kind", "event_key", "tool_name", "title", "digest", "files", "is_error", "agent_id", "occurred_at")
        )
        sessions = AgentSession.objects.values_list(
            *("client", "client_session_id", "project", "model", "started_at", "last_event_at"),
            *("ended_at", "end_reason", "prompt_count", "tool_count"),
        )
        return [sorted(map(repr, rows)) for rows in (messages, observations, sessions)]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_session_leaves_messages_observations_archives_and_memories(client: str, alice: Actor) -> None:
    agent, script = Agent(alice, client), script_of(client)
    for payload in script.events:
        agent.send(payload)
    session = session_of(alice)
    assert (session.prompt_count, session.tool_count) == (5, 30)
    assert (session.ended_at is not None) == script.ends

    messages = messages_of(alice)
    assert [one.content for one in messages if one.role == "user"] == list(PROMPTS)
    assert [one.content for one in messages if one.role == "assistant" and one.content] == list(REPLIES)[
        : script.replies
    ]
    assert len(messages) == 5 + 60 + script.replies
    pairs = [group for group in exchanges(engine_messages(messages)) if len(group) > 1]
    assert len(pairs) == 30
    assert all(group[0].calls == group[1].results for group in pairs)
    assert sum(one.kind in ("tool", "tool_failure") for one in observations_of(alice)) == 30
    check_invariants(alice, session.conversation_id)

    run_jobs_now()
    with workspace(alice.workspace_id):
        archives = {name: archive_address(session.conversation_id, name).text for name in (SUMMARY, OBSERVATIONS)}
        texts = {name: MemNode.objects.get(uri=uri).l2_content for name, uri in archives.items()}
        assert "Decimal" in texts[SUMMARY]
        assert "30" in texts[OBSERVATIONS]
        memories = MemNode.objects.filter(node_type="leaf").exclude(uri__startswith="mem://sessions/")
        with_porto = [row for row in memories if "Porto" in row.l2_content]
        assert with_porto
        prompts = {str(one.id) for one in messages if one.role == "user"}
        assert {one.reference for one in sources_of([with_porto[0].id])[with_porto[0].id]} <= prompts


@pytest.mark.parametrize("client", CLIENTS)
def test_the_next_session_is_given_what_the_first_one_taught(client: str, alice: Actor) -> None:
    agent = Agent(alice, client)
    for payload in script_of(client).events:
        agent.send(payload)
    run_jobs_now()
    answer = agent.send(start_of(client, "session-2"))
    assert "Porto" in repr(answer)
    assert f"<{MEMORY_TAG}>" in repr(answer)
    assert len(sessions_of(alice)) == 2


def test_a_compaction_is_compared_with_what_was_decided(alice: Actor) -> None:
    agent = Agent(alice)
    for payload in script_of("claude-code").events:
        agent.send(payload)
    (compacted,) = [one for one in observations_of(alice) if one.details]
    assert compacted.details["summary"] == AGENTS_SUMMARY
    assert compacted.details["compared"] >= len(compacted.details["lost"]) > 0
    assert any("Decimal" in one["text"] for one in compacted.details["lost"])


@pytest.mark.parametrize("client", CLIENTS)
def test_every_event_sent_twice_and_in_any_order_gives_the_same_rows(client: str, alice: Actor, bob: Actor) -> None:
    events = script_of(client).batch()
    Agent(alice, client).batch(*events)
    expected = rows_of(alice)
    with workspace(alice.workspace_id):
        Conversation.objects.all().delete()
    chance = random.Random(client)
    shuffled = [*events, *events]
    chance.shuffle(shuffled)
    agent = Agent(bob, client)
    results = [*agent.batch(*shuffled[:60]), *agent.batch(*shuffled[60:])]
    assert {one["status"] for one in results} <= {"stored", "repeated"}
    assert rows_of(bob) == expected


def test_a_batch_of_all_is_stored_and_then_repeated(alice: Actor) -> None:
    agent, events = Agent(alice), script_of("claude-code").batch()
    assert {one["status"] for one in agent.batch(*events)} == {"stored"}
    again = agent.batch(*events)
    assert {one["status"] for one in again} == {"repeated"}
    assert [one["id"] for one in again] == [one["id"] for one in events]
