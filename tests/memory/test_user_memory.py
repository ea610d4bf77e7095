"""User memory, as packs read it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Role
from apps.common.errors import Conflict, Forbidden, NotFound, Stale
from apps.common.tenancy import workspace
from apps.memory.records import UserMemoryRecord
from apps.memory.selectors.user_memory import user_memory_for_pack, user_memory_get
from apps.memory.services.user_memory import (
    UserMemoryDraft,
    user_memory_create,
    user_memory_delete,
    user_memory_update,
)

pytestmark = pytest.mark.django_db


def write(actor: Actor, kind: str, key: str, **more: bool) -> UserMemoryRecord:
    with workspace(actor.workspace_id):
        return user_memory_create(actor, draft=UserMemoryDraft(kind, key, f"About {key}.", **more))


def keys_in_pack(actor: Actor, most: int = 10) -> list[str]:
    with workspace(actor.workspace_id):
        return [item.key for item in user_memory_for_pack(actor, most=most)]


def test_what_binds_comes_first_and_the_newest_of_each(alice: Actor) -> None:
    for kind in ("fact", "definition", "preference", "constraint"):
        for number in (1, 2):
            write(alice, kind, f"{kind} {number}")
    kinds = ("constraint", "preference", "definition", "fact")
    assert keys_in_pack(alice) == [f"{kind} {number}" for kind in kinds for number in (2, 1)]
    every = keys_in_pack(alice)
    assert [keys_in_pack(alice, most=most) for most in range(9)] == [every[:most] for most in range(9)]


def test_a_pack_contains_the_readers_own_active_user_memory(alice: Actor, bob: Actor) -> None:
    write(alice, "fact", "hers")
    write(alice, "fact", "switched off", is_active=False)
    write(bob, "fact", "his")
    assert (keys_in_pack(alice), keys_in_pack(bob)) == (["hers"], ["his"])


def test_an_edit_recounts_the_tokens(alice: Actor) -> None:
    made = write(alice, "fact", "name")
    with workspace(alice.workspace_id):
        changes = {"content": "x" * 400}
        changed = user_memory_update(alice, memory_id=made.id, changes=changes, version=made.version)
    assert (made.token_count, changed.token_count, changed.version) == (3, 100, 2)


def test_two_editors_of_one_version_do_not_overwrite_each_other(alice: Actor) -> None:
    made = write(alice, "fact", "name")
    with workspace(alice.workspace_id):
        user_memory_update(alice, memory_id=made.id, changes={"content": "First."}, version=1)
        with pytest.raises(Stale):
            user_memory_update(alice, memory_id=made.id, changes={"content": "Second."}, version=1)
        with pytest.raises(Stale):
            user_memory_delete(alice, memory_id=made.id, version=1)
        assert user_memory_get(alice, made.id).content == "First."
        user_memory_delete(alice, memory_id=made.id, version=2)


def test_a_taken_key_leaves_the_unit_whole(alice: Actor) -> None:
    write(alice, "fact", "name")
    with workspace(alice.workspace_id):
        with pytest.raises(Conflict):
            user_memory_create(alice, draft=UserMemoryDraft("fact", "name", "Other."))
        user_memory_create(alice, draft=UserMemoryDraft("fact", "other", "Other."))
    assert keys_in_pack(alice) == ["other", "name"]


def test_another_persons_user_memory_cannot_be_changed(alice: Actor, bob: Actor, charlie: Actor) -> None:
    made = write(alice, "fact", "name")
    for other in (bob, charlie):
        with workspace(other.workspace_id):
            with pytest.raises(NotFound):
                user_memory_get(other, made.id)
            with pytest.raises(NotFound):
                user_memory_update(other, memory_id=made.id, changes={"content": "Mine."}, version=1)
            with pytest.raises(NotFound):
                user_memory_delete(other, memory_id=made.id)


def test_a_viewer_writes_nothing_down(alice: Actor) -> None:
    with workspace(alice.workspace_id):
        viewer = replace(alice, role=Role.VIEWER)
        with pytest.raises(Forbidden):
            user_memory_create(viewer, draft=UserMemoryDraft("fact", "name", "Mine."))
