"""Facts that change: a later value supersedes an earlier one, which stays readable as of its time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.engine.memory.trust import Source, trust_of
from apps.memory.models import MemConflict, MemNode
from apps.memory.selectors.fact_history import earlier_values
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.bulk.export import subtree_json
from apps.memory.services.bulk.import_ import items_of_data, items_of_json, tree_import
from apps.memory.services.bulk.learned_draft import LearnedDraft
from apps.memory.services.tree.archive import node_approve, node_archive, node_unarchive
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.node_drafts import Origin
from apps.memory.services.tree.undo.change_undo import change_undo
from tests.memory.facts import CITY, change_of, current, day, fact, found, learn, learned, states

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _sound(alice: Actor) -> Iterator[None]:
    yield
    with workspace(alice.workspace_id):
        assert tree_faults() == []


def test_a_new_value_supersedes_the_old_one_which_remains_as_history(alice: Actor) -> None:
    assert states(learn(alice, learned("Bonn", 1))) == ["created"]
    assert states(learn(alice, learned("Ghent", 30))) == ["replaced"]
    assert current(alice) == ["Ghent"]
    old, new = fact(alice, "Bonn"), fact(alice, "Ghent")
    assert (old.valid_to, old.superseded_by_id, old.archived_at) == (day(30), new.id, None)
    with workspace(alice.workspace_id):
        assert [value.value for value in earlier_values(alice, new.id)] == ["Bonn"]


def test_a_search_finds_what_is_valid_now_or_held_at_a_time(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1), learned("Ghent", 30))
    assert found(alice) == ["I live in Ghent"]
    assert found(alice, as_of=day(2)) == ["I live in Bonn"]
    assert found(alice, as_of=day(31)) == ["I live in Ghent"]
    assert found(alice, as_of=day(0)) == []


def test_the_same_value_in_other_words_adds_a_source(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1))
    assert states(learn(alice, learned("Bonn", 9, words="My flat is in Bonn"))) == ["known"]
    with workspace(alice.workspace_id):
        assert fact(alice, "Bonn").sources.count() == 2
    assert found(alice) == ["I live in Bonn"]


def test_a_less_trusted_value_waits_beside_the_one_in_use(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1))
    assert states(learn(alice, learned("Ghent", 30, source=Source.ASSISTANT))) == ["proposed"]
    assert (current(alice), found(alice)) == (["Bonn"], ["I live in Bonn"])
    with workspace(alice.workspace_id):
        [conflict] = MemConflict.objects.all()
    assert (conflict.earlier_id, conflict.later_id) == (fact(alice, "Bonn").id, fact(alice, "Ghent").id)


def test_an_approved_proposal_supersedes_the_value_in_use(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1), learned("Ghent", 30, source=Source.TOOL))
    with workspace(alice.workspace_id):
        node_approve(alice, node_id=fact(alice, "Ghent").id)
    assert current(alice) == ["Ghent"]
    assert fact(alice, "Bonn").superseded_by_id == fact(alice, "Ghent").id


def test_words_from_before_the_current_value_become_history(alice: Actor) -> None:
    learn(alice, learned("Ghent", 30))
    assert states(learn(alice, learned("Bonn", 1))) == ["outdated"]
    assert (current(alice), found(alice)) == (["Ghent"], ["I live in Ghent"])
    assert found(alice, as_of=day(2)) == ["I live in Bonn"]


def test_words_from_between_two_values_hold_from_then_until_the_later_value(alice: Actor) -> None:
    learn(alice, learned("Bonn", 10), learned("Ghent", 40))
    assert states(learn(alice, learned("Porto", 20), learned("Lille", 5))) == ["outdated", "outdated"]
    assert [found(alice, as_of=day(number)) for number in (7, 15, 25, 45)] == [
        [f"I live in {value}"] for value in ("Lille", "Bonn", "Porto", "Ghent")
    ]
    with workspace(alice.workspace_id):
        change_undo(alice, node_id=fact(alice, "Porto").id, change_id=_change_of(alice, "Porto"))
    assert found(alice, as_of=day(25)) == ["I live in Bonn"]


def _change_of(actor: Actor, value: str) -> UUID:
    return fact(actor, value).revisions.earliest("number").change


def test_an_import_without_dates_does_not_bring_an_old_value_back(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1), learned("Ghent", 30))
    again = [replace(learned(value, 60), is_undated=True) for value in ("Bonn", "Ghent")]
    assert states(learn(alice, *again)) == ["known", "known"]
    assert found(alice) == ["I live in Ghent"]


def test_a_less_trusted_source_is_not_added_to_a_memory(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1))
    inferred = replace(learned("Bonn", 9), origin=Origin(trust_of(Source.INFERRED), by_model=False))
    assert states(learn(alice, inferred)) == ["known"]
    with workspace(alice.workspace_id):
        assert fact(alice, "Bonn").sources.count() == 1


def preference(words: str, on: int) -> LearnedDraft:
    one = learned("", on, words=words)
    return replace(one, draft=replace(one.draft, slot=None, address=Address("mem://user/preferences/reviews")))


def preferences(actor: Actor) -> list[str]:
    with workspace(actor.workspace_id):
        return list(
            MemNode.objects.filter(category="preferences", node_type="leaf").values_list("l2_content", flat=True)
        )


def test_words_that_say_more_are_merged_into_the_memory_and_one_undo_takes_them_back(alice: Actor) -> None:
    short, long = "I prefer short code reviews.", "I prefer short code reviews with examples."
    [first] = learn(alice, preference(short, 1))
    assert first.node_id is not None
    results = learn(alice, preference(long, 2), nearby=[first.node_id])
    assert (states(results), preferences(alice)) == (["merged"], [long])
    assert states(learn(alice, preference(short, 3), nearby=[first.node_id])) == ["known"]
    with workspace(alice.workspace_id):
        row = MemNode.objects.get(l2_content=long)
        assert row.sources.count() == 3
        change_undo(alice, node_id=row.id, change_id=row.revisions.latest("number").change)
        change_undo(alice, node_id=row.id, change_id=change_of(results))
    assert preferences(alice) == [short]


def test_what_a_person_edited_is_not_merged_into(alice: Actor) -> None:
    learn(alice, preference("I prefer short code reviews.", 1))
    with workspace(alice.workspace_id):
        row = MemNode.objects.get(category="preferences", node_type="leaf")
        node_edit(alice, node_id=row.id, changes={"content": "I prefer brief code reviews."}, version=row.version)
    more = preference("I prefer brief code reviews with examples.", 1)
    later = replace(more, draft=replace(more.draft, valid_from=datetime(2099, 1, 1, tzinfo=UTC)))
    assert states(learn(alice, later, nearby=[row.id])) == ["created"]


@pytest.mark.django_db(transaction=True)
def test_facts_with_their_history_are_exported_and_imported(alice: Actor, bob: Actor) -> None:
    learn(alice, learned("Bonn", 1), learned("Ghent", 30))
    file = "".join(subtree_json(alice, Address("mem://user")))
    with workspace(bob.workspace_id):
        results = tree_import(bob, items=items_of_json(file), confirmed=True)
        again = tree_import(bob, items=items_of_json(file), confirmed=True)
    assert {one.state for one in results} == {"created"}
    assert {one.state for one in again} == {"unchanged"}
    assert (found(bob), found(bob, as_of=day(2))) == (["I live in Ghent"], ["I live in Bonn"])
    assert states(learn(bob, learned("Porto", 60))) == ["replaced"]


def test_an_imported_fact_takes_no_slot_that_has_a_current_value(bob: Actor) -> None:
    learn(bob, learned("Ghent", 30))
    item = {"uri": "mem://user/profile/town", "content": "I live in Bonn"}
    slot = {"subject": "user", "attribute": CITY, "value": "Bonn"}
    with workspace(bob.workspace_id):
        [result] = tree_import(bob, items=items_of_data([{**item, "slot": slot}]), confirmed=True)
    assert (result.state, current(bob)) == ("created", ["Ghent"])


def test_one_undo_restores_the_old_value(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1))
    change = change_of(learn(alice, learned("Ghent", 30)))
    with workspace(alice.workspace_id):
        change_undo(alice, node_id=fact(alice, "Ghent").id, change_id=change)
    assert (current(alice), found(alice)) == (["Bonn"], ["I live in Bonn"])
    assert fact(alice, "Bonn").superseded_by_id is None


def test_what_was_undone_is_not_learned_again_from_the_same_words(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1))
    change = change_of(learn(alice, learned("Ghent", 30)))
    with workspace(alice.workspace_id):
        change_undo(alice, node_id=fact(alice, "Ghent").id, change_id=change)
    assert states(learn(alice, learned("Ghent", 30))) == ["known"]
    assert current(alice) == ["Bonn"]


def test_an_edit_is_a_correction_that_the_same_words_do_not_bring_back(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1))
    row = fact(alice, "Bonn")
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=row.id, changes={"content": "I live in Ghent"}, version=row.version)
    assert found(alice) == ["I live in Ghent"]
    assert found(alice, as_of=day(2)) == ["I live in Bonn"]
    assert states(learn(alice, learned("Bonn", 1))) == ["known"]
    assert states(learn(alice, learned("Bonn", 3, words="We live in Bonn"))) == ["outdated"]
    assert found(alice) == ["I live in Ghent"]


def test_undoing_a_correction_restores_what_it_corrected(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1))
    row = fact(alice, "Bonn")
    with workspace(alice.workspace_id):
        edited = node_edit(alice, node_id=row.id, changes={"content": "I live in Ghent"}, version=row.version)
        change = MemNode.objects.get(pk=edited.id).revisions.latest("number").change
        change_undo(alice, node_id=row.id, change_id=change)
    assert found(alice) == ["I live in Bonn"]
    assert current(alice) == ["Bonn"]


def test_a_value_that_comes_back_later_supersedes_in_turn(alice: Actor) -> None:
    assert states(learn(alice, learned("Bonn", 1), learned("Ghent", 30), learned("Bonn", 60)))[-1] == "replaced"
    assert (current(alice), found(alice)) == (["Bonn"], ["I live in Bonn"])
    assert found(alice, as_of=day(31)) == ["I live in Ghent"]


def test_each_memory_of_a_batch_names_the_program_that_found_it(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1), replace(learned("Ghent", 30), made_by="claude"))
    with workspace(alice.workspace_id):
        made = {row.value: row.revisions.earliest("number").made_by for row in MemNode.objects.exclude(value="")}
    assert made == {"Bonn": "rules", "Ghent": "claude"}


def test_an_attribute_with_several_values_keeps_them_all(alice: Actor) -> None:
    speaks = [learned(value, 1, attribute="speaks", many=True, words=f"I speak {value}") for value in ("Dutch", "Thai")]
    assert states(learn(alice, *speaks)) == ["created", "created"]
    assert current(alice, "speaks") == ["Dutch", "Thai"]


def test_facts_about_other_subjects_are_other_slots(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1), learned("Ghent", 30, subject="dario", words="Dario lives in Ghent"))
    assert current(alice) == ["Bonn", "Ghent"]


def test_a_passing_state_is_not_found_after_its_end(alice: Actor) -> None:
    one = learned("Rome", 1, words="I am in Rome")
    state = replace(one, draft=replace(one.draft, valid_to=day(8), slot=None))
    learn(alice, state)
    assert found(alice, "Am I in Rome?") == []
    assert found(alice, "Am I in Rome?", as_of=day(5)) == ["I am in Rome"]


def test_a_later_value_replaces_a_state_that_would_still_hold(alice: Actor) -> None:
    state = learned("Rome", 1, words="I am in Rome until 2099")
    learn(alice, replace(state, draft=replace(state.draft, valid_to=datetime(2099, 1, 1, tzinfo=UTC))))
    assert states(learn(alice, learned("Bonn", 9))) == ["replaced"]
    assert found(alice) == ["I live in Bonn"]


def test_unarchiving_an_old_value_leaves_the_later_one_in_use(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1))
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=fact(alice, "Bonn").id)
    learn(alice, learned("Ghent", 30))
    with workspace(alice.workspace_id):
        node_unarchive(alice, node_id=fact(alice, "Bonn").id)
    assert current(alice, CITY) == ["Ghent"]
    assert fact(alice, "Bonn").superseded_by_id == fact(alice, "Ghent").id
