"""The demo workspace: complete after one run, unchanged by another."""

from __future__ import annotations

import json
from io import StringIO
from uuid import UUID

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.accounts.selectors.users import actor_anywhere
from apps.accounts.services.keys import api_key_authenticate
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun
from apps.conversations.models import Conversation, Message
from apps.engine.memory.categories import RELATIONAL_PROFILE
from apps.extraction.models import ExtractionCandidate
from apps.jobs.services import claim_due, run_job
from apps.llm.models import ModelSettings
from apps.memory.models import MemNode, PinnedMemory, UserMemory, UserMemoryType
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.selectors.nodes import sources_of
from apps.turns.services.demo.memories import MEMORIES
from tests.compaction.runs import check_invariants, context_of

pytestmark = pytest.mark.django_db(transaction=True)
REMEMBERED = {"profile", "preferences", "entities", "events", "patterns", "cases"}


def seed(*options: str) -> dict[str, str]:
    output = StringIO()
    call_command("seed_demo", *options, stdout=output)
    told: dict[str, str] = json.loads(output.getvalue())
    return told


def seed_and_learn() -> dict[str, str]:
    """Create the demo, and let a worker make its memories."""
    told = seed()
    while claims := claim_due(10):
        for claim in claims:
            run_job(claim.job_id, claim.token)
    return told


def test_the_demo_has_a_finished_conversation_and_a_way_in() -> None:
    told = seed()
    assert told["email"] == "demo@continuity.local"
    assert authenticate(email=told["email"], password=told["password"]) is not None
    holder = api_key_authenticate(told["api_key"])
    assert holder.actor.scopes == {"read", "write", "admin"}
    actor, talk = holder.actor, UUID(told["conversation_id"])
    assert str(actor.workspace_id) == told["workspace_id"]
    with workspace(actor.workspace_id):
        row = Conversation.objects.get(pk=talk)
        assert 60 <= row.message_count <= 90 and row.token_total >= 9_000
        assert row.live_tokens < 8_000
        assert PinnedMemory.objects.filter(conversation_id=talk).count() == 3
        assert set(UserMemory.objects.values_list("type", flat=True)) == set(UserMemoryType)
        assert Message.objects.filter(conversation_id=talk, excluded=True).count() == 1
        assert set(MemNode.objects.filter(node_type="leaf").values_list("category", flat=True)) == REMEMBERED
        assert MemNode.objects.get(uri="mem://user/preferences/leaving-things-out").version == 3
        assert MemNode.objects.filter(merged_into__isnull=False).count() == 1
        assert tree_faults() == []
        runs = CompactionRun.objects.filter(conversation_id=talk).order_by("id")
        assert [(run.state, run.compacted_count) for run in runs] == [("succeeded", 13), ("succeeded", 10)]
    check_invariants(actor, talk)
    summary = context_of(actor, talk).rolling_summary
    assert sum(bool(lines) for lines in summary.values()) >= 5


@pytest.mark.slow("a worker reads the demo for memories")
def test_the_demo_has_memories_that_the_extractor_made_from_the_conversation() -> None:
    told = seed_and_learn()
    talk = UUID(told["conversation_id"])
    with workspace(UUID(told["workspace_id"])):
        stored = ExtractionCandidate.objects.filter(conversation_id=talk, node__isnull=False).select_related("message")
        quotes = {one.node_id: one.message.content[one.start : one.end] for one in stored}
        sources = sources_of(quotes)
        assert len(quotes) >= 10
        assert all(quotes.values())
        for one in stored:
            assert SourceRecord("message", str(one.message_id)) in sources[one.node_id or UUID(int=0)]
        earlier = MemNode.objects.get(l2_content__startswith="Online holds last 10 minutes")
        assert earlier.superseded_by is not None
        assert earlier.superseded_by.l2_content.startswith("Online holds last 15 minutes instead of 10")
        # How many are near the threshold depends on the arithmetic of the processor.
        assert MemNode.objects.filter(arrival="proposed").count() <= 4
        profile = MemNode.objects.get(uri=RELATIONAL_PROFILE.text).l2_content
        assert "- Wants short replies (seen in 1 chat, last on 2026-03-02)" in profile


@pytest.mark.slow("a worker reads the demo for memories")
def test_a_second_run_changes_nothing_and_prints_no_secrets() -> None:
    first = seed_and_learn()
    actor = actor_anywhere(User.objects.get().id)
    talk = UUID(first["conversation_id"])
    version = context_of(actor, talk).version
    with workspace(actor.workspace_id):
        count = MemNode.objects.filter(node_type="leaf").count()
    second = seed()
    assert second == {name: first[name] for name in ("email", "workspace_id", "conversation_id")}
    assert authenticate(email=first["email"], password=first["password"]) is not None
    assert context_of(actor, talk).version == version
    with workspace(actor.workspace_id):
        assert Conversation.objects.count() == 1
        assert UserMemory.objects.count() == 4
        assert MemNode.objects.filter(node_type="leaf").count() == count > len(MEMORIES)


def test_lost_credentials_can_be_replaced() -> None:
    first = seed()
    again = seed("--new-credentials")
    assert again["conversation_id"] == first["conversation_id"]
    assert authenticate(email=first["email"], password=first["password"]) is None
    assert authenticate(email=again["email"], password=again["password"]) is not None
    assert api_key_authenticate(again["api_key"]).actor.may(Permission.MANAGE_WORKSPACE)


def test_the_demo_may_use_the_servers_programs_unless_an_operator_forbids_it() -> None:
    workspace_id = UUID(seed()["workspace_id"])
    with workspace(workspace_id):
        row = ModelSettings.objects.get()
        assert row.local_allowed
        ModelSettings.objects.update(local_allowed=False)
    seed()
    with workspace(workspace_id):
        assert not ModelSettings.objects.get().local_allowed
