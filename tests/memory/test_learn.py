"""Facts that change: a later value supersedes an earlier one, which stays readable as of its time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.trust import Source
from apps.memory.models import MemConflict, MemNode
from apps.memory.selectors.fact_history import earlier_values
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.tree.archive import node_approve, node_archive, node_unarchive
from apps.memory.services.tree.edit import node_edit
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


def test_a_search_finds_what_holds_now_or_held_at_a_time(alice: Actor) -> None:
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


def test_unarchiving_an_old_value_leaves_the_later_one_in_use(alice: Actor) -> None:
    learn(alice, learned("Bonn", 1))
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=fact(alice, "Bonn").id)
    learn(alice, learned("Ghent", 30))
    with workspace(alice.workspace_id):
        node_unarchive(alice, node_id=fact(alice, "Bonn").id)
    assert current(alice, CITY) == ["Ghent"]
    assert fact(alice, "Bonn").superseded_by_id == fact(alice, "Ghent").id
