"""Approval of a value of a slot: the dates of the words decide, unless a person says that both values hold."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.memory.models import MemConflict
from apps.memory.services.inbox.decisions import inbox_approve, inbox_replace
from apps.memory.services.inbox.rewriting import ItemEdit, inbox_edit
from apps.memory.services.tree.archive import node_approve
from tests.memory.facts import day
from tests.memory.inboxes import conflict, memory, proposal, row, slot
from tests.memory.test_inbox import decide, undo

pytestmark = pytest.mark.django_db

APPROVALS: list[Callable[[Actor, UUID], object]] = [
    lambda actor, node_id: inbox_approve(actor, item_ids=[node_id]),
    lambda actor, node_id: node_approve(actor, node_id=node_id),
    lambda actor, node_id: inbox_edit(actor, item_id=node_id, edit=ItemEdit({"tags": ["home"]})),
]


@pytest.mark.parametrize("approve", APPROVALS)
def test_an_approved_value_with_later_words_supersedes_the_current_one(
    alice: Actor, approve: Callable[[Actor, UUID], object]
) -> None:
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"), valid_from=day(10))
    oslo = proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", **slot("Oslo"), valid_from=day(30))
    with workspace(alice.workspace_id):
        approve(alice, oslo)
    assert (row(alice, rome).superseded_by_id, row(alice, rome).valid_to) == (oslo, day(30))
    assert [row(alice, one).many for one in (rome, oslo)] == [False, False]


@pytest.mark.parametrize("approve", APPROVALS)
def test_an_approved_value_with_earlier_words_becomes_history(
    alice: Actor, approve: Callable[[Actor, UUID], object]
) -> None:
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"), valid_from=day(30))
    oslo = proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", **slot("Oslo"), valid_from=day(10))
    with workspace(alice.workspace_id):
        approve(alice, oslo)
    assert (row(alice, oslo).arrival, row(alice, oslo).superseded_by_id) == ("accepted", rome)
    assert row(alice, rome).valid_to is None


def test_a_replacing_value_holds_from_the_decision_on(alice: Actor) -> None:
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"), valid_from=day(30))
    oslo = proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", **slot("Oslo"), valid_from=day(10))
    decide(alice, inbox_replace, oslo)
    later = row(alice, oslo)
    assert later.valid_from
    assert later.valid_from > day(30)
    assert (row(alice, rome).superseded_by_id, row(alice, rome).valid_to) == (oslo, later.valid_from)


def test_an_edit_keeps_both_values_only_if_it_says_so(alice: Actor) -> None:
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"))
    oslo = proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", **slot("Oslo"))
    with workspace(alice.workspace_id):
        inbox_edit(alice, item_id=oslo, edit=ItemEdit({"tags": ["home"]}, replaces=False))
    assert [(row(alice, one).many, row(alice, one).superseded_by_id) for one in (rome, oslo)] == [(True, None)] * 2


def test_of_proposals_of_one_attribute_that_are_approved_together_the_last_is_current(alice: Actor) -> None:
    rome, oslo, bergen = (
        proposal(alice, f"mem://user/profile/{value}", f"Alice lives in {value}.", **slot(value), valid_from=day(on))
        for value, on in (("rome", 20), ("oslo", 30), ("bergen", 10))
    )
    result = decide(alice, inbox_approve, rome, oslo, bergen)
    assert set(result.ids) == {rome, oslo, bergen}
    assert [row(alice, one).superseded_by_id for one in (bergen, rome, oslo)] == [rome, oslo, None]
    assert set(undo(alice, result)) == {rome, oslo, bergen}


def test_an_approval_decides_the_conflict_with_what_it_superseded(alice: Actor) -> None:
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"))
    oslo = proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", **slot("Oslo"))
    kickoff = memory(alice, "mem://user/events/kickoff", "Alice met the team in Rome.")
    conflicts = [conflict(alice, earlier, oslo) for earlier in (rome, kickoff)]
    result = decide(alice, inbox_approve, oslo)
    with workspace(alice.workspace_id):
        decisions = [MemConflict.objects.get(pk=one).decision for one in conflicts]
    assert (decisions, row(alice, kickoff).superseded_by_id) == (["replaced", "both"], None)
    assert undo(alice, result) == (oslo,)
