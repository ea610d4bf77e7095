"""Memories from before the tree come into it as they were, with a date, a history and a source, each in its workspace.

In a database of its own, which is brought up as an installation is. Charlie's has been at the tree's first form for a
while, where the job of tiers took what it did not know for done.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.models import F
from django.utils import timezone
from psycopg.sql import SQL, Identifier
from pytest_django.plugin import DjangoDbBlocker

from apps.accounts.actors import Actor
from apps.accounts.models import Membership, Role, User
from apps.common.tenancy import workspace
from apps.jobs.services import job_request
from apps.memory.models import MemNode, MemRevision, PinnedMemory, UserMemory
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.tree.create_edit import node_edit
from apps.memory.services.tree.node_snapshot import PERSON, derive
from apps.memory.services.tree.undo import change_undo
from config.stack.postgres import APPLICATION, OWNER, SUPERUSER, Postgres
from config.stack.process import PYTHON, ROOT
from tests.memory.recall import found_uris, make_vectors, run_named
from tests.memory.trees import replayed, told_state
from tests.stack import TestServers

BEFORE = [
    ("memory", "0002_close_tables"),
    ("conversations", "0009_places_that_bound"),
    ("accounts", "0003_context_settings"),
]
"""What the tree's migration follows."""
MIGRATED = f"for one in {BEFORE}: call_command('migrate', *one, verbosity=0)"
CREATED = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
CONTENT = "Green tea – 茶 – in the morning.\nNever black."
TOLD: dict[str, Any] = {
    "uri": "mem://user/preferences/tea",
    "category": "preferences",
    "l0_abstract": "Green tea",
    "l1_overview": "She drinks green tea.",
    "l2_content": CONTENT,
    "trust": "model_inference",
    "merged_from": ["mem://user/preferences/drinks"],
    "base_relevance": 0.7,
    "access_count": 3,
    "last_access": datetime(2026, 6, 7, 8, 9, 10, 11, tzinfo=UTC),
    "source_session": "cli-7",
}
HALF_TOLD = {
    "uri": "mem://user/profile/home",
    "category": "events",
    "l0_abstract": "Lisbon",
    "l2_content": "In Lisbon.",
}
TOLD_DIRECTORY, TOLD_OF_IT = "mem://user/preferences", "What she likes."
PINNED, KNOWN = "Ship on Friday – “no later”.", "I live in Lisbon."
NEW_TABLES = [
    *("mem_sources", "mem_revisions", "mem_tombstones", "mem_accesses"),
    *("mem_passages", "mem_spaces", "mem_embeddings"),
]


