"""The inbox in the console: proposals and contradictions are decided on behalf of their owners."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.db.models import Model
from django.test import Client

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.common.tenancy import every_workspace
from apps.memory.models import MemConflict, MemNode, MemRevision, Proposal
from tests.console.test_changes import Answer, act
from tests.console.test_memory import staff, told
from tests.console.test_pages import url
from tests.inbox.inboxes import conflict, memory, pair, proposal, row, slot, tool_talk

pytestmark = pytest.mark.django_db
HOOKS = "mem://user/entities/stripe/webhooks"


def waiting(node_id: UUID) -> Proposal:
    with every_workspace():
        return Proposal.objects.get(pk=node_id)


def contradiction(pair_id: UUID) -> MemConflict:
    with every_workspace():
        return MemConflict.objects.get(pk=pair_id)


def listed(console: Client, model: type[Model] = Proposal, **filters: str) -> str:
    return str(console.get(url(model, "changelist"), filters).content.decode())


def take_out(console: Client, node: Model, **more: str) -> Answer:
    data = {"action": "take_source_out", "_selected_action": [str(node.pk)], **more}
    return console.post(url(type(node), "changelist"), data, follow=True)


def test_a_proposal_is_listed_with_its_quote_and_what_it_may_replace(console: Client, alice: Actor) -> None:
    _, result = tool_talk(alice)
    earlier = memory(alice, "mem://user/events/retries", "Stripe never retries.")
    later = proposal(alice, HOOKS, "Stripe retries.", ("message", result))
    conflict(alice, earlier, later)
    page = listed(console)
    assert "Stripe retries." in page
    assert "Stripe retries webhooks for three days." in page
    assert "May replace: Stripe never retries." in page
    assert "mem://user/events/retries" not in page


def test_a_source_that_is_no_id_breaks_no_list(console: Client, alice: Actor) -> None:
    later = proposal(alice, HOOKS, "Stripe retries.")
    with every_workspace():
        waiting(later).sources.update(kind="message", reference="no id")
    assert "Stripe retries." in listed(console)


def test_the_list_is_filtered_by_category_and_source(console: Client, alice: Actor) -> None:
    proposal(alice, HOOKS, "Stripe retries.", ("import", "notes"))
    proposal(alice, "mem://user/events/other", "Something else.")
    assert "Something else." not in listed(console, category__exact="entities")
    assert "Something else." not in listed(console, source="import")
    assert "Stripe retries." in listed(console, source="import")


def test_selected_proposals_are_approved_in_the_operators_name(
    console: Client, operator: User, alice: Actor, charlie: Actor
) -> None:
    ours = proposal(alice, HOOKS, "Stripe retries.")
    theirs = proposal(charlie, HOOKS, "Stripe retries.")
    assert "2 approved." in told(act(console, "approve", waiting(ours), waiting(theirs)))
    assert [row(alice, ours).arrival, row(charlie, theirs).arrival] == ["accepted"] * 2
    with every_workspace():
        assert MemRevision.objects.get(node_id=ours, operation="approve").actor_id == operator.pk


def test_selected_proposals_are_declined(console: Client, alice: Actor) -> None:
    later = proposal(alice, HOOKS, "Stripe retries.")
    assert "1 declined." in told(act(console, "decline", waiting(later)))
    assert row(alice, later).archived_at


def test_a_proposal_replaces_the_earlier_memory_and_others_are_refused(console: Client, alice: Actor) -> None:
    earlier = memory(alice, "mem://user/events/retries", "Stripe never retries.")
    later = proposal(alice, HOOKS, "Stripe retries.")
    other = proposal(alice, "mem://user/events/other", "Something else.")
    conflict(alice, earlier, later)
    messages = told(act(console, "replace", waiting(later), waiting(other)))
    assert "1 replaced." in messages
    assert "There is no memory that it may replace." in messages
    assert row(alice, earlier).superseded_by_id == later
    assert row(alice, other).arrival == "proposed"


@pytest.mark.parametrize(("action", "homes"), [("approve", [True, False]), ("use_both", [False, False])])
def test_two_values_stay_in_use_only_by_an_explicit_decision(
    console: Client, alice: Actor, action: str, homes: list[bool]
) -> None:
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"))
    oslo = proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", **slot("Oslo"))
    act(console, action, waiting(oslo))
    assert [row(alice, one).superseded_by_id is not None for one in (rome, oslo)] == homes


@pytest.mark.parametrize(("action", "decision"), [("replace", "replaced"), ("use_both", "both")])
def test_a_contradiction_is_decided(console: Client, alice: Actor, action: str, decision: str) -> None:
    pair_id, earlier, later = pair(alice)
    assert "The launch is in May." in listed(console, MemConflict)
    act(console, action, contradiction(pair_id))
    assert contradiction(pair_id).decision == decision
    assert row(alice, earlier).superseded_by_id == (later if action == "replace" else None)


def test_a_source_is_taken_out_of_use_after_its_count_was_shown(console: Client, alice: Actor) -> None:
    _, result = tool_talk(alice)
    used = memory(alice, "mem://user/events/used", "In use.", ("message", result))
    node = row(alice, used)
    with every_workspace():
        node = MemNode.objects.get(pk=used)
    page = take_out(console, node)
    assert "Tool web_search" in page.content.decode()
    assert page.context["effect"].affected == 1
    assert row(alice, used).arrival == "accepted"
    done = take_out(console, node, post="act", source="tool:web_search", effect="quarantine")
    assert "1 wait for approval again." in told(done)
    assert row(alice, used).arrival == "proposed"


def test_a_source_can_be_archived_from_the_inbox(console: Client, alice: Actor) -> None:
    later = proposal(alice, HOOKS, "Stripe retries.", ("import", "notes"))
    take_out(console, waiting(later), post="act", source="import:notes", effect="archive")
    assert row(alice, later).archived_at


def test_memories_of_several_owners_or_without_a_source_are_refused(
    console: Client, alice: Actor, charlie: Actor
) -> None:
    ours, theirs = (proposal(actor, HOOKS, "Stripe retries.") for actor in (alice, charlie))
    assert "Choose memories of one owner." in told(act(console, "take_source_out", waiting(ours), waiting(theirs)))
    assert "come from no message or import" in told(act(console, "take_source_out", waiting(ours)))


def test_an_operator_who_may_only_look_decides_nothing(client: Client, alice: Actor) -> None:
    later = proposal(alice, HOOKS, "Stripe retries.")
    reader = staff(client, "view_proposal", "view_memnode")
    act(reader, "approve", waiting(later))
    assert row(alice, later).arrival == "proposed"
