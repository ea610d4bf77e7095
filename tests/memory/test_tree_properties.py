"""Random operations of Alice and Bob on their trees preserve the invariants and the history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from uuid import UUID

import pytest
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.actors import Actor
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import FIXED
from apps.engine.memory.trust import Trust
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.selectors.tree import subtree
from apps.memory.services.bulk.create import nodes_create_bulk
from apps.memory.services.bulk.import_ import ImportItem, tree_import
from apps.memory.services.tree.archive import node_archive, node_unarchive
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.delete_permanently import node_erase
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.merge import nodes_merge
from apps.memory.services.tree.move import node_move
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.tree.share import node_share
from apps.memory.services.tree.undo.change_undo import change_undo
from tests.memory.trees import replayed, told_state

pytestmark = pytest.mark.django_db

NAMES = ("a", "a-b", "b")
PLACES = [
    *(f"mem://user/entities/{one}" for one in NAMES),
    *(f"mem://user/entities/{one}/{two}" for one in NAMES for two in NAMES),
    *(f"mem://agent/cases/{one}" for one in NAMES),
    *(f"mem://agent/cases/{one}/{two}" for one in ("a", "b") for two in NAMES),
    "mem://user/preferences/a/b/a",
]
Row = TypeVar("Row", bound=Model)
TEXTS = ("One.", "Two.", "Three.")

# The beginning of a session: memories written by a person, or for the team.
STANDING = (*PLACES[3:9], *PLACES[15:21])

places, texts, picks, names = (
    st.sampled_from(PLACES),
    st.sampled_from(TEXTS),
    st.integers(0, 30),
    st.sampled_from((*NAMES, "c", "d", "c/d")),
)
steps = st.one_of(
    st.tuples(st.just("create"), places, texts, st.booleans()),
    st.tuples(st.just("directory"), places, st.booleans()),
    st.tuples(st.just("bulk"), st.lists(st.tuples(places, texts), max_size=5)),
    st.tuples(st.just("imported"), st.lists(st.tuples(places, texts, st.sampled_from(Trust)), max_size=5)),
    st.tuples(st.just("edit"), picks, texts),
    st.tuples(st.just("move"), picks, picks, names),
    st.tuples(st.just("move_to_root"), picks, st.sampled_from(sorted(map(str, FIXED))), names, st.booleans()),
    st.tuples(st.just("merge"), picks, picks),
    st.tuples(st.just("archive"), picks),
    st.tuples(st.just("restore"), picks),
    st.tuples(st.just("share"), picks),
    st.tuples(st.just("share_and_back"), picks, names, st.booleans()),
    st.tuples(st.just("erase"), picks),
    st.tuples(st.just("undo"), picks),
    st.tuples(st.just("undo_twice"), picks),
)
sessions = st.lists(st.tuples(st.booleans(), steps), min_size=5, max_size=30)


@dataclass
class Play:
    """One run: the actors, and the deleted addresses of each tree that no person has created again."""

    alice: Actor
    bob: Actor
    erased_places: set[tuple[UUID | None, str]] = field(default_factory=set)
    erased_texts: set[tuple[UUID | None, str]] = field(default_factory=set)

    def step(self, actor: Actor, name: str, *values: Any) -> None:
        action: Callable[..., None] = getattr(self, name)
        try:
            with transaction.atomic(), workspace(actor.workspace_id):
                action(actor, *values)
        except ContinuityError:
            pass

    def create(self, actor: Actor, uri: str, content: str, shared: bool) -> None:
        node = node_create(actor, draft=NodeDraft(Address(uri), content, shared=shared))
        self._by_hand(node.owner_id, uri)

    def directory(self, actor: Actor, uri: str, shared: bool) -> None:
        node = node_create(actor, draft=NodeDraft(Address(uri), is_directory=True, shared=shared))
        self._by_hand(node.owner_id, uri)

    def bulk(self, actor: Actor, items: list[tuple[str, str]]) -> None:
        results = nodes_create_bulk(actor, drafts=[NodeDraft(Address(uri), content) for uri, content in items])
        assert [result.position for result in results] == list(range(len(items)))
        for result in results:
            if result.state == "created":
                self._by_hand(actor.user_id, result.uri)

    def imported(self, actor: Actor, items: list[tuple[str, str, Trust]]) -> None:
        told = [ImportItem(uri, NodeDraft(Address(uri), content), trust) for uri, content, trust in items]
        standing = set(MemNode.objects.filter(owner_id=actor.user_id).values_list("uri", flat=True))
        results = tree_import(actor, items=told, confirmed=True)
        for result, (uri, content, _) in zip(results, items, strict=True):
            if result.state in ("created", "updated"):
                above = {one.text for one in (Address(uri), *Address(uri).ancestors)} - standing
                assert not {(actor.user_id, place) for place in above} & self.erased_places
                assert (actor.user_id, content) not in self.erased_texts

    def begin(self) -> None:
        """Create memories in every part of both trees and of the team's."""
        for actor in (self.alice, self.bob):
            with workspace(actor.workspace_id):
                drafts = [NodeDraft(Address(uri), f"{TEXTS[place % 3]}") for place, uri in enumerate(STANDING)]
                nodes_create_bulk(actor, drafts=drafts)
        with workspace(self.alice.workspace_id):
            nodes_create_bulk(self.alice, drafts=[replace(one, shared=True) for one in drafts[6:]])

    def edit(self, actor: Actor, pick: int, content: str) -> None:
        node = self._node(actor, pick, node_type="leaf")
        node_edit(actor, node_id=node.id, changes={"content": content}, version=node.version)

    def move(self, actor: Actor, pick: int, other: int, name: str) -> None:
        node = self._node(actor, pick)
        directories = MemNode.objects.filter(owner_id=node.owner_id, node_type="dir", archived_at__isnull=True)
        into = self._picked(directories.filter(uri__startswith="/".join(node.uri.split("/")[:4])).order_by("id"), other)
        self._move(actor, node, f"{into.uri}/{name}")

    def move_to_root(self, actor: Actor, pick: int, root: str, name: str, back: bool) -> None:
        """Move a node into one of the fixed directories, which may not exist yet, and perhaps out again."""
        node = self._node(actor, pick)
        self._move(actor, node, f"{root}/{name}")
        if back:
            before = MemRevision.objects.filter(node_id=node.id).order_by("-number")[0]
            change_undo(actor, node_id=node.id, change_id=before.change)
            assert MemNode.objects.get(pk=node.id).uri == node.uri

    def _move(self, actor: Actor, node: MemNode, uri: str) -> None:
        below = [one for one in MemNode.objects.filter(owner_id=node.owner_id) if self._is_below(one.id, node)]
        node_move(actor, node_id=node.id, to=Address(uri), version=node.version)
        for one in below:
            assert MemNode.objects.get(pk=one.id).uri == uri + one.uri[len(node.uri) :]

    def merge(self, actor: Actor, pick: int, other: int) -> None:
        node = self._node(actor, pick, node_type="leaf")
        source = self._node(actor, other, node_type="leaf", owner_id=node.owner_id)
        merged = nodes_merge(actor, target_id=node.id, source_ids=[source.id], version=node.version)
        ranks = list(Trust)
        assert ranks.index(Trust(merged.trust)) == max(ranks.index(Trust(one.trust)) for one in (node, source))

    def archive(self, actor: Actor, pick: int) -> None:
        node_archive(actor, node_id=self._node(actor, pick).id)

    def restore(self, actor: Actor, pick: int) -> None:
        node_unarchive(actor, node_id=self._node(actor, pick, archived_at__isnull=False).id)

    def share(self, actor: Actor, pick: int) -> None:
        node_share(actor, node_id=self._node(actor, pick).id)

    def share_and_back(self, actor: Actor, pick: int, name: str, written_in: bool) -> None:
        """Share a node and unshare it, which fails if the team has written in it in between."""
        node = self._node(actor, pick, owner_id=actor.user_id, uri__startswith="mem://agent/")
        shared = node_share(actor, node_id=node.id)
        if written_in:
            self.create(actor, f"{shared.uri}/{name}", TEXTS[0], True)
        change = MemRevision.objects.filter(node_id=node.id).order_by("-number")[0].change
        change_undo(actor, node_id=node.id, change_id=change)
        assert not written_in
        assert MemNode.objects.get(pk=node.id).owner_id == actor.user_id

    def erase(self, actor: Actor, pick: int) -> None:
        node = self._node(actor, pick)
        gone = [one for one in MemNode.objects.filter(owner_id=node.owner_id) if self._is_below(one.id, node)]
        node_erase(actor, node_id=node.id)
        for one in gone:
            self.erased_places.add((one.owner_id, one.uri))
            self.erased_texts |= {(one.owner_id, one.l2_content)} if one.l2_content else set()

    def undo(self, actor: Actor, pick: int) -> None:
        revision = self._revision(actor, pick)
        change_undo(actor, node_id=revision.node_id, change_id=revision.change)
        for uri in MemNode.objects.filter(archived_at=None).values_list("owner_id", "uri"):
            self.erased_places.discard(uri)

    def undo_twice(self, actor: Actor, pick: int) -> None:
        """Check that an undone undo changes nothing."""
        revision = self._revision(actor, pick)
        before = self._states()
        change_undo(actor, node_id=revision.node_id, change_id=revision.change)
        made = MemRevision.objects.filter(undoes=revision.change).order_by("-id")[:1].get()
        try:
            change_undo(actor, node_id=made.node_id, change_id=made.change)
        except ContinuityError as error:
            raise AssertionError(f"an undo cannot be undone: {error.code}") from error
        after = self._states()
        in_use = {node_id: state for node_id, state in after.items() if node_id in before or not state["archived_at"]}
        assert in_use == before

    def check(self) -> None:
        with workspace(self.alice.workspace_id):
            assert tree_faults() == []
            for row in MemNode.objects.all():
                state, told = told_state(row), replayed(row.id)
                assert told.pop("uri").rpartition("/")[2] == state.pop("uri").rpartition("/")[2]
                assert told == state
            for actor in (self.alice, self.bob):
                for root in ("mem://user", "mem://agent"):
                    self._check_seen(actor, Address(root))

    def _check_seen(self, actor: Actor, root: Address) -> None:
        """Check that the actor sees own and team memories only."""
        seen = {record.id for record in subtree(actor, root, most=1_000).data}
        others = MemNode.objects.exclude(owner_id=actor.user_id).exclude(owner_id=None)
        assert not seen & set(others.values_list("id", flat=True))

    def _states(self) -> dict[UUID, dict[str, Any]]:
        return {row.id: told_state(row) for row in MemNode.objects.all()}

    def _by_hand(self, owner_id: UUID | None, uri: str) -> None:
        for place in (Address(uri), *Address(uri).ancestors):
            self.erased_places.discard((owner_id, place.text))

    def _is_below(self, node_id: UUID, above: MemNode) -> bool:
        uri = MemNode.objects.get(pk=node_id).uri
        return uri == above.uri or uri.startswith(f"{above.uri}/")

    def _node(self, actor: Actor, pick: int, **wanted: Any) -> MemNode:
        """Pick a node that the actor sees, or occasionally any node."""
        rows = MemNode.objects.filter(**{"archived_at__isnull": True, **wanted}).exclude(uri__in=map(str, FIXED))
        if pick % 10:
            rows = rows.filter(Q(owner_id=actor.user_id) | Q(owner_id=None))
        return self._picked(rows.order_by("id"), pick)

    def _revision(self, actor: Actor, pick: int) -> MemRevision:
        rows = MemRevision.objects.order_by("-id")
        if pick % 10:
            seen = MemNode.objects.filter(Q(owner_id=actor.user_id) | Q(owner_id=None))
            rows = rows.filter(node__in=seen)
        return self._picked(rows, pick)

    def _picked(self, rows: QuerySet[Row], pick: int) -> Row:
        found = list(rows[:31])
        if not found:
            raise ContinuityError("nothing there")
        return found[pick % len(found)]


@given(session=sessions)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    # Each example is many transactions: 10 in the normal run, 400 in the long one.
    max_examples=settings().max_examples // 5,
)
def test_the_tree_stays_whole(session: list[tuple[bool, tuple[Any, ...]]], alice: Actor, bob: Actor) -> None:
    with transaction.atomic():
        play = Play(alice, bob)
        play.begin()
        for by_alice, (name, *values) in session:
            play.step(alice if by_alice else bob, name, *values)
        play.check()
        transaction.set_rollback(True)
