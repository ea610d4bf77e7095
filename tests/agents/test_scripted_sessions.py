"""A whole session of each client: what it leaves behind, and what the next one is given."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.agents.clients.registry import CLIENTS
from apps.common.tenancy import workspace
from apps.compaction.selectors.session_archives import OBSERVATIONS, SUMMARY, archive_address
from apps.conversations.records import engine_messages
from apps.engine.messages.agent_text import MEMORY_TAG
from apps.engine.messages.tool_exchanges import exchanges
from apps.jobs.models import DueJob
from apps.memory.models import MemNode
from apps.memory.selectors.nodes import sources_of
from tests.agents.agents import Agent, messages_of, observations_of, session_of, sessions_of
from tests.agents.scripts import PROMPTS, REPLIES, Script, script_of, start_of
from tests.agents.scripts import SUMMARY as AGENTS_SUMMARY
from tests.compaction.runs import check_invariants, run_due_jobs
from tests.shared_data import rolled_back

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", params=CLIENTS)
def played(request: pytest.FixtureRequest, shared_alice: Actor) -> Iterator[Script]:
    """A session of Alice's with a client, sent event by event, and what the jobs then made of it."""
    script = script_of(request.param)
    agent = Agent(shared_alice, script.client)
    with rolled_back():
        for payload in script.events:
            agent.send(payload)
        run_jobs_now()
        yield script


def run_jobs_now() -> None:
    DueJob.objects.exclude(kind="agent_session_end").update(due_at=timezone.now())
    run_due_jobs()


def test_a_session_leaves_messages_observations_archives_and_memories(played: Script, alice: Actor) -> None:
    session = session_of(alice)
    assert (session.prompt_count, session.tool_count) == (5, 30)
    assert (session.ended_at is not None) == played.ends

    messages = messages_of(alice)
    assert [one.content for one in messages if one.role == "user"] == list(PROMPTS)
    assert [one.content for one in messages if one.role == "assistant" and one.content] == list(REPLIES)[
        : played.replies
    ]
    assert len(messages) == 5 + 60 + played.replies
    pairs = [group for group in exchanges(engine_messages(messages)) if len(group) > 1]
    assert len(pairs) == 30
    assert all(group[0].calls == group[1].results for group in pairs)
    assert sum(one.kind in ("tool", "tool_failure") for one in observations_of(alice)) == 30
    check_invariants(alice, session.conversation_id)

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


def test_the_next_session_is_given_what_the_first_one_taught(played: Script, alice: Actor) -> None:
    answer = Agent(alice, played.client).send(start_of(played.client, "session-2"))
    assert "Porto" in repr(answer)
    assert f"<{MEMORY_TAG}-" in repr(answer)
    assert len(sessions_of(alice)) == 2


@pytest.mark.parametrize("played", ["claude-code"], indirect=True)
def test_a_compaction_is_compared_with_what_was_decided(played: Script, alice: Actor) -> None:
    (compacted,) = [one for one in observations_of(alice) if one.details]
    assert compacted.details["summary"] == AGENTS_SUMMARY
    assert compacted.details["compared"] >= len(compacted.details["lost"]) > 0
    assert any("Decimal" in one["text"] for one in compacted.details["lost"])
