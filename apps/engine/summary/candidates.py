"""Candidate lines for each field of the summary, before selection."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from apps.engine.language.cue_classifier import (
    field_cues,
    heading_field,
    is_agreement,
    is_directive,
    is_proposal,
    without_lead_in,
)
from apps.engine.language.definitions import definition_in
from apps.engine.language.factuality import factuality
from apps.engine.language.rationale import reason_following, reason_split
from apps.engine.language.sentences import Sentence
from apps.engine.language.similarity import specificity, stems
from apps.engine.messages.parsing import Reading, clipped
from apps.engine.summary.by_reader.sentence_reads import NOTHING_READ, SentenceReads
from apps.engine.summary.consolidation import Placed
from apps.engine.summary.current_plan import done_topics, is_done, newest_plan
from apps.engine.summary.open_questions import open_questions
from apps.engine.summary.reference_selection import mentioned
from apps.engine.summary.rolling_summary import Decision, Definition, Entry, Line
from apps.engine.summary.vocabulary import Vocabulary

Finding = tuple[str, Placed]

_REASON_LENGTH = 140
_DEFINITION_LENGTH = 160
_LONGEST_SENTENCE = 700
_LONGEST_ANSWER = 160
_QUANTITY = re.compile(r"(?<![\w./-])[$€£]?\d[\d.,]{0,30}\s?[a-zA-Z%]")
_PAST = re.compile(r"\b(?:was|were|did|had|ago|yesterday|last)\b", re.IGNORECASE)
_ENOUGH = 2.0
_ENOUGH_AMONG_PEOPLE = 2.9
_ASSISTANT_MARGIN = 1.5
_STRONG_CUE = 3.5
_MOST_REPETITIONS = 2
_WORTHLESS = 0.1
"""The least chance of what people say."""
_STATED = ("goals", "decisions", "requirements")


def findings_of(readings: Sequence[Reading], vocabulary: Vocabulary, reads: SentenceReads) -> tuple[list[Finding], int]:
    """Return the candidates of every field, and the position of the message that stated the newest plan as a whole."""
    steps, since = intended(readings)
    found = (stated(readings, vocabulary, reads), steps, open_question_findings(readings), mentioned(readings))
    return list(chain.from_iterable(found)), since


def stated(
    readings: Sequence[Reading], vocabulary: Vocabulary, reads: SentenceReads = NOTHING_READ
) -> Iterator[Finding]:
    """Goals, decisions and requirements, and the terms explained, sentence by sentence.

    The proposals of an assistant count as decisions when the next message agrees with them. A sentence that several
    messages repeat is chit-chat unless its cue is strong or its content specific. What the reader takes to be worth
    nothing is left out.
    """
    for before, reading in zip([None, *readings], readings, strict=False):
        if before and (adopted := _adopted(before, reading)):
            yield "decisions", adopted
        for index, sentence in enumerate(reading.sentences):
            read = reads.get(sentence.text) if reading.person else None
            if read and read.chance < _WORTHLESS and not sentence.is_question:
                continue
            if defined := definition_in(sentence, among_people=reading.among_people):
                yield (
                    "definitions",
                    Placed(_definition(reading, *defined), reading.position, read.chance if read else None),
                )
            elif _is_chit_chat(reading, index, vocabulary):
                continue
            elif field := _field(reading, index) or _answered_field(before, reading, index):
                yield field, Placed(_entry(field, reading, index), reading.position, read.chance if read else None)


def intended(readings: Sequence[Reading]) -> tuple[list[Finding], int]:
    """The open steps of the newest plan, and the position of the message that stated the whole plan."""
    plan = newest_plan(readings)
    done = done_topics(readings)
    steps = [
        ("current_plan", Placed(_line(step.reading, step.sentence), step.reading.position))
        for step in plan.steps
        if not is_done(step.sentence.text, step.reading.position, done)
    ]
    return steps, plan.since


def open_question_findings(readings: Sequence[Reading]) -> Iterator[Finding]:
    """The questions that are left open."""
    for reading, sentence in open_questions(readings):
        yield "open_questions", Placed(_line(reading, sentence), reading.position)


def _is_chit_chat(reading: Reading, index: int, vocabulary: Vocabulary) -> bool:
    text = reading.sentences[index].text
    if specificity(text) or max(field_cues(text).values(), default=0.0) >= _STRONG_CUE:
        return False
    most = _MOST_REPETITIONS if factuality(text) >= 0 else 1
    return vocabulary.repetitions(reading.topics[index]) > most


def _field(reading: Reading, index: int) -> str:
    sentence, topic = reading.sentences[index], reading.topics[index]
    if (len(topic) < 2 and not (topic and specificity(sentence.text))) or len(sentence.text) > _LONGEST_SENTENCE:
        return ""
    if sentence.is_question:
        return "goals" if _is_request(reading, sentence) else ""
    headed = heading_field(sentence.heading)
    if headed:
        return headed if headed in _STATED else ""
    return _best_field(reading, sentence)


def _answered_field(before: Reading | None, reading: Reading, index: int) -> str:
    """A number in answer to an assistant's question is a requirement: "About 40,000 a day." """
    if before is None or before.person or not reading.person or not before.asks:
        return ""
    sentence = reading.sentences[index]
    if sentence.is_question or field_cues(sentence.text) or len(sentence.text) > _LONGEST_ANSWER:
        return ""
    told = _QUANTITY.search(sentence.text) and len(reading.topics[index]) >= 3 and not _PAST.search(sentence.text)
    return "requirements" if told else ""


