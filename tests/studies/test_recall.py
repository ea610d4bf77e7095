"""Recall of ranked turns: by depth, by category and by session."""

from __future__ import annotations

from studies.recall import Recalled, header

TEXTS = {f"D{session}:{turn}": "word " * 8 for session in range(1, 6) for turn in range(1, 8)}


def recalled(*questions: tuple[list[str], list[str], int]) -> dict[str, float]:
    result = Recalled()
    for ranked, evidence, category in questions:
        result.note(ranked, evidence, category, TEXTS)
    return result.numbers()


def test_a_session_is_hit_by_any_of_its_turns_among_the_first() -> None:
    hit = recalled((["D2:1", "D1:7"], ["D1:1"], 4))
    assert (hit["recall_at_5"], hit["session_recall_at_5"], hit["session_share_at_5"]) == (0, 1, 1)


def test_a_turn_beyond_the_depth_does_not_hit_its_session() -> None:
    ranked = [f"D2:{turn}" for turn in range(1, 8)] + ["D1:7"]
    numbers = recalled((ranked, ["D1:1"], 4))
    assert (numbers["session_recall_at_5"], numbers["session_recall_at_10"]) == (0, 1)


def test_the_share_counts_each_session_with_evidence_once() -> None:
    numbers = recalled((["D1:2"], ["D1:1", "D1:3", "D2:1"], 1))
    assert (numbers["session_recall_at_5"], numbers["session_share_at_5"]) == (1, 0.5)


def test_recall_is_given_by_category_at_ten_and_at_twenty() -> None:
    late = [f"D2:{turn}" for turn in range(1, 8)] + [f"D3:{turn}" for turn in range(1, 8)] + ["D1:1"]
    numbers = recalled((late, ["D1:1"], 1), (["D1:1"], ["D1:1"], 4))
    assert [numbers[f"category_1_recall_at_{depth}"] for depth in (10, 20)] == [0, 1]
    assert [numbers[f"category_4_recall_at_{depth}"] for depth in (10, 20)] == [1, 1]


def test_a_row_has_a_cell_for_each_column() -> None:
    result = Recalled()
    for category in (1, 4):
        result.note(["D1:1"], ["D1:1"], category, TEXTS)
    row = ("find", *result.table_row((1, 3, 4)))
    assert len(row) == len(header((1, 3, 4)))
    assert row[-4:-2] == ("–", "–")
