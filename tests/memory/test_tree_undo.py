"""Undo of changes of several memories: moves, shares, creations, and undo itself."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from apps.common.errors import Conflict, Forbidden, NotFound
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.selectors.revisions import revision_list
from apps.memory.services.bulk.create import nodes_create_bulk
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.move import node_move
from apps.memory.services.tree.share import node_share
from apps.memory.services.tree.undo.change_undo import change_undo
from tests.memory.trees import at, directory, draft, listed, read, told_state, write
from tests.people import client_of, person

pytestmark = pytest.mark.django_db
SHARED = "mem://agent/patterns/deploys"


@pytest.fixture
def dora(acme: Workspace) -> Actor:
    return person("Dora", acme, Role.CURATOR)


def last_change(actor: Actor, node_id: UUID) -> UUID:
    with workspace(actor.workspace_id):
        return MemRevision.objects.filter(node_id=node_id).order_by("-number")[0].change


def undo_last(actor: Actor, node_id: UUID) -> None:
    change = last_change(actor, node_id)
    with workspace(actor.workspace_id):
        change_undo(actor, node_id=node_id, change_id=change)


def edit(actor: Actor, node_id: UUID, content: str) -> UUID:
    with workspace(actor.workspace_id):
        node_edit(actor, node_id=node_id, changes={"content": content}, version=read(actor, node_id).version)
    return last_change(actor, node_id)


def in_use(actor: Actor) -> dict[UUID, object]:
    with workspace(actor.workspace_id):
        assert tree_faults() == []
        return {row.id: told_state(row) for row in MemNode.objects.filter(archived_at=None)}


def share(actor: Actor, node_id: UUID) -> None:
    with workspace(actor.workspace_id):
        node_share(actor, node_id=node_id)


def test_undoing_a_move_brings_all_below_back_where_the_move_made_a_directory_too(alice: Actor) -> None:
    acme = directory(alice, "mem://user/preferences/acme")
    leaf = write(alice, "mem://user/preferences/acme/deep/leaf")
    before = in_use(alice)
    with workspace(alice.workspace_id):
        node_move(alice, node_id=acme.id, to=Address("mem://user/events/acme"), version=1)
    assert len(in_use(alice)) == len(before) + 1
    undo_last(alice, acme.id)
    assert read(alice, leaf.id).uri == leaf.uri
    assert {node_id: state for node_id, state in in_use(alice).items() if node_id in before} == before


def test_undoing_a_share_is_refused_where_the_team_has_written_in_it_since(alice: Actor, bob: Actor) -> None:
    shared = directory(alice, SHARED)
    write(alice, f"{SHARED}/hers")
    share(alice, shared.id)
    write(alice, f"{SHARED}/the-teams", shared=True)
    with pytest.raises(Conflict) as refused:
        undo_last(alice, shared.id)
    assert (refused.value.code, refused.value.extra) == ("changed_since", {"fields": ["children"]})
    assert listed(bob, SHARED) == [f"{SHARED}/hers", f"{SHARED}/the-teams"]


def test_a_share_and_its_undo_can_be_taken_back_in_turn(alice: Actor, bob: Actor) -> None:
    shared = directory(alice, SHARED)
    leaf = write(alice, f"{SHARED}/hers")
    before = in_use(alice)
    share(alice, shared.id)
    undo_last(alice, shared.id)
    assert {node_id: state for node_id, state in in_use(alice).items() if node_id in before} == before
    undo_last(alice, shared.id)
    assert at(bob, leaf.uri).id == leaf.id
    assert in_use(alice)


def test_only_who_had_it_before_takes_a_share_back(alice: Actor, dora: Actor) -> None:
    made = write(alice, SHARED)
    share(alice, made.id)
    with pytest.raises(Forbidden) as refused:
        undo_last(dora, made.id)
    assert refused.value.code == "owner_only"
    body = {"change_id": str(last_change(alice, made.id))}
    assert client_of(dora).post(f"/api/memories/{made.id}/undo", body).status_code == 403
    assert read(dora, made.id).shared


def test_the_team_sees_the_history_of_what_it_was_given_from_then_on(alice: Actor, bob: Actor, dora: Actor) -> None:
    made = write(alice, SHARED, "My own secret.")
    edited = edit(alice, made.id, "Deploy on Mondays.")
    share(alice, made.id)
    edit(alice, made.id, "Deploy on Tuesdays.")
    told = client_of(bob).get(f"/api/memories/{made.id}/revisions")
    assert "secret" not in told.content.decode()
    assert [one["operation"] for one in told.json()["data"]] == ["edit", "share"]
    with workspace(alice.workspace_id):
        assert len(revision_list(alice, made.id, limit=9).data) == 4
        with pytest.raises(NotFound):
            change_undo(dora, node_id=made.id, change_id=edited)


def test_who_curates_no_more_does_not_share_by_an_undo(dora: Actor) -> None:
    made = write(dora, SHARED)
    share(dora, made.id)
    undo_last(dora, made.id)
    member = person("Dora", Workspace.objects.get(pk=dora.workspace_id), Role.MEMBER)
    with pytest.raises(Forbidden):
        undo_last(member, made.id)
    assert not read(dora, made.id).shared


def test_the_fixed_roots_stay_when_the_first_memory_is_taken_back(alice: Actor) -> None:
    made = write(alice, "mem://user/entities/acme/rate")
    undo_last(alice, made.id)
    with workspace(alice.workspace_id):
        stand = MemNode.objects.filter(archived_at=None).order_by("uri").values_list("uri", flat=True)
        assert list(stand) == ["mem://user", "mem://user/entities"]
    assert client_of(alice).get("/api/tree").json()["data"][0]["archived_at"] is None


def test_undoing_the_undo_of_many_asks_no_more_often_than_of_few(alice: Actor) -> None:
    asked = []
    for name, count in (("few", 5), ("many", 100)):
        drafts = [draft(f"mem://user/preferences/{name}-{number}", f"{name} {number}") for number in range(count)]
        with workspace(alice.workspace_id):
            first = nodes_create_bulk(alice, drafts=drafts)[0].node_id
        assert first is not None
        undo_last(alice, first)
        with CaptureQueriesContext(connection) as captured:
            undo_last(alice, first)
        asked.append(len(captured))
    assert asked[0] == asked[1]
    assert len(listed(alice, "mem://user/preferences", limit=200)) == 105


def test_the_same_time_in_another_time_zone_is_no_change(alice: Actor) -> None:
    day = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    node = write(alice, "mem://user/events/fair", occurred_at=day)
    with workspace(alice.workspace_id):
        revision = MemRevision.objects.get(node_id=node.id)
        revision.after["occurred_at"] = "2026-05-04T05:02:01.000000+02:00"
        revision.save()
    undo_last(alice, node.id)
    assert read(alice, node.id).archived_at
