"""User memory in searches: found by its owner alone as long as it is active, and never a second time in packs."""

from __future__ import annotations

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.jobs.services import job_request
from apps.memory.models import Embedding, Passage
from apps.memory.records import UserMemoryRecord
from apps.memory.records.search import Hit, SearchQuery
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.selectors.search.find import find, has_memories
from apps.memory.services.user_memory import (
    UserMemoryDraft,
    user_memory_create,
    user_memory_delete,
    user_memory_update,
)
from tests.memory.recall import look, make_vectors, remember, run_named

pytestmark = pytest.mark.django_db

ENGLISH = UserMemoryDraft("preference", "language", "Answer in British English.")


def write(actor: Actor, draft: UserMemoryDraft = ENGLISH) -> UserMemoryRecord:
    with workspace(actor.workspace_id):
        return user_memory_create(actor, draft=draft)


def update(actor: Actor, item: UserMemoryRecord, **changes: object) -> UserMemoryRecord:
    with workspace(actor.workspace_id):
        return user_memory_update(actor, memory_id=item.id, changes=changes, version=item.version)


def found(actor: Actor, query: str) -> list[Hit]:
    return [hit for hit in look(actor, query).hits if hit.kind == "user_memory"]


def test_it_is_found_with_its_type_and_key(alice: Actor) -> None:
    item = write(alice)
    (hit,) = found(alice, "british english")
    assert (hit.id, hit.type, hit.key) == (item.id, "preference", "language")
    assert (hit.snippet, hit.relevance, hit.uri) == ("Answer in British English.", 1, "")


def test_it_is_compared_by_meaning_too(alice: Actor) -> None:
    write(alice)
    make_vectors(alice)
    assert found(alice, "Which spelling should replies have?")[0].similarity > 0


def test_nobody_else_finds_it(alice: Actor, bob: Actor, charlie: Actor) -> None:
    write(alice)
    make_vectors(alice)
    assert [found(person, "british english") for person in (bob, charlie)] == [[], []]


def test_an_edit_is_found_at_once(alice: Actor) -> None:
    item = update(alice, write(alice), content="Answer in French.", key="tongue")
    assert [hit.snippet for hit in found(alice, "french")] == ["Answer in French."]
    assert [hit.key for hit in found(alice, "tongue")] == ["tongue"]
    assert item.version == 2


def test_what_is_switched_off_or_deleted_leaves_the_index(alice: Actor) -> None:
    item = write(alice)
    make_vectors(alice)
    item = update(alice, item, is_active=False)
    assert found(alice, "british") == []
    item = update(alice, item, is_active=True)
    make_vectors(alice)
    assert len(found(alice, "british")) == 1
    with workspace(alice.workspace_id):
        user_memory_delete(alice, memory_id=item.id)
        assert not Passage.objects.exists()
        assert not Embedding.objects.exists()


def test_the_sweep_indexes_what_is_missing(alice: Actor) -> None:
    item = write(alice)
    with workspace(alice.workspace_id):
        Passage.objects.all().delete()
        now = timezone.now()
        job_request(workspace_id=alice.workspace_id, kind="memory_sweep", key="sweep", due_at=now, deadline_at=now)
        assert [(fault.kind, fault.node_id) for fault in tree_faults()] == [("another passage of user memory", item.id)]
    assert found(alice, "british") == []
    assert run_named(alice, "memory_sweep", "sweep")
    assert len(found(alice, "british")) == 1
    with workspace(alice.workspace_id):
        assert tree_faults() == []


def test_packs_which_contain_it_anyway_do_not_search_it(alice: Actor) -> None:
    write(alice)
    with workspace(alice.workspace_id):
        assert not has_memories(alice)
    remember(alice, "mem://user/preferences/tea", "British tea.")
    with workspace(alice.workspace_id):
        assert has_memories(alice)
        hits = find(alice, SearchQuery("british", top_k=1, with_user_memory=False)).hits
    assert [hit.kind for hit in hits] == ["memory"]


def test_filters_of_memories_leave_it_out(alice: Actor) -> None:
    write(alice)
    assert look(alice, "british", category="preferences").hits == ()
