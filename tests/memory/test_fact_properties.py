"""Random sequences of learned facts, edits, approvals and undos: one current value per slot, and trust never rises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.actors import Actor
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.engine.memory.trust import Source, Trust, trust_of
from apps.memory.models import MemNode, MemRevision, NodeType, Operation
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.bulk.learn import memories_learn
from apps.memory.services.tree.archive import node_approve, node_archive, node_unarchive
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.undo.change_undo import change_undo
from tests.memory.facts import learned

pytestmark = pytest.mark.django_db

RANKS = list(Trust)
picks = st.integers(0, 20)
values = st.sampled_from(("Bonn", "Ghent", "Lille"))
sources = st.sampled_from((Source.QUOTED, Source.QUOTED, Source.INFERRED, Source.TOOL))
steps = st.one_of(
    st.tuples(st.just("learn"), values, st.integers(0, 50), sources),
    st.tuples(st.just("learn"), values, st.integers(0, 50), sources),
    st.tuples(st.just("edit"), picks, values),
    st.tuples(st.just("approve"), picks),
    st.tuples(st.just("archive"), picks),
    st.tuples(st.just("unarchive"), picks),
    st.tuples(st.just("undo"), picks),
)


@dataclass
class Session:
    actor: Actor

    def perform(self, name: str, *values: object) -> None:
        act: Callable[..., object] = getattr(self, f"_{name}")
        try:
            with transaction.atomic():
                act(*values)
        except ContinuityError:
            pass
        assert tree_faults() == []

    def _learn(self, value: str, on: int, source: Source) -> None:
        memories_learn(self.actor, drafts=[learned(value, on, source=source)])

    def _edit(self, pick: int, value: str) -> None:
        row = self._leaf(pick)
        node_edit(self.actor, node_id=row.id, changes={"content": f"I live in {value}!"}, version=row.version)

    def _approve(self, pick: int) -> None:
        node_approve(self.actor, node_id=self._leaf(pick).id)

    def _archive(self, pick: int) -> None:
        node_archive(self.actor, node_id=self._leaf(pick).id)

    def _unarchive(self, pick: int) -> None:
        node_unarchive(self.actor, node_id=self._leaf(pick).id)

    def _undo(self, pick: int) -> None:
        row = self._leaf(pick)
        revision = MemRevision.objects.filter(node_id=row.id).latest("number")
        change_undo(self.actor, node_id=row.id, change_id=revision.change)

    def _leaf(self, pick: int) -> MemNode:
        leaves = MemNode.objects.filter(node_type=NodeType.LEAF).order_by("created_at", "id")
        if not leaves:
            raise ContinuityError("There is no memory yet.")
        return leaves[pick % len(leaves)]


@pytest.mark.slow("it plays many generated histories")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(steps, min_size=3, max_size=15))
def test_a_slot_has_one_current_value_whatever_happens(alice: Actor, session: list[tuple[str, ...]]) -> None:
    with transaction.atomic():
        with workspace(alice.workspace_id):
            for name, *arguments in session:
                Session(alice).perform(name, *arguments)
            _check_trust()
        transaction.set_rollback(True)


def _check_trust() -> None:
    """Only an approval, or undoing what lowered it, raises the trust of a memory."""
    for revision in MemRevision.objects.exclude(operation__in=(Operation.APPROVE, Operation.UNDO)):
        before, after = revision.before.get("trust"), revision.after.get("trust")
        if before and after:
            assert RANKS.index(Trust(after)) >= RANKS.index(Trust(before))
    for row in MemNode.objects.filter(node_type=NodeType.LEAF, arrival="accepted"):
        is_approved = row.revisions.filter(operation=Operation.APPROVE).exists()
        if not is_approved and row.revisions.filter(after__arrival="proposed").exists():
            raise AssertionError(f"{row.uri} is in use, but nobody approved it")
        assert is_approved or RANKS.index(Trust(row.trust)) <= RANKS.index(trust_of(Source.INFERRED))
