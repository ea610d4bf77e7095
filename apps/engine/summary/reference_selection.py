"""Selection of a conversation's references, with a note on each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from apps.engine.language.similarity import normalized, words
from apps.engine.messages.parsing import Reading, clipped_around, tool_texts
from apps.engine.summary.consolidation import Placed
from apps.engine.summary.references import Found, code_reference, names_in, references_in, things_in
from apps.engine.summary.rolling_summary import Reference, ReferenceType

_NOTE_LENGTH = 90
_MOST_IN_A_MESSAGE = 12
_MOST_FROM_A_TOOL = 8
_LONGEST_TOOL_TEXT = 20_000
_TELLING_MENTIONS = 2
_FROM_TOOLS = (ReferenceType.URL, ReferenceType.FILE, ReferenceType.ID)
_MOST_RESULTS = 2
_LONGEST_RESULT = 110
_COMMAND = re.compile(r"^\s*[$>] (\S.*)")
_ERROR = re.compile(
    r"\b(?:error|fail(?:ed|ure)?|panic|exception|traceback|fatal|denied|want\b.{1,200}\bgot)\b", re.IGNORECASE
)
_MEASURE = re.compile(
    r"\d\s?(?:%|[nmµ]?s/op|ms\b|[KMG]i?B\b|B/op|total\b|passed\b|failed\b|rows?\b)|:\d{4,5}\b|\d\.\d+\.\d|\bversion\b"
)
_WORD, _DIGITS = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")


def mentioned(readings: Sequence[Reading]) -> Iterator[tuple[str, Placed]]:
    """Every reference of the messages in their order."""
    names = _telling_names(readings)
    shapes = Counter(_shape(line) for reading in readings for line in _tool_lines(reading))
    speakers = frozenset(word for reading in readings for word in words(reading.message.name))
    for reading in readings:
        for reference in islice(_of_speech(reading, names, speakers), _MOST_IN_A_MESSAGE):
            yield "references", Placed(reference, reading.position)
        for result in islice(_results(reading, shapes), _MOST_RESULTS):
            yield "references", Placed(result, reading.position)
        for kind, value in islice(_of_tools(reading), _MOST_FROM_A_TOOL):
            yield "references", Placed(Reference(kind, value, "", reading.sources), reading.position)


def _of_speech(reading: Reading, names: frozenset[str], speakers: frozenset[str]) -> Iterator[Reference]:
    for sentence in reading.sentences:
        for kind, value in references_in(sentence.text):
            yield Reference(kind, value, _note(reading, sentence.text, value), reading.sources)
        for value in _things(sentence.text, names) if reading.among_people else ():
            if not _names_speaker(value, speakers):
                note = "" if sentence.is_question else _note(reading, sentence.text, value)
                yield Reference(ReferenceType.OTHER, value, note, reading.sources)
    for block in reading.blocks:
        if value := code_reference(block):
            yield Reference(ReferenceType.CODE, value, _note(reading, block.lead, value), reading.sources)


def _of_tools(reading: Reading) -> Iterator[Found]:
    for text in tool_texts(reading.message):
        yield from ((kind, value) for kind, value in references_in(text[:_LONGEST_TOOL_TEXT]) if kind in _FROM_TOOLS)


def _results(reading: Reading, shapes: Counter[str]) -> Iterator[Reference]:
    """The errors and measurements in what a tool returned, apart from lines of which it returned many alike."""
    command = ""
    for line in _tool_lines(reading):
        if found := _COMMAND.match(line):
            command = found.group(1)[:_NOTE_LENGTH]
        elif shapes[_shape(line)] == 1 and (_ERROR.search(line) or _MEASURE.search(line)):
            yield Reference(ReferenceType.OTHER, normalized(line)[:_LONGEST_RESULT], command, reading.sources)


def _tool_lines(reading: Reading) -> Iterator[str]:
    for text in tool_texts(reading.message):
        yield from (line for line in text[:_LONGEST_TOOL_TEXT].splitlines() if line.strip())


def _shape(line: str) -> str:
    """A line with every word and number replaced by a placeholder."""
    return _DIGITS.sub("9", _WORD.sub("a", line))


def _note(reading: Reading, text: str, value: str) -> str:
    """The sentence around a reference, unless it contains nothing else."""
    if not text or (value in text and len(text) <= len(value) + 8):
        return ""
    return reading.line_text(clipped_around(text, max(0, text.find(value)), _NOTE_LENGTH), _NOTE_LENGTH + 40)


def _things(text: str, names: frozenset[str]) -> Iterator[str]:
    things = list(things_in(text))
    yield from things
    for thing in things:
        text = text.replace(thing, "…")
    yield from (name for name in names_in(text) if name in names)


def _telling_names(readings: Sequence[Reading]) -> frozenset[str]:
    """Single names that come back in several messages and are never written small."""
    talks = [" ".join(s.text for s in reading.sentences) for reading in readings if reading.among_people]
    counted = Counter(name for talk in talks for name in set(names_in(talk)))
    small = frozenset(word for talk in talks for word in talk.split() if word.islower())
    return frozenset(
        name for name, count in counted.items() if count >= _TELLING_MENTIONS and name.lower() not in small
    )


def _names_speaker(value: str, speakers: frozenset[str]) -> bool:
    return any(word == name or (len(word) >= 3 and name.startswith(word)) for word in words(value) for name in speakers)
