"""Pairs of statements to train on: what writers made, and what their messages hold beside it."""

from __future__ import annotations

import pytest

from apps.engine.reading.labels import RELATIONS
from studies.reading.folds import FOLDS
from studies.reading.material import MATERIAL, all_writers, conversation_rows, pairs, rows
from studies.reading.pairs import (
    OF_A_PERSON,
    OVERTURNED,
    UNRELATED,
    bank_pairs,
    conversation_pairs,
    message_pairs,
    slot_pairs,
    training_pairs,
    written_pairs,
)


def test_pairs_have_relations_that_the_reader_knows() -> None:
    assert {pair.relation for pair in training_pairs()} == set(RELATIONS)


@pytest.mark.slow("it makes all pairs of the material")
def test_what_is_left_out_is_in_no_training() -> None:
    left_out = set(FOLDS[0])
    known = {pair.id for pair in training_pairs(left_out)}
    assert not {pair.id for writer in left_out for pair in pairs(writer)} & known
    assert len(training_pairs()) > len(known) > 2_000


def test_of_a_conversation_a_fact_overturns_only_what_its_labels_say() -> None:
    writers = {row.writer for row in conversation_rows()}
    made = [pair for writer in writers for pair in conversation_pairs(MATERIAL / writer)]
    overturned = [pair for pair in made if pair.relation == OVERTURNED]
    assert 60 < len(overturned) < len(made) / 5
    assert {pair.relation for pair in made} == {OVERTURNED, UNRELATED}
    both = {(pair.old, pair.new) for pair in made if pair.relation == UNRELATED}
    assert not both & {(pair.old, pair.new) for pair in overturned}


def test_a_person_has_one_value_of_some_attributes() -> None:
    facts = {fact.statement: fact for writer in all_writers() for row in rows(writer) for fact in row.facts}
    made = [pair for writer in all_writers() for pair in slot_pairs(rows(writer))]
    assert len(made) > 200
    assert all(facts[pair.old].attribute in OF_A_PERSON and facts[pair.old].about == "user" for pair in made)


def test_of_a_bank_only_what_a_message_ends_is_overturned() -> None:
    bank = {
        "id": "x",
        "lang": "en",
        "memories": ["Atlas runs on PostgreSQL.", "Atlas ships on Tuesdays.", "We keep a cat."],
        "messages": [{"text": "Tuesdays were madness, Atlas ships on Thursdays.", "ends": [1]}],
    }
    made = list(bank_pairs(bank))
    of_message = {pair.old: pair.relation for pair in made if pair.new == bank["messages"][0]["text"]}
    assert of_message == dict.fromkeys(bank["memories"], UNRELATED) | {"Atlas ships on Tuesdays.": OVERTURNED}
    assert {pair.relation for pair in made if pair.old in bank["memories"] and pair.new in bank["memories"]} == {
        UNRELATED
    }


def test_the_pairs_of_a_writer_have_ids_of_their_own() -> None:
    ids = [pair.id for writer in all_writers() for pair in written_pairs(writer)]
    assert len(ids) == len(set(ids)) > 9_000


def test_a_message_is_compared_with_memories_on_something_else() -> None:
    told = rows("w30")
    made = list(message_pairs(told))
    by_text = {row.text: row for row in told}
    facts = {fact.statement: fact for row in told for fact in row.facts}
    for pair in made:
        own = {(fact.about, fact.attribute) for fact in by_text[pair.new].facts}
        assert (facts[pair.old].about, facts[pair.old].attribute) not in own
    assert {pair.relation for pair in made} == {UNRELATED}
