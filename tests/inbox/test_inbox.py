"""Decisions about what waits in the inbox."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from apps.common.errors import Conflict, Forbidden, NotFound, Stale, Unprocessable
from apps.common.pagination import Page
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import Category
from apps.inbox.records import DecisionRecord, InboxQuery
from apps.inbox.selectors.decided import decided_page
from apps.inbox.selectors.open_items import waiting_count
from apps.inbox.selectors.pages import inbox_page
from apps.inbox.services.decisions import inbox_approve, inbox_decline, inbox_replace, inbox_use_both
from apps.inbox.services.rewriting import ItemEdit, inbox_edit, inbox_merge
from apps.memory.models import MemConflict, MemNode, MemRevision
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.integrity_checks import TreeFault, tree_faults
from apps.memory.selectors.search.find import find
from apps.memory.services.tree.archive import node_approve
from apps.memory.services.tree.share import node_share
from apps.memory.services.tree.undo.change_undo import change_undo
from tests.api.callers import at_once
from tests.compaction.runs import run_due_jobs
from tests.inbox.inboxes import (
    HOOKS,
    HOOKS_TEXT,
    conflict,
    decide,
    decided,
    ids,
    memory,
    pair,
    proposal,
    proposed,
    row,
    slot,
    undo,
    waiting,
)
from tests.memory.recall import at, found_uris, look, make_vectors
from tests.memory.recall import waiting as waiting_for_vectors
from tests.people import person
from tests.statements import recorded_statements

pytestmark = pytest.mark.django_db
__all__ = ["proposed"]


def test_a_proposal_waits_and_a_memory_in_use_does_not(alice: Actor, proposed: UUID) -> None:
    memory(alice, "mem://user/events/kickoff", "We met.")
    [item] = waiting(alice)
    assert (item.id, item.kind, item.memory.content, item.reason) == (proposed, "proposal", HOOKS_TEXT, "untrusted")
    assert item.replaces == item.near_duplicates == ()


def test_an_approved_memory_is_in_use_and_trusted_like_own_words(alice: Actor, proposed: UUID) -> None:
    result = decide(alice, inbox_approve, proposed)
    assert (result.ids, result.skipped, result.waiting) == ((proposed,), (), 0)
    assert (row(alice, proposed).arrival, row(alice, proposed).trust) == ("accepted", "direct_user")
    assert waiting(alice) == []


def test_undoing_an_approval_makes_it_wait_again_with_its_former_trust(alice: Actor, proposed: UUID) -> None:
    result = decide(alice, inbox_approve, proposed)
    assert undo(alice, result) == (proposed,)
    assert (row(alice, proposed).arrival, row(alice, proposed).trust) == ("proposed", "tool")
    assert ids(alice) == {proposed}


def test_a_declined_memory_is_archived_until_that_is_undone(alice: Actor, proposed: UUID) -> None:
    result = decide(alice, inbox_decline, proposed)
    assert row(alice, proposed).archived_at
    assert waiting(alice) == []
    undo(alice, result)
    assert ids(alice) == {proposed}


def test_the_second_decision_is_told_of_the_first(alice: Actor, proposed: UUID) -> None:
    decide(alice, inbox_approve, proposed)
    with pytest.raises(Conflict) as refused:
        decide(alice, inbox_decline, proposed)
    assert refused.value.code == "already_decided"


@pytest.mark.django_db(transaction=True)
def test_of_two_decisions_at_once_one_counts(alice: Actor, proposed: UUID) -> None:
    services = [inbox_approve, inbox_decline, inbox_approve, inbox_decline]

    def act() -> str:
        try:
            decide(alice, services.pop(), proposed)
        except Conflict as error:
            return error.code
        return "done"

    assert sorted(at_once(act)) == ["already_decided"] * 3 + ["done"]
    with workspace(alice.workspace_id):
        assert MemRevision.objects.filter(node_id=proposed, number__gt=1).count() == 1


def test_another_version_than_the_one_seen_is_not_decided(alice: Actor, proposed: UUID) -> None:
    with pytest.raises(Stale):
        decide(alice, inbox_approve, proposed, version=7)
    decide(alice, inbox_approve, proposed, version=1)


def test_what_never_was_an_item_does_not_exist(alice: Actor) -> None:
    with pytest.raises(NotFound):
        decide(alice, inbox_approve, uuid4())


def test_a_conflict_names_what_a_proposal_may_replace_and_why(alice: Actor, proposed: UUID) -> None:
    earlier = memory(alice, "mem://user/entities/stripe/retries", "Stripe never retries webhooks.")
    conflict(alice, earlier, proposed, "negated")
    [item] = waiting(alice)
    assert (item.id, [one.id for one in item.replaces], item.reason) == (proposed, [earlier], "negated")
    decide(alice, inbox_replace, proposed)
    assert row(alice, earlier).superseded_by_id == proposed
    with workspace(alice.workspace_id):
        [stored] = MemConflict.objects.all()
    assert (stored.decision, stored.decided_by_id) == ("replaced", alice.user_id)


def test_two_memories_in_use_wait_as_a_possible_contradiction(alice: Actor) -> None:
    pair_id, earlier, later = pair(alice)
    [item] = waiting(alice)
    assert (item.id, item.kind, item.memory.id) == (pair_id, "contradiction", later)
    assert [one.id for one in item.replaces] == [earlier]


def test_a_contradiction_is_settled_by_replacing_and_open_again_after_any_undo(alice: Actor) -> None:
    pair_id, earlier, later = pair(alice)
    result = decide(alice, inbox_replace, pair_id)
    assert waiting(alice) == []
    assert result.change_id
    with workspace(alice.workspace_id):
        change_undo(alice, node_id=earlier, change_id=result.change_id)
    assert ids(alice) == {pair_id}
    assert row(alice, later).arrival == "accepted"


@pytest.mark.parametrize("service", [inbox_use_both, inbox_approve, inbox_decline])
def test_a_contradiction_that_is_none_changes_no_memory(alice: Actor, service: Callable[..., DecisionRecord]) -> None:
    pair_id, earlier, later = pair(alice)
    result = decide(alice, service, pair_id)
    assert waiting(alice) == []
    assert [row(alice, one).version for one in (earlier, later)] == [1, 1]
    assert undo(alice, result) == (pair_id,)
    with pytest.raises(NotFound):
        undo(alice, result)


def test_a_contradiction_is_over_when_one_of_them_is_archived(alice: Actor) -> None:
    _, earlier, _ = pair(alice)
    with workspace(alice.workspace_id):
        MemNode.objects.filter(pk=earlier).update(archived_at="2026-01-01T00:00Z")
    assert waiting(alice) == []


def test_nothing_can_be_replaced_where_nothing_contradicts(alice: Actor, proposed: UUID) -> None:
    for service in (inbox_replace, inbox_use_both):
        with pytest.raises(Unprocessable) as refused:
            decide(alice, service, proposed)
        assert refused.value.code == "nothing_to_replace"


def test_an_edited_proposal_is_used_with_the_new_words(alice: Actor, proposed: UUID) -> None:
    edit = ItemEdit({"content": "Stripe retries for 72 hours.", "tags": ["stripe"]}, category=Category.EVENTS)
    with workspace(alice.workspace_id):
        result = inbox_edit(alice, item_id=proposed, edit=edit)
    stored = row(alice, proposed)
    assert (stored.l2_content, stored.tags, stored.uri) == (
        "Stripe retries for 72 hours.",
        ["stripe"],
        "mem://user/events/webhooks",
    )
    assert (stored.arrival, stored.trust) == ("accepted", "direct_user")
    undo(alice, result)
    stored = row(alice, proposed)
    assert (stored.l2_content, stored.uri, stored.arrival) == (HOOKS_TEXT, HOOKS, "proposed")


def test_an_edit_can_move_and_replace(alice: Actor) -> None:
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"))
    oslo = proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", **slot("Oslo"))
    edit = ItemEdit({"content": "I live in Bergen."}, to=Address("mem://user/profile/city"), replaces=True)
    with workspace(alice.workspace_id):
        inbox_edit(alice, item_id=oslo, edit=edit)
    assert (row(alice, oslo).uri, row(alice, rome).superseded_by_id) == ("mem://user/profile/city", oslo)


def test_a_merged_proposal_adds_its_words_and_sources(alice: Actor, proposed: UUID) -> None:
    target = memory(alice, "mem://user/entities/stripe/retries", "Retries stop after 72 hours.", ("import", "notes"))
    with workspace(alice.workspace_id):
        result = inbox_merge(alice, item_id=proposed, into_id=target)
    assert row(alice, target).l2_content == f"Retries stop after 72 hours.\n\n{HOOKS_TEXT}"
    assert row(alice, proposed).merged_into_id == target
    assert waiting(alice) == []
    undo(alice, result)
    assert row(alice, target).l2_content == "Retries stop after 72 hours."
    assert ids(alice) == {proposed}


def test_a_proposal_is_not_merged_into_another_or_into_itself(alice: Actor, proposed: UUID) -> None:
    other = proposal(alice, "mem://user/events/other", "Something else.")
    for into_id, error in ((other, Conflict), (proposed, Unprocessable)):
        with pytest.raises(error), workspace(alice.workspace_id):
            inbox_merge(alice, item_id=proposed, into_id=into_id)
    assert ids(alice) == {proposed, other}


def test_many_items_are_decided_and_undone_in_one_change(alice: Actor, proposed: UUID) -> None:
    others = [proposal(alice, f"mem://user/events/e{number}", f"Event {number}.") for number in range(3)]
    pair_id, _, _ = pair(alice)
    result = decide(alice, inbox_decline, proposed, *others, pair_id)
    assert (len(result.ids), result.waiting) == (5, 0)
    assert set(undo(alice, result)) == {proposed, *others, pair_id}


def test_of_many_items_those_that_cannot_be_decided_are_skipped(alice: Actor, proposed: UUID) -> None:
    other = proposal(alice, "mem://user/events/other", "Something else.")
    decide(alice, inbox_approve, other)
    result = decide(alice, inbox_approve, proposed, other, uuid4())
    assert result.ids == (proposed,)
    assert [one.code for one in result.skipped] == ["already_decided", "not_found"]


def test_others_see_and_decide_nothing(alice: Actor, bob: Actor, charlie: Actor, proposed: UUID) -> None:
    pair_id, _, _ = pair(alice)
    for actor in (bob, charlie):
        assert waiting(actor) == []
        for one in (proposed, pair_id):
            with pytest.raises(NotFound):
                decide(actor, inbox_approve, one)


def test_curators_decide_about_the_team(alice: Actor, bob: Actor) -> None:
    case = proposal(alice, "mem://agent/cases/migration", "Migrate one table at a time.", shared=True)
    assert ids(alice) == {case}
    assert waiting(bob) == []
    with pytest.raises(Forbidden):
        decide(bob, inbox_approve, case)
    decide(alice, inbox_approve, case)


def test_a_viewer_decides_nothing(acme: Workspace) -> None:
    vera = person("Vera", acme, Role.VIEWER)
    with pytest.raises(Forbidden):
        decide(vera, inbox_approve, uuid4())


def test_pages_follow_each_other_in_both_orders(alice: Actor) -> None:
    stored = [proposal(alice, f"mem://user/events/e{number}", f"Event {number}.") for number in range(4)]
    pair_id, _, _ = pair(alice)
    every = [*stored, pair_id]

    def pages(*, oldest_first: bool) -> list[UUID]:
        found: list[UUID] = []
        after = None
        while True:
            with workspace(alice.workspace_id):
                page: Page[Any] = inbox_page(alice, InboxQuery(oldest_first=oldest_first), after=after, limit=2)
            found += [item.id for item in page.data]
            if (after := page.next_cursor) is None:
                return found

    assert pages(oldest_first=True) == every
    assert pages(oldest_first=False) == every[::-1]


def test_the_list_is_filtered_by_category(alice: Actor, proposed: UUID) -> None:
    event = proposal(alice, "mem://user/events/other", "Something else.")
    pair_id, _, _ = pair(alice)
    assert {item.id for item in waiting(alice, category="entities")} == {proposed}
    assert {item.id for item in waiting(alice, category="events")} == {event, pair_id}


def test_a_near_duplicate_in_use_is_shown_with_its_similarity(alice: Actor, proposed: UUID) -> None:
    near = memory(alice, "mem://user/entities/stripe/retries", "Stripe retries its webhooks for three days.")
    memory(alice, "mem://user/events/lunch", "We had soup for lunch.")
    make_vectors(alice)
    [item] = waiting(alice)
    [found] = item.near_duplicates
    assert (found.memory.id, 0.8 <= found.similarity <= 1) == (near, True)


def test_no_search_finds_a_proposal_before_or_after_it_has_a_vector(alice: Actor, proposed: UUID) -> None:
    assert found_uris(alice, HOOKS_TEXT) == []
    make_vectors(alice)
    assert found_uris(alice, HOOKS_TEXT) == found_uris(alice, HOOKS_TEXT, as_of=at("2030-01-01")) == []
    assert tree_faults_of(alice) == []


def test_a_decided_proposal_keeps_its_vector_and_is_searched_with_it_at_once(alice: Actor, proposed: UUID) -> None:
    make_vectors(alice)
    result = decide(alice, inbox_approve, proposed)
    [hit] = look(alice, "how long does Stripe retry webhooks").hits
    assert (hit.id, hit.similarity > 0.3, waiting_for_vectors(alice)) == (proposed, True, False)
    undo(alice, result)
    assert found_uris(alice, HOOKS_TEXT) == []


def test_near_duplicates_of_a_whole_page_are_read_by_one_statement(alice: Actor, bob: Actor) -> None:
    near = memory(alice, "mem://user/entities/stripe/retries", "Stripe retries its webhooks for three days.")
    memory(bob, "mem://user/entities/stripe/retries", "Stripe retries its webhooks for three days.")
    for number in range(5):
        proposal(alice, f"{HOOKS}-{number}", HOOKS_TEXT)
    make_vectors(alice)
    with recorded_statements() as statements:
        items = waiting(alice)
    assert [[one.memory.id for one in item.near_duplicates] for item in items] == [[near]] * 5
    assert sum("mem_embeddings" in sql for sql in statements) == 1


def test_decisions_are_listed_with_their_undo(alice: Actor, proposed: UUID) -> None:
    other = proposal(alice, "mem://user/events/other", "Something else.")
    pair_id, _, later = pair(alice)
    approved = decide(alice, inbox_approve, proposed)
    decide(alice, inbox_decline, other)
    decide(alice, inbox_use_both, pair_id)
    undo(alice, approved)
    listed = [(one.verdict, one.memory_id, one.count, one.undone, one.actor_name) for one in decided(alice)]
    assert listed == [
        ("keep_both", later, 1, False, "Alice"),
        ("decline", other, 1, False, "Alice"),
        ("approve", proposed, 1, True, "Alice"),
    ]


def test_a_redone_decision_is_not_listed_as_undone(alice: Actor, proposed: UUID) -> None:
    approved = decide(alice, inbox_approve, proposed)
    undo(alice, approved)
    with workspace(alice.workspace_id):
        undone_in = MemRevision.objects.get(node_id=proposed, undoes=approved.change_id).change
        change_undo(alice, node_id=proposed, change_id=undone_in)
    assert [one.undone for one in decided(alice)] == [False]


def test_the_list_of_decisions_has_pages_and_is_the_actors_own(alice: Actor, bob: Actor) -> None:
    for number in range(3):
        decide(alice, inbox_decline, proposal(alice, f"mem://user/events/e{number}", f"Event {number}."))
    with workspace(alice.workspace_id):
        first = decided_page(alice, limit=2)
        second = decided_page(alice, after=first.next_cursor, limit=2)
    assert (len(first.data), len(second.data), second.next_cursor) == (2, 1, None)
    assert decided(bob) == []


def test_approval_on_the_memorys_page_is_listed_too(alice: Actor, proposed: UUID) -> None:
    with workspace(alice.workspace_id):
        node_approve(alice, node_id=proposed)
    assert [one.verdict for one in decided(alice)] == ["approve"]


def test_an_approved_memory_is_found_and_the_tree_is_sound(alice: Actor, proposed: UUID) -> None:
    decide(alice, inbox_approve, proposed)
    run_due_jobs()
    with workspace(alice.workspace_id):
        hits = find(alice, SearchQuery("how long does Stripe retry webhooks")).hits
        assert [hit.id for hit in hits] == [proposed]
        assert waiting_count(alice) == 0
        assert tree_faults() == []


def test_a_private_memory_is_not_named_beside_the_shared_one_that_it_may_replace(alice: Actor, bob: Actor) -> None:
    earlier = memory(alice, "mem://agent/patterns/deploys", "Deploys run on Mondays.")
    later = memory(alice, "mem://agent/patterns/deploys-later", "Deploys run on Fridays.")
    conflict(alice, earlier, later)
    with workspace(alice.workspace_id):
        node_share(alice, node_id=earlier)
    assert _disputes(alice) == {"Deploys run on Mondays.": "Deploys run on Fridays.", "Deploys run on Fridays.": ""}
    assert _disputes(bob) == {"Deploys run on Mondays.": ""}


def tree_faults_of(actor: Actor) -> list[TreeFault]:
    with workspace(actor.workspace_id):
        return tree_faults()


def _disputes(actor: Actor) -> dict[str, str]:
    with workspace(actor.workspace_id):
        return {hit.abstract: hit.disputed_by for hit in find(actor, SearchQuery("When do deploys run?")).hits}