def _best_field(reading: Reading, sentence: Sentence) -> str:
    cues = field_cues(sentence.text)
    if reading.among_people and is_directive(sentence.text):
        cues.pop("decisions", None)
    scores = {field: _standing(reading, field, cue) for field, cue in cues.items()}
    best = max(scores, key=lambda field: scores[field], default="")
    if best not in _STATED:
        return ""
    enough = _ENOUGH_AMONG_PEOPLE if reading.among_people else _ENOUGH
    return best if scores[best] > 0 and scores[best] + 0.4 * specificity(sentence.text) >= enough else ""


def _standing(reading: Reading, field: str, cue: float) -> float:
    """Weight a cue by the speaker: what an assistant demands is mostly advice."""
    if not reading.person:
        return 0.0 if field == "goals" else cue - _ASSISTANT_MARGIN
    if reading.among_people and field == "requirements":
        return cue - 1.0
    if reading.among_people and field == "goals" and cue < 3:
        return cue - 1.0
    return cue


def _is_request(reading: Reading, sentence: Sentence) -> bool:
    if not reading.person or reading.among_people:
        return False
    return "goals" in field_cues(sentence.text)


def _adopted(before: Reading, reading: Reading) -> Placed | None:
    """What an assistant proposed and a person accepted."""
    if before.person or not reading.person or not reading.sentences or not is_agreement(reading.sentences[0].text):
        return None
    proposals = [
        index
        for index, sentence in enumerate(before.sentences)
        if not sentence.is_question and is_proposal(sentence.text) and len(before.topics[index]) >= 2
    ]
    if not proposals:
        return None
    decision = _decision(before, proposals[0])
    return Placed(Decision(decision.text, decision.reason, before.sources + reading.sources), reading.position)


def _entry(field: str, reading: Reading, index: int) -> Entry:
    return _decision(reading, index) if field == "decisions" else _line(reading, reading.sentences[index])


def _line(reading: Reading, sentence: Sentence) -> Line:
    return Line(reading.line_text(without_lead_in(sentence.text)), reading.sources)


def _decision(reading: Reading, index: int) -> Decision:
    text, reason = reason_split(without_lead_in(reading.sentences[index].text))
    if not stems(text):
        text, reason = reading.sentences[index].text, ""
    if not reason and index + 1 < len(reading.sentences):
        reason = reason_following(reading.sentences[index + 1].text)
    return Decision(reading.line_text(text.rstrip(" ,;")), clipped(reason, _REASON_LENGTH), reading.sources)


def _definition(reading: Reading, term: str, text: str) -> Definition:
    told = reading.line_text(text, _DEFINITION_LENGTH) if reading.among_people else clipped(text, _DEFINITION_LENGTH)
    return Definition(term, told, reading.sources)
