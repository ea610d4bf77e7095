"""What changes something known is kept, however unlikely it is to be worth it for itself."""

from __future__ import annotations

from dataclasses import replace

from apps.engine.extraction.candidate import Extraction
from apps.engine.extraction.changes import with_changes
from tests.engine.extraction.talk import candidate

STEAK, TOWN, WEATHER = (
    candidate(text) for text in ("Finally eating meat again.", "We left Oslo.", "The rain has stopped.")
)
OLD = "The user is vegetarian."


def test_of_several_possible_statements_the_one_is_kept_that_ends_most_surely() -> None:
    endings = {STEAK.statement: {OLD: 0.97}, WEATHER.statement: {OLD: 0.91}}
    assert with_changes(Extraction((), (), possible=(WEATHER, STEAK)), endings).candidates == (STEAK,)


def test_of_a_passage_the_shortest_statement_is_kept_that_surely_ends_something() -> None:
    text = "Ugh, a new contract. 710 a month now, signed it."
    whole, part = (replace(candidate(text, quote), passage=text) for quote in (text, "710 a month now"))
    endings = {whole.statement: {OLD: 0.97}, part.statement: {OLD: 0.96}}
    assert with_changes(Extraction((), (), possible=(whole, part)), endings).candidates == (part,)
    endings[part.statement][OLD] = 0.5
    assert with_changes(Extraction((), (), possible=(whole, part)), endings).candidates == (whole,)


def test_nothing_is_added_for_what_a_likely_statement_ends() -> None:
    endings = {STEAK.statement: {OLD: 0.97}, TOWN.statement: {OLD: 0.95}}
    found = with_changes(Extraction((TOWN,), (), possible=(STEAK,)), endings)
    assert found.candidates == (TOWN,)


def test_the_order_of_the_words_is_kept() -> None:
    later = replace(TOWN, quote=replace(TOWN.quote, index=9))
    endings = {STEAK.statement: {OLD: 0.97}}
    assert with_changes(Extraction((later,), (), possible=(STEAK,)), endings).candidates == (STEAK, later)


def test_what_ends_nothing_surely_is_left_out() -> None:
    found = with_changes(Extraction((TOWN,), (), possible=(STEAK,)), {STEAK.statement: {OLD: 0.6}})
    assert found == Extraction((TOWN,), ())


def test_what_surely_ends_something_known_waits_for_nobody() -> None:
    doubtful = replace(STEAK, is_sure=False)
    for chance, is_sure in ((0.9, True), (0.6, False)):
        (found,) = with_changes(Extraction((doubtful,), ()), {STEAK.statement: {OLD: chance}}).candidates
        assert found.is_sure is is_sure
