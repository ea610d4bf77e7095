"""Pairs of statements to train on: what writers made, and what their messages hold beside it."""

from __future__ import annotations

from apps.engine.reading.labels import RELATIONS
from studies.reading.folds import FOLDS
from studies.reading.material import MATERIAL, conversation_rows, pairs
from studies.reading.pairs import OVERTURNED, UNRELATED, conversation_pairs, training_pairs


def test_pairs_have_relations_that_the_reader_knows() -> None:
    assert {pair.relation for pair in training_pairs()} == set(RELATIONS)


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
