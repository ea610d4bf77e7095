"""The product's reading of labeled rows: as messages of a person, after what the assistant said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Protocol

from apps.engine.extraction.candidate import Candidate as Found
from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.extraction.extract import Thresholds, extract
from apps.engine.extraction.lists import parts_read, read_parts
from apps.engine.extraction.parts import Part, parts_of
from apps.engine.reading.certainty import command_of
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
    """Yield each row with what is read of its parts, and of the items of lists."""
    parts, reads = read_parts([part for row in rows for part in parts_of_row(row)], reader.read)
    of_rows: defaultdict[str, list[MessageRead]] = defaultdict(list)
    for part, one in zip(parts, reads, strict=True):
        of_rows[part.utterance.id].append(one)
    yield from ((row, of_rows[row.id]) for row in rows)


def reading_of(row: Row, reads: Sequence[MessageRead], least: float) -> Reading:
    """What the product makes of a row: its candidates from a chance on, and its command."""
    parts = parts_read(parts_of_row(row), reads)
    found = extract(parts, reads, Thresholds(least, least))
    commands = [(command_of(one), one.commanded) for part, one in zip(parts, reads, strict=True) if not part.is_item]
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
