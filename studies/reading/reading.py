"""The product's reading of labeled rows: as messages of a person, after what the assistant said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from apps.engine.extraction.candidate import Candidate as Found
from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.extraction.extract import Thresholds, command_of, extract
from apps.engine.extraction.parts import Part, parts_of
from apps.engine.reading.chances import MessageInput, MessageRead
from studies.reading.material import Row, Span
from studies.reading.score import Candidate, Reading

USER = "user"


class ReadsMessages(Protocol):
    """A reader."""

    def read(self, messages: Sequence[MessageInput]) -> list[MessageRead]: ...


def parts_of_row(row: Row) -> list[Part]:
    before = Utterance("before", 0, Speaker.ASSISTANT, row.before)
    return parts_of([Utterance(row.id, 1, Speaker.SELF, row.text)], [before])


def read_rows(reader: ReadsMessages, rows: Sequence[Row]) -> Iterator[tuple[Row, list[MessageRead]]]:
    """Yield each row with what is read of its parts."""
    parts = [parts_of_row(row) for row in rows]
    reads = iter(reader.read([part.input for of_row in parts for part in of_row]))
    for row, of_row in zip(rows, parts, strict=True):
        yield row, [next(reads) for _ in of_row]


def reading_of(row: Row, reads: Sequence[MessageRead], least: float) -> Reading:
    """What the product makes of a row: its candidates from a chance on, and its command."""
    found = extract(parts_of_row(row), reads, Thresholds(least, least))
    commands = [(command_of(one), one.commanded) for one in reads]
    command, commanded = next((one for one in commands if one[0]), ("", ""))
    return Reading(tuple(map(candidate_of, found.candidates)), command, commanded)


def candidate_of(found: Found) -> Candidate:
    span = found.quote.span
    return Candidate(
        Span(span.start, span.end),
        found.confidence,
        found.about or USER,
        found.category.value,
        found.attribute,
        found.state_change,
    )
