"""Statements of fact that no cue announces.

What people say is a fact if the reader takes it to be worth keeping. Of assistants, and of people where nothing was
read, numbers, names, dates and constraints tell. They fill the places of the summary that announced goals, decisions
and requirements leave free.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from apps.engine.language.factuality import factuality, is_constraint
from apps.engine.language.rationale import is_correction
from apps.engine.language.sentences import Sentence
from apps.engine.language.similarity import normalized_case, stems
from apps.engine.language.supersession import Statement
from apps.engine.messages.parsing import Reading, clipped
from apps.engine.summary.by_reader.sentence_reads import NOTHING_READ, SentenceRead, SentenceReads, field_of
from apps.engine.summary.consolidation import Placed
from apps.engine.summary.references import references_in
from apps.engine.summary.rolling_summary import Decision, Definition, Line
from apps.engine.summary.vocabulary import Vocabulary

_SHORTEST, _LONGEST = 12, 320
_TEXT_LENGTH = 200
_MOST_NAMES = 3
# The weight from which a sentence is a fact: that of two numbers. Assistants talk more than people do.
_ENOUGH = 1.0
_ENOUGH_OF_ASSISTANTS = 1.25
_ENOUGH_AMONG_PEOPLE = 2.0
_WORTH_KEEPING = 0.4
"""The least chance of what people say."""
_NAME_FIRST = 0.5
_BEHAVIOR = 0.5
_MOSTLY = 0.5
_QUOTED = re.compile(r"[\"“„«][^\"”“»]*[\"”“»]")
_GUESS = re.compile(
    r"\b(?:i guess|probably|surely|most likely|almost certainly|might|perhaps|maybe|presumably|i suppose)\b"
    r"|\bif .{3,80}\b(?:would|'d|could)\b|\b(?:would|'d|could)\b .{3,80}\bif\b"
)
_PRIVATE = re.compile(r"<private>|</private>|\bpass(?:word|code|phrase)\b|://[^\s/@]+:[^\s/@]+@")
# What an assistant says to or of the other side is advice or repetition.
_ADDRESSED = re.compile(
    r"\b(?:you|your|you'd|you're|you'll|i'd|i'll|let's|let me|would|could|should)\b"
    r"|^(?:ask|try|use|oil|put|make|keep|take|add|go|look|check|tell|call|set|export|click|choose|remember|book) "
)
_ECHO = re.compile(
    r"^(?:noted|done|got it|welcome|congratulations|congrats|summary|understood|sure|ok(?:ay)?|good|great|nice|thanks?"
    r"|yes|right|so far|better|then|correct|perfect|exactly|agreed|sorry|since you)\b"
)
_OF_BEHAVIOR = re.compile(r"\b(?:because|since|so that|hence|falls? back|defaults? to|returns?|caused by|came from)\b")
_NAME = re.compile(r"(?<=[\w,;] )(?!I\b)[A-Z][\w'’-]+(?: (?:of |de |van |von )?[A-Z][\w'’-]+)*")
_FIRST_NAME = re.compile(r"^(?:[^:]{1,40}: )?(?:(?:Mr|Mrs|Ms|Dr)\. )?([A-Z][\w'’-]+)")
_POSSESSIVE = re.compile(r"['’]s$")


def facts(
    readings: Sequence[Reading], vocabulary: Vocabulary, reads: SentenceReads = NOTHING_READ
) -> Iterator[tuple[str, Placed]]:
    """The factual sentences of the messages, each with the field it belongs to."""
    for reading in readings:
        for sentence, topic in zip(reading.sentences, reading.topics, strict=True):
            read = reads.get(sentence.text) if reading.person else None
            if read and read.chance >= _WORTH_KEEPING and not _PRIVATE.search(sentence.text):
                yield _kept(reading, sentence.text, read, vocabulary)
            elif read is None and _is_fact(reading, sentence, topic, vocabulary):
                yield _placed(reading, sentence.text, vocabulary)


def _kept(reading: Reading, text: str, read: SentenceRead, vocabulary: Vocabulary) -> tuple[str, Placed]:
    """What the reader takes to be worth keeping."""
    field = field_of(read)
    if field == "decisions":
        return field, Placed(Decision(reading.line_text(text), "", reading.sources), reading.position, read.chance)
    if field != "definitions":
        return field, Placed(Line(reading.line_text(text), reading.sources), reading.position, read.chance)
    term = ", ".join(filter(None, (read.about, read.attribute.replace("_", " "), _term(text, vocabulary))))
    definition = Definition(term, clipped(text, _TEXT_LENGTH), reading.sources)
    return field, Placed(definition, reading.position, read.chance)


def _is_fact(reading: Reading, sentence: Sentence, topic: frozenset[str], vocabulary: Vocabulary) -> bool:
    if sentence.is_question or not _SHORTEST <= len(sentence.text) <= _LONGEST or len(topic) < 2:
        return False
    if not _is_asserted(reading, sentence.text):
        return False
    enough = _ENOUGH if reading.person else _ENOUGH_OF_ASSISTANTS
    enough = _ENOUGH_AMONG_PEOPLE if reading.among_people else enough
    return _weight(reading, sentence.text, vocabulary) >= enough and vocabulary.is_novel(topic)


def _is_asserted(reading: Reading, text: str) -> bool:
    """Whether the speaker states it as a fact: no guess, hypothesis, quotation, advice or echo, and nothing private."""
    low = normalized_case(text)
    if _GUESS.search(low) or _PRIVATE.search(low) or _quoted_share(text) > _MOSTLY:
        return False
    return reading.person or not (_ADDRESSED.search(low) or _ECHO.match(low))


def _quoted_share(text: str) -> float:
    return sum(len(match.group()) for match in _QUOTED.finditer(text)) / len(text)


def _weight(reading: Reading, text: str, vocabulary: Vocabulary) -> float:
    """What an assistant found out it explains; what a person says needs no reason."""
    explained = not reading.person and bool(_OF_BEHAVIOR.search(text))
    return factuality(text) + _NAME_FIRST * bool(_first_name(text, vocabulary)) + _BEHAVIOR * explained


def _placed(reading: Reading, text: str, vocabulary: Vocabulary) -> tuple[str, Placed]:
    if Statement(text).replaced or (reading.person and is_correction(text)):
        return "decisions", Placed(Decision(reading.line_text(text), "", reading.sources), reading.position)
    if is_constraint(text):
        return "requirements", Placed(Line(reading.line_text(text), reading.sources), reading.position)
    definition = Definition(_term(text, vocabulary), clipped(text, _TEXT_LENGTH), reading.sources)
    return "definitions", Placed(definition, reading.position)


def _term(text: str, vocabulary: Vocabulary) -> str:
    """What a fact is about: its identifier and its names, or its rarest word."""
    identifier = next((value for _, value in references_in(text)), "")
    names = (_POSSESSIVE.sub("", match.group()) for match in _NAME.finditer(text))
    every = dict.fromkeys(name for name in (identifier, _first_name(text, vocabulary), *names) if name)
    return ", ".join(list(every)[:_MOST_NAMES]) or vocabulary.rarest(text) or " ".join(text.split()[:3])


def _first_name(text: str, vocabulary: Vocabulary) -> str:
    """The name a sentence begins with: a capitalized word that nobody writes in lower case."""
    match = _FIRST_NAME.match(text)
    word = _POSSESSIVE.sub("", match.group(1)) if match else ""
    return word if len(word) > 2 and stems(word) and vocabulary.is_name(word) else ""
