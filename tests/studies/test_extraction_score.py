"""Counting of extracted memories as right, wrong, repeated or unlabeled."""

from __future__ import annotations

from typing import Any

from studies.engine.extraction_score import ExtractionScore, Labeled, Links, Stored

TEXT = "We use Redis. My cousin uses Oracle. It rains. We never use Mongo."


def labeled(**more: Any) -> Labeled:
    memory = {"id": "m1", "category": "entities", "message": 0, "quote": "We use Redis", "expected": "accepted"}
    traps = [
        {"message": 0, "quote": "My cousin uses Oracle", "why": "third_party"},
        {"message": 0, "quote": "We never use Mongo", "why": "negated"},
    ]
    raw = {"id": "dev", "language": "en", "messages": [{"content": TEXT}], "memories": [memory], "traps": traps}
    return Labeled.parse({**raw, "questions": [], **more})


def stored(quote: str, category: str = "entities") -> Stored:
    start = TEXT.index(quote)
    return Stored(0, start, start + len(quote), category, "accepted")


def counted(*quotes: str) -> dict[str, float]:
    score = ExtractionScore()
    score.note(labeled(), [stored(quote) for quote in quotes])
    return score.numbers()


def test_a_quote_that_covers_half_of_a_memorys_words_is_right() -> None:
    assert counted("We use Redis.")["recall"] == counted("use Redis")["recall"] == 1
    assert counted("Redis")["recall"] == 0


def test_a_quote_longer_than_the_memorys_sentence_is_not_right() -> None:
    assert counted("We use Redis. My")["recall"] == 0


def test_a_quote_of_a_trap_is_wrong() -> None:
    numbers = counted("We use Redis.", "My cousin uses Oracle.")
    assert (numbers["precision"], numbers["traps_taken"]) == (0.5, 0.5)


def test_a_negated_claim_is_wrong_only_without_its_negation() -> None:
    assert counted("We never use Mongo.")["traps_taken"] == 0
    assert counted("use Mongo.")["traps_taken"] == 0.5


def test_a_second_quote_of_a_memory_is_neither_right_nor_wrong() -> None:
    numbers = counted("We use Redis.", "We use Redis")
    assert (numbers["repeated"], numbers["precision"], numbers["unlabelled_share"]) == (1, 1, 0)


def test_words_without_a_label_are_counted_apart() -> None:
    assert counted("It rains.")["unlabelled_share"] == 1


def test_another_category_or_state_is_counted_apart() -> None:
    score = ExtractionScore()
    matches = score.note(labeled(), [stored("We use Redis.", "profile")])
    assert (matches, score.numbers()["category_right"], score.numbers()["state_right"]) == ({0: "m1"}, 0, 1)


def updated(links: Links) -> dict[str, float]:
    text = "We use Redis. We use Oracle now. It rains."
    memories = [
        {"id": "m1", "category": "entities", "message": 0, "quote": "We use Redis", "expected": "accepted"},
        {"id": "m2", "category": "entities", "message": 0, "quote": "We use Oracle now", "expected": "accepted"},
    ]
    conversation = labeled(
        messages=[{"content": text}], memories=[memories[0], memories[1] | {"supersedes": "m1"}], traps=[]
    )
    found = [Stored(0, 0, 13, "entities", "accepted"), Stored(0, 14, 32, "entities", "accepted")]
    score = ExtractionScore()
    rain = Stored(0, 33, 42, "entities", "accepted")
    score.note_links(conversation, [*found, rain], score.note(conversation, [*found, rain]), links)
    return score.numbers()


def test_superseding_what_the_labels_say_is_right() -> None:
    numbers = updated(Links(superseded=[(1, 0)]))
    assert (numbers["supersede_precision"], numbers["supersede_recall"], numbers["collateral"]) == (1, 1, 0)


def test_superseding_another_memory_is_collateral() -> None:
    numbers = updated(Links(superseded=[(1, 2)]))
    assert (numbers["supersede_precision"], numbers["supersede_recall"], numbers["collateral"]) == (0, 0, 0.5)


def test_what_waits_for_a_person_is_counted_apart() -> None:
    numbers = updated(Links(disputed=[(1, 0), (1, 2)]))
    assert (numbers["disputed"], numbers["disputed_right"], numbers["supersede_recall"]) == (2, 1, 0)
