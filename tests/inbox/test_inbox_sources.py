"""Decisions about everything that came from one source."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from apps.common.errors import Forbidden, NotFound
from apps.common.tenancy import workspace
from apps.inbox.records import DecisionRecord, ScopeKind, SourceEffect, SourceScope
from apps.inbox.services.sources import (
    SourceAction,
    source_decline,
    source_quarantine,
    source_quarantine_preview,
)
from apps.inbox.services.undo import inbox_undo
from apps.memory.models import MemSource
from apps.memory.selectors.integrity_checks import tree_faults
from tests.conversations.long_conversations import conversation
from tests.inbox.inboxes import memory, message, proposal, row, slot, tool_talk, waiting
from tests.people import person

pytestmark = pytest.mark.django_db
TOOL = SourceScope(ScopeKind.TOOL, "web_search")
NOTES = SourceScope(ScopeKind.IMPORT, "notes")
QUARANTINE, ARCHIVE = SourceAction.QUARANTINE, SourceAction.ARCHIVE


def decline(actor: Actor, scope: SourceScope) -> DecisionRecord:
    with workspace(actor.workspace_id):
        return source_decline(actor, scope=scope)


def quarantine(actor: Actor, scope: SourceScope, action: SourceAction = QUARANTINE) -> SourceEffect:
    with workspace(actor.workspace_id):
        return source_quarantine(actor, scope=scope, action=action)


def undo(actor: Actor, change_id: UUID | None) -> None:
    assert change_id
    with workspace(actor.workspace_id):
        inbox_undo(actor, change_id=change_id)


def sources(actor: Actor, node_id: UUID) -> list[tuple[str, str]]:
    with workspace(actor.workspace_id):
        return list(MemSource.objects.filter(node_id=node_id).order_by("id").values_list("kind", "reference"))


def counts(effect: SourceEffect) -> tuple[int, int, int]:
    return effect.affected, effect.detached, effect.restored


def test_every_proposal_of_a_source_is_declined_at_once(alice: Actor) -> None:
    talk, result = tool_talk(alice)
    other = message(alice, talk, "Stripe is in Dublin.", role="tool", name="maps")
    first = proposal(alice, "mem://user/events/first", "First.", ("message", result))
    second = proposal(alice, "mem://user/events/second", "Second.", ("message", result))
    third = proposal(alice, "mem://user/events/third", "Third.", ("message", other))
    in_use = memory(alice, "mem://user/events/used", "In use.", ("message", result))
    done = decline(alice, TOOL)
    assert set(done.ids) == {first, second}
    assert [item.id for item in waiting(alice)] == [third]
    assert row(alice, in_use).archived_at is None
    undo(alice, done.change_id)
    assert {item.id for item in waiting(alice)} == {first, second, third}


@pytest.mark.parametrize("kind", [ScopeKind.MESSAGE, ScopeKind.CONVERSATION, ScopeKind.TOOL, ScopeKind.IMPORT])
def test_a_source_is_a_message_a_conversation_a_tool_or_an_import(alice: Actor, kind: ScopeKind) -> None:
    talk, result = tool_talk(alice)
    named = {"message": str(result), "conversation": str(talk), "tool": "web_search", "import": "notes"}
    source = ("import", "notes") if kind is ScopeKind.IMPORT else ("message", result)
    wanted = proposal(alice, "mem://user/events/wanted", "Wanted.", source)
    proposal(alice, "mem://user/events/other", "Other.", ("import", "other"))
    assert decline(alice, SourceScope(kind, named[kind.value])).ids == (wanted,)


def test_a_source_without_proposals_changes_nothing(alice: Actor) -> None:
    done = decline(alice, NOTES)
    assert (done.ids, done.change_id) == ((), None)
    effect = quarantine(alice, NOTES)
    assert (counts(effect), effect.change_id) == ((0, 0, 0), None)


def test_the_list_is_filtered_by_source(alice: Actor) -> None:
    talk, result = tool_talk(alice)
    told = proposal(alice, "mem://user/events/told", "Told.", ("message", result))
    imported = proposal(alice, "mem://user/events/imported", "Imported.", ("import", "notes"))
    assert [item.id for item in waiting(alice, source_kind="import")] == [imported]
    assert [item.id for item in waiting(alice, conversation_id=talk)] == [told]
    assert waiting(alice, conversation_id=uuid4()) == []


def test_a_quarantine_makes_memories_of_the_source_wait_again(alice: Actor) -> None:
    _, result = tool_talk(alice)
    alone = memory(alice, "mem://user/events/alone", "Alone.", ("message", result))
    backed = memory(alice, "mem://user/events/backed", "Backed.", ("message", result), ("import", "notes"))
    other = memory(alice, "mem://user/events/other", "Other.", ("import", "notes"))
    effect = quarantine(alice, TOOL)
    assert (counts(effect), effect.waiting) == ((1, 1, 0), 1)
    assert [item.id for item in waiting(alice)] == [alone]
    assert [row(alice, one).arrival for one in (backed, other)] == ["accepted"] * 2
    assert sources(alice, backed) == [("import", "notes")]
    undo(alice, effect.change_id)
    assert waiting(alice) == []
    assert sources(alice, backed) == [("message", str(result)), ("import", "notes")]


def test_removing_a_source_archives_its_memories_and_its_proposals(alice: Actor) -> None:
    used = memory(alice, "mem://user/events/used", "Used.", ("import", "notes"))
    offered = proposal(alice, "mem://user/events/offered", "Offered.", ("import", "notes"))
    effect = quarantine(alice, NOTES, ARCHIVE)
    assert counts(effect) == (2, 0, 0)
    assert all(row(alice, one).archived_at for one in (used, offered))
    undo(alice, effect.change_id)
    assert [item.id for item in waiting(alice)] == [offered]
    assert row(alice, used).archived_at is None


@pytest.mark.parametrize("action", [QUARANTINE, ARCHIVE])
def test_what_a_bad_source_superseded_is_current_again(alice: Actor, action: SourceAction) -> None:
    later = memory(alice, "mem://user/profile/home-2", "I live in Oslo.", ("import", "notes"), **slot("Oslo"))
    superseded = {"superseded_by_id": later, "valid_to": "2026-05-01T00:00Z"}
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"), **superseded)
    effect = quarantine(alice, NOTES, action)
    assert counts(effect) == (1, 0, 1)
    assert (row(alice, rome).superseded_by_id, row(alice, rome).valid_to) == (None, None)
    if action is QUARANTINE:
        [item] = waiting(alice)
        assert ([one.id for one in item.replaces], item.reason) == ([rome], "quarantined")
    undo(alice, effect.change_id)
    assert row(alice, rome).superseded_by_id == later
    assert waiting(alice) == []
    with workspace(alice.workspace_id):
        assert tree_faults() == []


@pytest.mark.parametrize("action", [QUARANTINE, ARCHIVE])
def test_of_several_superseded_values_the_last_is_current_again(alice: Actor, action: SourceAction) -> None:
    later = memory(alice, "mem://user/profile/home-2", "I live in Oslo.", ("import", "notes"), **slot("Oslo"))
    rome, paris = (
        memory(
            alice,
            f"mem://user/profile/{value}",
            f"I live in {value}.",
            **slot(value),
            superseded_by_id=later,
            valid_to="2026-05-01T00:00Z",
            valid_from=since,
        )
        for value, since in (("rome", "2026-02-01T00:00Z"), ("paris", "2026-01-01T00:00Z"))
    )
    effect = quarantine(alice, NOTES, action)
    assert counts(effect) == (1, 0, 1)
    assert [row(alice, one).superseded_by_id for one in (rome, paris)] == [None, rome]
    undo(alice, effect.change_id)
    assert [row(alice, one).superseded_by_id for one in (rome, paris)] == [later, later]


def test_archived_history_leaves_what_it_superseded_to_its_successor(alice: Actor) -> None:
    last = memory(alice, "mem://user/events/three", "Three.")
    ended = {"valid_to": "2026-05-01T00:00Z"}
    middle = memory(alice, "mem://user/events/two", "Two.", ("import", "notes"), superseded_by_id=last, **ended)
    first = memory(alice, "mem://user/events/one", "One.", superseded_by_id=middle, **ended)
    effect = quarantine(alice, NOTES, ARCHIVE)
    assert (counts(effect), row(alice, first).superseded_by_id) == ((1, 0, 0), last)


def test_a_dry_run_counts_and_changes_nothing(alice: Actor) -> None:
    memory(alice, "mem://user/events/used", "Used.", ("import", "notes"))
    memory(alice, "mem://user/events/backed", "Backed.", ("import", "notes"), ("import", "other"))
    with workspace(alice.workspace_id):
        effect = source_quarantine_preview(alice, scope=NOTES, action=QUARANTINE)
    assert (counts(effect), effect.change_id) == ((1, 1, 0), None)
    assert waiting(alice) == []


def test_nobody_takes_a_source_of_others_out_of_use(alice: Actor, bob: Actor, charlie: Actor) -> None:
    talk, result = tool_talk(alice)
    used = memory(alice, "mem://user/events/used", "Used.", ("message", result), ("import", "notes"))
    shared = memory(alice, "mem://agent/cases/shared", "Shared.", ("import", "notes"), shared=True)
    for actor in (bob, charlie):
        for scope in (SourceScope(ScopeKind.MESSAGE, str(result)), SourceScope(ScopeKind.CONVERSATION, str(talk))):
            with pytest.raises(NotFound):
                quarantine(actor, scope)
        for scope in (TOOL, NOTES):
            assert counts(quarantine(actor, scope)) == (0, 0, 0)
    assert [row(alice, one).arrival for one in (used, shared)] == ["accepted"] * 2


def test_a_viewer_takes_nothing_out_of_use(acme: Workspace) -> None:
    with pytest.raises(Forbidden):
        quarantine(person("Vera", acme, Role.VIEWER), NOTES)


def test_words_of_a_shared_conversation_can_be_a_source_of_ones_own_memories(alice: Actor) -> None:
    talk = conversation(alice, title="Team")
    words = message(alice, talk, "I'm the treasurer.", name="Bob")
    offered = proposal(alice, "mem://user/entities/bob/role", "Bob is the treasurer.", ("message", words))
    assert decline(alice, SourceScope(ScopeKind.CONVERSATION, str(talk))).ids == (offered,)
