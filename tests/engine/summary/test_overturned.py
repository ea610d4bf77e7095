"""Lines that a later line of a person surely ends leave the summary, whatever the words."""

from __future__ import annotations

from collections.abc import Sequence

from apps.engine.messages.message import Role
from apps.engine.policy import Level
from apps.engine.summary.by_reader.judge import Compare, Judge
from apps.engine.summary.by_reader.sentence_reads import SentenceRead
from apps.engine.summary.extractive import summarize
from apps.engine.summary.rolling_summary import RollingSummary
from apps.engine.summary.salience import entry_text
from tests.engine.conversations import POLICY, indexed, text_message

HIVES, MEAT, STEAK = "I get hives from sesame.", "I eat no meat at all.", "Had a steak, meat is back on the table."
READS = {text: SentenceRead(0.9, attribute="diet") for text in (HIVES, MEAT, STEAK)}


def judging(ended: tuple[str, str], chance: float = 0.95) -> tuple[Compare, list[tuple[str, str]]]:
    compared: list[tuple[str, str]] = []

    def compare(pairs: Sequence[tuple[str, str]]) -> list[float]:
        compared.extend(pairs)
        return [chance if pair == ended else 0.05 for pair in pairs]

    return compare, compared


def texts(compare: Compare | None, *said: str) -> set[str]:
    messages = indexed([text_message(Role.USER, text) for text in said])
    summary = summarize(RollingSummary(), messages, Level.LIGHT, POLICY, Judge(READS, compare))
    return {entry_text(entry).split(": ")[-1] for _, entry in summary.entries()}


def test_a_line_that_a_later_one_ends_is_left_out() -> None:
    compare, _ = judging((MEAT, STEAK))
    assert texts(compare, HIVES, MEAT, STEAK) == {HIVES, STEAK}


def test_without_the_reader_or_without_certainty_both_stay() -> None:
    compare, _ = judging((MEAT, STEAK), chance=0.6)
    assert texts(compare, MEAT, STEAK) == texts(None, MEAT, STEAK) == {MEAT, STEAK}


def test_a_line_is_compared_with_earlier_ones_alone() -> None:
    compare, compared = judging((STEAK, MEAT))
    assert texts(compare, MEAT, STEAK) == {MEAT, STEAK}
    assert (MEAT, STEAK) in compared
    assert (STEAK, MEAT) not in compared