def manage(database: Postgres, *argv: str) -> None:
    told = {**os.environ, "DATABASE_URL": database.url(OWNER), "DATABASE_APP_URL": database.url(APPLICATION)}
    command = [PYTHON, "manage.py", *argv, "--settings=config.settings.owner", "-v0"]
    done = subprocess.run(command, cwd=ROOT, env=told, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@contextmanager
def connected(database: Postgres, login: str) -> Iterator[None]:
    """What is done meanwhile is done in that database, by that login."""
    ours = connections["default"]
    told = {**ours.settings_dict, "NAME": database.database, "USER": login}
    theirs = type(ours)(told, "default")
    connections["default"] = theirs
    try:
        yield
    finally:
        theirs.close()
        connections["default"] = ours


@pytest.fixture(scope="module")
def upgraded(stack: TestServers, django_db_blocker: DjangoDbBlocker) -> Iterator[Postgres]:
    """A database that was there before the tree, and what it came to be."""
    database = replace(stack.postgres, database="continuity_upgrade")
    database.bootstrap()
    manage(database, "shell", "--no-imports", "-c", f"from django.core.management import call_command\n{MIGRATED}")
    with django_db_blocker.unblock(), connected(database, SUPERUSER):
        write_old_rows()
    manage(database, "migrate", "memory", "0003_tree_and_passages")
    with django_db_blocker.unblock(), connected(database, SUPERUSER):
        settle_old_rows()
    manage(database, "migrate")
    yield database
    stack.postgres.execute("DROP DATABASE continuity_upgrade WITH (FORCE)")


@pytest.fixture
def application(upgraded: Postgres, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with django_db_blocker.unblock(), connected(upgraded, APPLICATION):
        yield


def write_old_rows() -> None:
    """As the console and the pins' services wrote them then: of Alice and her team, and of Charlie."""
    old = MigrationLoader(None).project_state(BEFORE).apps
    for name, place in (("Alice", "Acme"), ("Charlie", "Charlie's")):
        where = old.get_model("accounts", "Workspace").objects.create(name=place)
        who = old.get_model("accounts", "User").objects.create(name=name, email=f"{name.lower()}@example.org")
        old.get_model("accounts", "Membership").objects.create(workspace=where, user=who, role="owner")
        both = {"workspace": where, "owner": who}
        leaf(old, TOLD, **both)
        leaf(old, {"uri": "mem://user/events/fair", "category": "events", "l0_abstract": f"{name}'s fair"}, **both)
        leaf(old, HALF_TOLD, **both)
        old.get_model("memory", "MemNode").objects.filter(uri=TOLD_DIRECTORY).update(l1_overview=TOLD_OF_IT)
        team = {"uri": "mem://agent/cases/locks", "category": "cases", "l2_content": f"{name}'s team locks files."}
        leaf(old, team, workspace=where, owner=None)
        talk = old.get_model("conversations", "Conversation").objects.create(**both)
        old.get_model("memory", "PinnedMemory").objects.create(
            workspace=where, conversation=talk, content=PINNED, token_count=9, pinned_by=who, version=2
        )
        old.get_model("memory", "UserMemory").objects.create(
            workspace=where, user=who, type="fact", key="home", content=KNOWN, token_count=5, is_active=False
        )


def leaf(old: Any, told: dict[str, Any], **whose: Any) -> None:
    """With the directories above it."""
    nodes = old.get_model("memory", "MemNode").objects
    steps = told["uri"].removeprefix("mem://").split("/")
    above = None
    for depth in range(1, len(steps)):
        shape = {"node_type": "dir", "category": told["category"], "parent": above}
        above, _ = nodes.get_or_create(uri="mem://" + "/".join(steps[:depth]), **whose, defaults=shape)
    nodes.create(**told, **whose, node_type="leaf", parent=above)
    nodes.filter(workspace=whose["workspace"]).update(created_at=CREATED, updated_at=CREATED)


def settle_old_rows() -> None:
    """As the job of tiers did then, in Charlie's workspace."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE mem_nodes SET tiers_of = content_hash FROM accounts_workspace AS place"
            " WHERE place.id = workspace_id AND place.name = %s",
            ["Charlie's"],
        )


def actor_of(name: str) -> Actor:
    user = User.objects.get(name=name)
    membership = Membership.objects.get(user=user)
    return Actor(user_id=user.id, workspace_id=membership.workspace_id, role=Role(membership.role))


def test_nothing_that_was_told_is_lost(application: None) -> None:
    alice = actor_of("Alice")
    with workspace(alice.workspace_id):
        assert MemNode.objects.count() == 10
        node = MemNode.objects.get(uri=TOLD["uri"])
        assert {name: getattr(node, name) for name in TOLD} == TOLD
        assert (node.owner_id, node.created_at, node.occurred_at) == (alice.user_id, CREATED, CREATED)
        assert node.content_hash == sha256(CONTENT.encode()).hexdigest()
        assert (node.version, node.arrival, node.archived_at, node.tags) == (1, "accepted", None, [])
        assert MemNode.objects.get(uri="mem://user/events/fair").content_hash == ""
        pin, known = PinnedMemory.objects.get(), UserMemory.objects.get()
        assert (pin.content, pin.version, pin.pinned_by_id) == (PINNED, 2, alice.user_id)
        assert (known.content, known.is_active, known.user_id) == (KNOWN, False, alice.user_id)


def sweep(actor: Actor) -> None:
    """As it comes by itself within the hour."""
    now = timezone.now()
    with workspace(actor.workspace_id):
        job_request(workspace_id=actor.workspace_id, kind="memory_sweep", key="sweep", due_at=now, deadline_at=now)
    assert run_named(actor, "memory_sweep", "sweep")


def test_each_memory_has_a_history_that_tells_it(application: None) -> None:
    alice = actor_of("Alice")
    sweep(alice)
    with workspace(alice.workspace_id):
        assert tree_faults() == []
        assert MemRevision.objects.count() == 10
        assert set(MemRevision.objects.values_list("operation", "made_by", "created_at")) == {
            ("create", "upgrade", CREATED)
        }
        for node in MemNode.objects.all():
            told = told_state(node)
            assert told.pop("sources") == ([["import", "before the tree"]] if node.node_type == "leaf" else [])
            assert {name: replayed(node.id)[name] for name in told} == told


def seen(table: str) -> list[UUID]:
    """Of which workspaces the rows are that the application sees now."""
    with connection.cursor() as cursor:
        cursor.execute(SQL("SELECT workspace_id FROM {}").format(Identifier(table)))
        return [row for (row,) in cursor.fetchall()]


def test_nobody_sees_the_histories_of_another_workspace(application: None) -> None:
    assert [table for table in ("mem_nodes", *NEW_TABLES) if seen(table)] == []
    for name in ("Alice", "Charlie"):
        actor = actor_of(name)
        with workspace(actor.workspace_id):
            for table, count in (("mem_nodes", 10), ("mem_revisions", 10), ("mem_sources", 4)):
                assert seen(table) == [actor.workspace_id] * count


def test_the_memories_are_found_and_their_edits_undone(application: None) -> None:
    alice = actor_of("Alice")
    sweep(alice)
    make_vectors(alice)
    leaves = {TOLD["uri"], HALF_TOLD["uri"], "mem://agent/cases/locks", "mem://user/events/fair"}
    assert set(found_uris(alice, "tea")) == leaves
    with workspace(alice.workspace_id):
        node = MemNode.objects.get(uri=TOLD["uri"])
        before = told_state(node)
        node_edit(alice, node_id=node.id, changes={"content": "Coffee."}, version=1)
        change = MemRevision.objects.get(node_id=node.id, number=2).change
        change_undo(alice, node_id=node.id, change_id=change)
        assert told_state(MemNode.objects.get(pk=node.id)) == before


def test_what_follows_from_an_address_is_what_it_is_in_the_tree(application: None) -> None:
    for name in ("Alice", "Charlie"):
        with workspace(actor_of(name).workspace_id):
            for node in MemNode.objects.all():
                category, mergeable = node.category, node.mergeable
                derive(node)
                assert (category, mergeable) == (node.category, node.mergeable), node.uri
            roots = MemNode.objects.filter(uri__in=["mem://user", "mem://agent"])
            assert set(roots.values_list("category", flat=True)) == {""}


@pytest.mark.parametrize("name", ["Alice", "Charlie"])
def test_every_memory_gets_the_short_tiers_that_nobody_wrote(name: str, application: None) -> None:
    actor = actor_of(name)
    sweep(actor)
    assert run_named(actor, "memory_tiers", "tree")
    with workspace(actor.workspace_id):
        rows = {row.uri: row for row in MemNode.objects.all()}
        told = {uri: (row.l0_abstract, row.l1_overview) for uri, row in rows.items()}
        assert told[HALF_TOLD["uri"]] == ("Lisbon", "In Lisbon.")
        assert told["mem://agent/cases/locks"] == (f"{name}'s team locks files.",) * 2
        assert told["mem://user/events/fair"] == (f"{name}'s fair", "")
        assert told[TOLD_DIRECTORY] == ("", TOLD_OF_IT)
        assert "Lisbon" in told["mem://user/profile"][1] and told["mem://agent"][0]
        by_hand = {uri for uri, row in rows.items() if row.tiers_by == PERSON}
        assert by_hand == {TOLD["uri"], HALF_TOLD["uri"], TOLD_DIRECTORY, "mem://user/events/fair"}
        assert not MemNode.objects.exclude(tiers_of=F("content_hash")).exists()
        assert MemRevision.objects.filter(node_id=rows[HALF_TOLD["uri"]].id).count() == 2
        assert tree_faults() == []


def test_the_making_of_a_memory_from_before_can_be_undone(application: None) -> None:
    """It was made at a whole second, which PostgreSQL wrote down in another way than the tree does."""
    alice = actor_of("Alice")
    with workspace(alice.workspace_id):
        node = MemNode.objects.get(uri="mem://user/events/fair")
        change_undo(alice, node_id=node.id, change_id=MemRevision.objects.get(node_id=node.id).change)
        assert MemNode.objects.get(pk=node.id).archived_at
