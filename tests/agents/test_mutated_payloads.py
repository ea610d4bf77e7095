"""No payload, however broken, is answered with a server error or stored by half."""

from __future__ import annotations

import random
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.agents.models import AgentSession
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from tests.agents.agents import Agent
from tests.agents.mutations import changed, mutated
from tests.agents.samples_of import EVERY, samples_of
from tests.api.rows import everything_stored
from tests.compaction.runs import check_invariants

pytestmark = pytest.mark.django_db(transaction=True)
SHORT, LONG = 600, 20_000
_CHECKED = 25


def send(agent: Agent, client: str, body: bytes) -> Any:
    return agent.http.generic("POST", f"/api/hooks/{client}?recall=true", body, content_type="application/json")


@pytest.mark.slow("it sends hundreds of generated payloads")
def test_no_mutated_payload_meets_a_server_error(alice: Actor, thorough: bool) -> None:
    chance = random.Random(22)
    agent = Agent(alice)
    outcomes: dict[int, int] = {}
    for number in range(LONG if thorough else SHORT):
        client, name = chance.choice(EVERY)
        body = mutated(samples_of(client)[name], chance)
        before = everything_stored() if number % _CHECKED == 0 else None
        answer = send(agent, client, body)
        assert answer.status_code in (200, 400), (client, name, body[:2_000], answer.content)
        if answer.status_code == 400:
            problem = answer.json()
            assert (problem["code"], bool(problem["detail"])) == ("invalid", True)
            assert before is None or everything_stored() == before
        outcomes[answer.status_code] = outcomes.get(answer.status_code, 0) + 1
    assert min(outcomes.values()) > SHORT // 20, outcomes
    with workspace(alice.workspace_id):
        conversations = list(Conversation.objects.values_list("id", flat=True))
        assert AgentSession.objects.count() == len(conversations) > 1
    for conversation_id in conversations:
        check_invariants(alice, conversation_id)


def test_no_mutated_batch_meets_a_server_error(alice: Actor) -> None:
    chance = random.Random(23)
    agent = Agent(alice)
    statuses = set()
    for _ in range(12):
        client = chance.choice(EVERY)[0]
        samples = list(samples_of(client).values())
        events = [changed(chance.choice(samples), chance) for _ in range(20)]
        listed = b", ".join(
            b'{"id": "01890a5d-ac96-774b-bcce-%012d", "payload": %s}' % (n, e) for n, e in enumerate(events)
        )
        body = b'{"events": [%s]}' % listed
        answer = agent.http.generic("POST", f"/api/hooks/{client}/batch", body, content_type="application/json")
        assert answer.status_code in (200, 400), answer.content
        statuses |= {one["status"] for one in answer.json().get("results", ())}
    assert statuses >= {"stored", "refused", "ignored"}
