"""Scoring of packs and searches for the questions of a labeled conversation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from apps.engine.pack.retrieved import RetrievedItem
from studies.engine.extraction_score import Label, Labeled
from studies.engine.memory_score import MemoryScore, PackView, states

OLD, NEW = "all the data sits in MySQL 8", "it runs on Postgres 16 since today"


def labeled() -> Labeled:
    memory = {"category": "entities", "message": 0, "expected": "accepted"}
    memories: list[dict[str, Any]] = [
        {**memory, "id": "m1", "quote": OLD, "value": "MySQL 8"},
        {**memory, "id": "m2", "quote": NEW, "value": "PostgreSQL 16", "supersedes": "m1"},
    ]
    question = {"question": "Which SQL dialect?", "answer": "m2", "stale": ["m1"]}
    messages = [{"content": f"{OLD}. {NEW}."}]
    raw = {"id": "dev", "language": "en", "kind": "project", "messages": messages, "traps": []}
    return Labeled.parse({**raw, "memories": memories, "questions": [question]})


def scored(text: str, *items: RetrievedItem) -> dict[str, float]:
    score, conversation = MemoryScore(), labeled()
    score.note_pack(conversation, conversation.questions[0], "new", PackView(text, 100, items))
    return score.numbers()


def item(text: str, correction: str = "") -> RetrievedItem:
    return RetrievedItem(text, "mem://user/entities/db", text, correction=correction)


def message(text: str, correction: str = "") -> RetrievedItem:
    return replace(item(text, correction), index=1)


@pytest.mark.parametrize("text", [f"> So {NEW.upper()}.", "They use PostgreSQL 16 now.", f"> {NEW[:10]}\n> {NEW[11:]}"])
def test_an_answer_is_its_words_or_its_value(text: str) -> None:
    assert scored(text)["answer_in_new_pack_4k"] == 1


@pytest.mark.parametrize("text", ["", "They use PostgreSQL.", "They use PostgreSQL 160.", "it runs on Postgres"])
def test_other_words_are_no_answer(text: str) -> None:
    assert scored(text)["answer_in_new_pack_4k"] == 0


def test_a_value_too_short_to_tell_is_no_answer() -> None:
    assert not states("We do.", Label("m", "preferences", 0, "du, please", "accepted", value="do"))


def test_stale_words_alone_are_unmarked() -> None:
    assert scored(f"user: {OLD}")["stale_unmarked"] == 1
    assert scored(f"user: {OLD}", item(OLD))["stale_unmarked"] == 1


def test_stale_words_that_the_later_message_follows_are_marked() -> None:
    assert scored(f"user: {OLD}\nuser: {NEW}")["stale_unmarked"] == 0


def test_a_retrieved_memory_needs_a_correction_of_its_own() -> None:
    text = f"> {OLD}\n> {NEW}"
    numbers = scored(text, item(OLD), item(NEW))
    assert (numbers["stale_unmarked"], numbers["stale_alone"]) == (1, 0)
    assert scored(text, item(OLD, f"replaced by: “{NEW}”"), item(NEW))["stale_unmarked"] == 0


def test_a_retrieved_message_may_be_corrected_by_a_later_one_of_its_excerpt() -> None:
    text = f"> {OLD}\n> {NEW}"
    assert scored(text, message(OLD), message(NEW))["stale_unmarked"] == 0
    assert scored(text, message(NEW), message(OLD))["stale_unmarked"] == 1
    assert scored(text, message(OLD, f"replaced by: “{NEW}”"))["stale_unmarked"] == 0


def test_searches_are_counted_apart_by_what_can_be_answered() -> None:
    score, conversation = MemoryScore(), labeled()
    assert "abstained" not in score.numbers()
    score.note_search(conversation, "Which SQL dialect?", is_answerable=True, is_found=True)
    score.note_search(conversation, "Who walks the dog?", is_answerable=False, is_found=False)
    score.note_search(conversation, "Where is the dog?", is_answerable=False, is_found=True)
    assert (score.numbers()["answered"], score.numbers()["abstained"]) == (1, 0.5)


def test_the_table_has_a_row_for_all_each_language_and_each_kind() -> None:
    score, conversation = MemoryScore(), labeled()
    for which in ("new", "same"):
        score.note_pack(conversation, conversation.questions[0], which, PackView(NEW, 100))
    header, *rows = score.rows()
    assert [row[0] for row in rows] == ["all", "en", "project"]
    assert {len(row) for row in rows} == {len(header)}
