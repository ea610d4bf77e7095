"""A whole session of each client in batches, as a spool sends it: once, twice, and in any order."""

from __future__ import annotations

import random
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.agents.clients.registry import CLIENTS
from apps.agents.models import AgentSession, Observation
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from tests.agents.agents import Agent
from tests.agents.scripts import script_of

pytestmark = pytest.mark.django_db(transaction=True)


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
