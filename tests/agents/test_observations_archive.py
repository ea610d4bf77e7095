"""The archive of a session's observations at `mem://sessions/<id>/observations`, and what deletion leaves of it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.agents.models import Observation
from apps.common.tenancy import workspace
from apps.compaction.selectors.session_archives import OBSERVATIONS, archive_address
from apps.conversations.models import Conversation
from apps.jobs.models import DueJob
from apps.memory.models import MemNode, MemRevision
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.selectors.nodes import sources_of
from apps.memory.selectors.search.find import find
from apps.memory.services.tree.edit import NodeChanges, node_edit
from tests.agents.agents import Agent, claude, messages_of, observations_of, session_of
from tests.compaction.runs import run_due_jobs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def agent(alice: Actor) -> Agent:
    agent = Agent(alice)
    agent.send(claude("UserPromptSubmit", prompt="Fix the cart.", prompt_id="p1"))
    run(agent, "t1", "make test", "FAILED tests/test_marmalade.py", failed=True)
    run(agent, "t2", "make lint", "All checks passed")
    return agent


def run(agent: Agent, tool_id: str, command: str, result: str, *, failed: bool = False) -> None:
    name, field = ("PostToolUseFailure", "error") if failed else ("PostToolUse", "tool_response")
    given = {"command": command, "file_path": "app/cart.py"}
    agent.send(claude(name, tool_name="Bash", tool_input=given, tool_use_id=tool_id, **{field: result}))


def archive(actor: Actor) -> MemNode | None:
    DueJob.objects.exclude(kind="agent_session_end").update(due_at=timezone.now())
    run_due_jobs()
    with workspace(actor.workspace_id):
        assert tree_faults() == []
        return MemNode.objects.filter(uri=archive_address(session_of(actor).conversation_id, OBSERVATIONS).text).first()


def present(actor: Actor) -> MemNode:
    row = archive(actor)
    assert row is not None
    return row


def test_it_has_failures_files_and_tools_with_their_messages_as_sources(agent: Agent, alice: Actor) -> None:
    row = present(alice)
    assert row.l2_content == (
        "# Fix the cart.\n\n## Failures\n- Bash app/cart.py: FAILED tests/test_marmalade.py"
        "\n\n## Files\n- app/cart.py (Bash 2)\n\n## Tools\n- Bash 2"
    )
    assert (row.owner_id, row.trust) == (alice.user_id, "tool")
    results = {str(one.id) for one in messages_of(alice) if one.role == "tool"}
    with workspace(alice.workspace_id):
        assert {one.reference for one in sources_of([row.id])[row.id]} == results


def test_no_search_finds_it(agent: Agent, alice: Actor) -> None:
    present(alice)
    run_due_jobs()
    with workspace(alice.workspace_id):
        hits = find(alice, SearchQuery("marmalade", corpus="memories")).hits
    assert not [hit for hit in hits if "marmalade" in hit.snippet]


def test_it_is_compiled_again_when_more_happens(agent: Agent, alice: Actor) -> None:
    present(alice)
    run(agent, "t3", "make run", "Listening")
    row = present(alice)
    assert (row.version, "Bash 3" in row.l2_content) == (2, True)
    assert present(alice).version == 2


def test_a_deleted_result_leaves_neither_observation_nor_words(agent: Agent, alice: Actor) -> None:
    present(alice)
    conversation_id = session_of(alice).conversation_id
    failure = next(one for one in messages_of(alice) if "marmalade" in repr(one.parts))
    address = f"/api/conversations/{conversation_id}/messages/{failure.id}"
    assert agent.http.delete(address).status_code == 204
    with workspace(alice.workspace_id):
        assert not MemRevision.objects.filter(after__l2_content__contains="marmalade").exists()
        assert not MemNode.objects.filter(l2_content__contains="marmalade").exists()
    assert [one.event_key for one in observations_of(alice)] == ["tool:t2"]
    assert "marmalade" not in present(alice).l2_content
    run(agent, "t1", "make test", "FAILED tests/test_marmalade.py", failed=True)
    assert len(observations_of(alice)) == 1
    assert "marmalade" not in repr([one.parts for one in messages_of(alice)])


def test_an_excluded_result_leaves_the_archive(agent: Agent, alice: Actor) -> None:
    present(alice)
    conversation_id = session_of(alice).conversation_id
    failure = next(one for one in messages_of(alice) if "marmalade" in repr(one.parts))
    body = {"message_ids": [str(failure.id)], "excluded": True}
    assert agent.http.post(f"/api/conversations/{conversation_id}/exclusions", body).status_code == 200
    assert "marmalade" not in present(alice).l2_content
    assert "Failures" not in present(alice).l2_content
    listed = agent.http.get("/api/sessions/s1/observations").json()["data"]
    assert [one["title"] for one in listed] == ["Bash app/cart.py"]
    again = {**body, "excluded": False}
    assert agent.http.post(f"/api/conversations/{conversation_id}/exclusions", again).status_code == 200
    assert "marmalade" in present(alice).l2_content


def test_a_deleted_session_leaves_no_archive(agent: Agent, alice: Actor) -> None:
    row = present(alice)
    assert agent.http.delete(f"/api/conversations/{session_of(alice).conversation_id}").status_code == 204
    with workspace(alice.workspace_id):
        assert not MemNode.objects.filter(uri__startswith=row.uri.rpartition("/")[0]).exists()
    assert observations_of(alice) == []


@pytest.mark.parametrize("switched", [{"temporary": True}, {"remembers": False}])
def test_a_session_without_memories_has_none(agent: Agent, alice: Actor, switched: dict[str, bool]) -> None:
    with workspace(alice.workspace_id):
        Conversation.objects.update(**switched)
    assert archive(alice) is None


def test_observations_are_paged_in_the_order_of_arrival(agent: Agent) -> None:
    for number in range(3, 8):
        run(agent, f"t{number}", f"make {number}", "ok")
    first = agent.http.get("/api/sessions/s1/observations?limit=5").json()
    second = agent.http.get(f"/api/sessions/s1/observations?limit=5&cursor={first['next_cursor']}").json()
    assert (len(first["data"]), first["has_more"], len(second["data"]), second["has_more"]) == (5, True, 2, False)
    assert agent.http.get("/api/sessions/s1/observations?cursor=wrong").status_code == 400


def test_a_deleted_prompts_words_remain_in_no_summary(alice: Actor) -> None:
    agent = Agent(alice)
    agent.send(claude("UserPromptSubmit", prompt="We decided to call the shop Quicksilver 4711.", prompt_id="p1"))
    agent.send(claude("UserPromptSubmit", prompt="The tests use pytest.", prompt_id="p2"))
    kept = "- Tests run with pytest."
    summary = f"## Summary\n- The shop has the name Quicksilver.\n{kept}"
    agent.send(claude("PreCompact", trigger="manual", custom_instructions="Keep quicksilver in mind."))
    agent.send(claude("PostCompact", trigger="auto", compact_summary=summary, prompt_id="p2"))
    imported = {
        "key": "y",
        "kind": "summary",
        "session_id": "s1",
        "request": "Name it Quicksilver",
        "learned": "It uses pytest.",
    }
    body = {"import_id": str(uuid4()), "items": [imported]}
    assert agent.http.post("/api/imports/claude-mem", body).status_code == 200
    before = str(list(map(texts, observations_of(alice)))).lower()
    assert "quicksilver" in before
    assert "4711" in before
    (first, _) = messages_of(alice)
    path = f"/api/conversations/{first.conversation_id}/messages/{first.id}"
    assert agent.http.delete(path).status_code == 204
    seen = str(list(map(texts, observations_of(alice)))).lower()
    assert "quicksilver" not in seen
    assert "4711" not in seen
    assert kept.lower() in seen
    assert "it uses pytest." in seen


def test_a_deleted_prompts_words_remain_in_no_imported_archive(alice: Actor) -> None:
    agent = Agent(alice)
    agent.send(claude("UserPromptSubmit", prompt="Call the shop Quicksilver 4711.", prompt_id="p1"))
    agent.send(claude("UserPromptSubmit", prompt="The tests use pytest.", prompt_id="p2"))
    for request, learned in (("Name it Quicksilver", "It uses pytest."), ("Number 4711", "Doors open in May.")):
        item = {"key": learned, "kind": "summary", "session_id": "s1", "request": request, "learned": learned}
        body = {"import_id": str(uuid4()), "items": [item]}
        assert agent.http.post("/api/imports/claude-mem", body).status_code == 200
    address = archive_address(session_of(alice).conversation_id).text
    with workspace(alice.workspace_id):
        row = MemNode.objects.get(uri=address)
        assert "Quicksilver" in row.l2_content and MemRevision.objects.filter(node=row).count() == 2
        changes: NodeChanges = {"content": f"My Quicksilver note.\n\n{row.l2_content}"}
        node_edit(alice, node_id=row.id, changes=changes, version=row.version)
    (first, _) = messages_of(alice)
    path = f"/api/conversations/{first.conversation_id}/messages/{first.id}"
    assert agent.http.delete(path).status_code == 204
    with workspace(alice.workspace_id):
        row = MemNode.objects.get(uri=address)
        assert row.l2_content.splitlines()[0] == "My Quicksilver note."
        history = str([(one.before, one.after) for one in MemRevision.objects.filter(node=row)])
        for text in (row.l2_content, row.l1_overview, history):
            assert "Name it" not in text and "4711" not in text
            assert "It uses pytest." in text and "Doors open in May." in text
        assert tree_faults() == []


def texts(row: Observation) -> tuple[str, str, str]:
    return row.title, row.digest, str(row.details)
