"""Lists of facts: each item is read alone too, after the heading."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apps.engine.extraction.candidate import Candidate, Speaker, Utterance
from apps.engine.extraction.lists import read_parts
from apps.engine.extraction.parts import Part, parts_of
from apps.engine.reading.chances import MessageInput, MessageRead
from tests.engine.extraction.talk import extracted, read_of, span_of, utterance

LIST = "About me:\n- Ada, 61\n- nurse in Leeds\n- never npm"
NURSE, NPM = "- nurse in Leeds", "- never npm"


def items(text: str) -> tuple[Part, ...]:
    [whole] = parts_of([utterance(text)])
    return whole.items


def found(text: str, whole: MessageRead, alone: dict[str, MessageRead]) -> list[Candidate]:
    """The candidates, where each item was read as given, or holds nothing."""

    def read(messages: Sequence[MessageInput]) -> list[MessageRead]:
        return [whole if one.text == text else alone.get(one.text, read_of()) for one in messages]

    parts, reads = read_parts(parts_of([utterance(text)]), read)
    return list(extracted(parts, *reads).candidates)


def told(text: str, whole: MessageRead, alone: dict[str, MessageRead]) -> list[str]:
    return [one.statement for one in found(text, whole, alone)]


def test_each_item_of_a_list_is_read_after_the_heading_too() -> None:
    assert [(one.text, one.before) for one in items(LIST)] == [
        (text, "About me:") for text in ("- Ada, 61", NURSE, NPM)
    ]
    assert all(one.utterance.text[one.start :].startswith(one.text) for one in items(LIST))


def test_a_single_line_and_lines_without_bullets_are_read_once() -> None:
    assert items(NURSE) == items("I moved.\nI have a dog.") == ()


def test_a_list_in_an_answer_comes_after_the_question() -> None:
    asked = Utterance("0", 0, Speaker.ASSISTANT, "What do you cook on, and for whom?")
    [whole] = parts_of([utterance("- induction\n- four")], [asked])
    assert [one.before for one in whole.items] == [asked.text] * 2


def test_no_more_items_are_read_than_a_worker_has_time_for() -> None:
    parts = parts_of([utterance("- a\n" * 9_000)])
    assert sum(len(one.items) for one in parts) == 300


def test_what_an_item_says_alone_is_found_and_told_with_the_heading() -> None:
    [one] = found(LIST, read_of(), {NURSE: read_of(span_of(NURSE, "nurse in Leeds"))})
    assert (one.statement, one.quote.text) == ("About me: nurse in Leeds", "nurse in Leeds")
    assert one.passage == "About me: nurse in Leeds"


@pytest.mark.parametrize(
    "heading", ["Thanks, that works!", "I hope that you can make something of this long list of things:"]
)
def test_a_sentence_is_no_heading_of_a_statement(heading: str) -> None:
    text = f"{heading}\n{NURSE}\n{NPM}"
    assert told(text, read_of(), {NPM: read_of(span_of(NPM, "never npm"))}) == ["Never npm"]


def test_the_items_of_a_list_that_holds_no_facts_are_not_read() -> None:
    assert told(LIST, read_of(has_fact=0.6), {NURSE: read_of(span_of(NURSE, "nurse in Leeds"))}) == []


def test_what_is_found_twice_is_kept_as_it_was_read_most_surely() -> None:
    whole = read_of(span_of(LIST, "nurse in", chance=0.8))
    item = read_of(span_of(NURSE, "nurse in Leeds", chance=0.9))
    assert told(LIST, whole, {NURSE: item}) == ["About me: nurse in Leeds"]


def test_what_was_refused_in_the_whole_list_is_not_found_in_an_item() -> None:
    whole = read_of(span_of(LIST, "nurse in Leeds", chance=0.8, secret=0.9))
    assert told(LIST, whole, {NURSE: read_of(span_of(NURSE, "nurse in Leeds"))}) == []


@pytest.mark.parametrize(
    "heading", ["My passwords:", "The passwords that I use everywhere although I know that I should not:"]
)
def test_an_item_under_the_heading_of_a_secret_is_none(heading: str) -> None:
    bob = "- Bob: maple tree"
    text = f"{heading}\n- Ada: copper kettle\n{bob}"
    assert told(text, read_of(), {bob: read_of(span_of(bob, "maple tree", about="Bob"))}) == []


def test_no_memory_has_the_bullet_of_an_item_or_the_words_of_two() -> None:
    text = "My setup:\n1. Debian 13\n2. never npm"
    second = "2. never npm"
    item = read_of(span_of(second, second), span_of(second, "2."))
    assert told(text, read_of(span_of(text, "Debian 13\n2")), {second: item}) == ["My setup: never npm"]


def test_of_a_list_to_remember_each_item_is_remembered() -> None:
    text = f"Please remember:\n{NURSE}\n{NPM}"
    mashed = span_of(text, "nurse in Leeds\n- never npm")
    items = {one: read_of(whole=span_of(one, one, chance=0.1)) for one in (NURSE, NPM)}
    assert told(text, read_of(command="remember", to_remember=mashed), items) == [
        "Please remember: nurse in Leeds",
        "Please remember: never npm",
    ]
