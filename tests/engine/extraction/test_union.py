"""What rules and a model found in the same words."""

from __future__ import annotations

from dataclasses import replace

from apps.engine.extraction.candidate import Candidate, Extraction, Quote, Refused
from apps.engine.extraction.judgement import Refusal
from apps.engine.extraction.own_words import Span
from apps.engine.extraction.union import united
from apps.engine.memory.categories import Category
from apps.engine.memory.slots import Slot
from apps.engine.memory.trust import Source


def found(start: int, end: int, by: str, source: Source = Source.QUOTED, message: int = 0) -> Candidate:
    quote = Quote(f"message-{message}", message, Span(start, end), "-")
    return Candidate(Category.ENTITIES, f"{by} {start}", quote, source, by, 0.8)


def rules(*candidates: Candidate, refused: tuple[Refused, ...] = ()) -> Extraction:
    return Extraction(candidates, refused)


def names(extraction: Extraction) -> list[str]:
    return [one.statement for one in extraction.candidates]


def test_the_same_words_give_one_candidate_the_models() -> None:
    assert names(united(rules(found(0, 20, "rule")), [found(5, 20, "model")])) == ["model 5"]


def test_other_words_and_messages_remain_in_their_order() -> None:
    by_rules = rules(found(0, 9, "rule"), found(30, 50, "rule"), found(0, 9, "rule", message=1))
    assert names(united(by_rules, [found(12, 28, "model")])) == ["rule 0", "model 12", "rule 30", "rule 0"]


def test_what_waits_for_a_person_takes_no_place_of_their_own_words() -> None:
    claims = [found(0, 20, "model", Source.ASSISTANT), found(0, 20, "file", Source.FILE)]
    assert names(united(rules(found(0, 20, "rule")), claims)) == ["rule 0"]
    assert names(united(rules(), claims)) == ["model 0", "file 0"]


def test_what_a_person_implies_takes_the_place_of_the_rules_quote() -> None:
    claim = found(0, 20, "model", Source.INFERRED)
    assert names(united(rules(found(0, 20, "rule")), [claim])) == ["model 0"]


def test_a_claim_that_is_made_twice_is_stored_once() -> None:
    assert names(united(rules(), [found(0, 20, "model")] * 2)) == ["model 0"]


def test_the_models_refusals_and_those_of_other_words_are_listed() -> None:
    refused = [Refused(found(place, place + 10, "rule").quote, Refusal.TEMPORARY) for place in (0, 40)]
    claim = Refused(found(20, 30, "model").quote, Refusal.NOT_GROUNDED, replace(found(20, 30, "model")))
    result = united(rules(refused=tuple(refused)), [found(0, 10, "model"), claim])
    assert result.refused == (claim, refused[1])


def test_a_claim_without_a_slot_takes_the_one_that_the_rules_found_in_its_words() -> None:
    slot = Slot.of("user", "lives_in", "Oslo")
    by_rules = rules(replace(found(0, 20, "rule"), slot=slot))
    moved, other = (replace(found(0, 20, "model"), statement=text) for text in ("It is Oslo now.", "It is cold."))
    assert [one.slot for one in united(by_rules, [moved]).candidates] == [slot]
    assert [one.slot for one in united(by_rules, [other]).candidates] == [None]
