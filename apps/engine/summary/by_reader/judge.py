"""A judge of a summary's lines: what each is worth keeping, and which ones no longer hold after a later one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from apps.engine.language.similarity import overlap, stems
from apps.engine.summary.by_reader.sentence_reads import NOTHING_READ, SentenceReads
from apps.engine.summary.consolidation import CORRECTABLE, Placed
from apps.engine.summary.rolling_summary import Entry
from apps.engine.summary.salience import body_text

Compare = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Returns the chance of each earlier statement that it no longer holds after the later one."""
_ENDED = 0.7
"""From this chance on a line has ended; less than a memory needs, as its messages stay."""
_MOST_COMPARED = 6
"""Earlier lines that each line of a person is compared with."""

Lines = Mapping[str, Sequence[Placed]]


@dataclass(frozen=True, slots=True)
class Judge:
    """The reader's judgments of what people say and of the summary's lines; `compare` asks it whether lines hold."""

    reads: SentenceReads
    compare: Compare | None = None

    def chance(self, entry: Entry) -> float | None:
        """The chance that a line of the summary is worth keeping; None if it was not read."""
        read = self.reads.get(body_text(entry))
        return read.chance if read else None

    def without_overturned(self, lines: Lines) -> dict[str, list[Placed]]:
        """Drop the lines that a later line of a person ends."""
        pairs = list(_pairs(lines, self.reads)) if self.compare else []
        chances = self._ended_chances([(body_text(old.entry), body_text(new.entry)) for old, new in pairs])
        ended = {id(old) for (old, _), chance in zip(pairs, chances, strict=True) if chance >= _ENDED}
        return {field: [line for line in placed if id(line) not in ended] for field, placed in lines.items()}

    def _ended_chances(self, statements: Sequence[tuple[str, str]]) -> list[float]:
        """The chance of each pair, judged once; a statement does not end itself."""
        compared = [pair for pair in dict.fromkeys(statements) if pair[0] != pair[1]]
        chances = dict(zip(compared, self.compare(compared) if self.compare else (), strict=True))
        return [chances.get(pair, 0.0) for pair in statements]


NO_JUDGE = Judge(NOTHING_READ)


def _pairs(lines: Lines, reads: SentenceReads) -> Iterator[tuple[Placed, Placed]]:
    """Each line of these messages that was read, after the earlier ones that are likest."""
    every = [line for field in CORRECTABLE for line in lines.get(field, ())]
    topics = {id(line): stems(body_text(line.entry)) for line in every}
    for new in (line for line in every if line.position >= 0 and line.chance is not None):
        earlier = {body_text(line.entry): line for line in every if line.position < new.position}
        ranked = sorted(earlier.values(), key=lambda old: -_likeness(old, new, topics, reads))[:_MOST_COMPARED]
        yield from ((old, new) for old in ranked if _likeness(old, new, topics, reads))


def _likeness(old: Placed, new: Placed, topics: Mapping[int, frozenset[str]], reads: SentenceReads) -> float:
    """How much two lines have in common: words, and what they are about."""
    first, second = (reads.get(body_text(line.entry)) for line in (old, new))
    same = bool(first and second and first.attribute and first.attribute == second.attribute)
    return overlap(topics[id(old)], topics[id(new)]) + same
