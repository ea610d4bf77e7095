"""Decisions about values of one attribute."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.inbox.services.decisions import inbox_approve, inbox_replace, inbox_use_both
from apps.inbox.services.rewriting import ItemEdit, inbox_edit
from apps.memory.models import MemConflict
from apps.memory.services.tree.archive import node_approve
from tests.inbox.inboxes import conflict, decide, memory, proposal, row, slot, undo, waiting
from tests.memory.facts import day

pytestmark = pytest.mark.django_db


def test_a_proposal_shows_the_memory_of_the_same_attribute(alice: Actor) -> None:
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"))
    proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", **slot("Oslo"))
    [item] = waiting(alice)
    assert ([one.id for one in item.replaces], item.reason) == ([rome], "same_attribute")


def test_replacing_makes_the_earlier_memory_history(alice: Actor) -> None:
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"))
    oslo = proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", **slot("Oslo"))
    result = decide(alice, inbox_replace, oslo)
    earlier, later = row(alice, rome), row(alice, oslo)
    assert (earlier.superseded_by_id, later.arrival, later.trust) == (oslo, "accepted", "direct_user")
    assert earlier.valid_to is not None
    assert undo(alice, result) == (oslo,)
    assert (row(alice, rome).superseded_by_id, row(alice, rome).valid_to) == (None, None)
    assert row(alice, oslo).arrival == "proposed"


def test_approving_beside_another_value_uses_both(alice: Actor) -> None:
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"))
    oslo = proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", **slot("Oslo"))
    result = decide(alice, inbox_use_both, oslo)
    assert [(row(alice, one).many, row(alice, one).superseded_by_id) for one in (rome, oslo)] == [(True, None)] * 2
    undo(alice, result)
    assert [row(alice, one).many for one in (rome, oslo)] == [False, False]


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


def test_what_no_longer_holds_is_not_replaced_and_contradicts_nothing(alice: Actor) -> None:
    ended = {"valid_to": day(1)}
    past = memory(alice, "mem://user/events/trip", "Alice is in Rome this week.", **ended)
    offered = proposal(alice, "mem://user/events/home", "Alice is in Oslo this week.")
    later = memory(alice, "mem://user/events/office", "Alice is in Bergen this week.")
    conflict(alice, past, offered)
    conflict(alice, past, later)
    [item] = waiting(alice)
    assert (item.id, item.replaces) == (offered, ())
