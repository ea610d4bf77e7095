"""Detection of open questions: relevant questions that no later message answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from apps.engine.language.cue_classifier import field_cues, heading_field, is_proposal
from apps.engine.language.sentences import Sentence
from apps.engine.language.similarity import coverage, normalized_case, specificity, stems
from apps.engine.messages.parsing import Reading

_MOST_QUESTIONS = 60
_OWN_MATTER = 4
_CHIT_CHAT = re.compile(
    r"\bhow (?:are|r) (?:you|u|things)|\bhow(?:'ve| have) you been|\bhow(?:'s| is| was) (?:it|everything|your"
    r"|life|that|the)\b(?! \w+ (?:configured|stored|deployed))"
    r"|\bwhat'?s (?:up|new|happening|going on)\b|\bwhat is (?:up|new)\b|\bwhat about you\b|\bhow about you\b"
    r"|\band you\b|\bany(?:thing)? (?:new|questions|exciting|fun|plans)\b"
    r"|,? (?:right|huh|ok|okay|yeah|eh|no|you know|isn't it|don't you think|does it|is it|don't you"
    r"|aren't they)\?|\bmake(?:s)? sense\?|\bguess what\b"
    r"|\bcan you (?:believe|imagine)\b|\bdid (?:you|i) (?:know|mention|tell)\b|\bwho (?:knows|cares|wouldn't)\b"
    r"|\bwhy not\?|\bremember (?:when|that|the)\b"
    r"|\bis there anything else\b|\banything else\b|\bready\?$|\bwhat could go wrong\b|\bisn't (?:it|that)\b"
    r"|\bhow cool\b|\bdo(?:es)? (?:that|this|it) (?:help|work for you)\b"
)
_OFFER = re.compile(
    r"^(?:would you like|do you want|want|shall i|should i|may i|can i|could i|mind if i)\b|\b(?:like|want) me to\b"
    r"|^(?:please |so |and |ok,? |hey,? )?(?:can|could|would|will) you\b|\bwhy don't (?:we|you)\b|\bhow about\b"
)
_SECOND_PERSON = re.compile(r"\b(?:you|your|u|ya|y'all|you're|you've)\b")
_MATTER = re.compile(
    r"\b(?:should|which|who(?:'s| is| will| owns)|whether|how (?:do|should|many|much|long|often|will|can|are we)"
    r"|do we|can we|will we|are we|what (?:is|if|happens|should|do we|about"
    r"|are the|version|kind|limit)|what's the|if the|when (?:will|do|should|is)|where (?:do|should|is|are|will)"
    r"|is (?:there|it|the)|does (?:the|it)|why (?:is|does|do|are))\b"
)
_DEFERRAL = re.compile(
    r"\b(?:not sure|no idea|don't know|do not know|unsure|let me (?:check|think|ask|see|get back)|i'll (?:check"
    r"|ask|find out|get back|think about it|look into)|haven't (?:decided|figured"
    r"|checked|heard)|tbd|good question|we'll see|still (?:deciding|thinking|figuring|undecided)|undecided"
    r"|hard to say|decide (?:that |it |this )?later|come back to (?:that|this|it)|need to check)\b"
)
_CUE_STEMS = stems(
    "waiting pending decide deciding decision sure know figure clarify confirm open question blocked check find"
    " unclear whether determine agree yet heard"
)
_CLAUSE = re.compile(r"[.;!?\n]\s+|,\s+(?:and )?")


def open_questions(readings: Sequence[Reading]) -> Iterator[tuple[Reading, Sentence]]:
    """The questions and undecided points that these messages raise and leave open."""
    raised = [list(_raised(reading)) for reading in readings]
    candidates = [(i, j) for i, sentences in enumerate(raised) for j in sentences]
    asked_in = -2
    for i, j in candidates[-_MOST_QUESTIONS:]:
        reading, sentence = readings[i], readings[i].sentences[j]
        if sentence.is_question and _answered_at_once(readings, raised[i], i, j):
            continue
        if is_answered(sentence.text, readings[i + 1 :], reading.speaker):
            continue
        if sentence.is_question:
            asked_in = i
        elif i - asked_in <= 1 and len(reading.topics[j] - _CUE_STEMS) < _OWN_MATTER:
            continue  # "not sure yet" leaves only the question before it open
        yield reading, sentence


def is_answered(question: str, later: Iterable[Reading], speaker: tuple[str, str] | None = None) -> bool:
    """Whether a statement in later messages is about the question's topic."""
    asked = stems(question) - _CUE_STEMS
    if not asked:
        return False
    return any(
        _answers(asked, said, sentence, reading.speaker != speaker)
        for reading in later
        for sentence, said in zip(reading.sentences, reading.topics, strict=True)
    )


def is_rhetorical(text: str) -> bool:
    """Whether a question is a greeting, an offer or a figure of speech.

    >>> is_rhetorical("How are you?"), is_rhetorical("Which region should we deploy to?")
    (True, False)
    """
    low = normalized_case(text)[-300:]
    return bool(_CHIT_CHAT.search(low) or _OFFER.search(low))


def question_salience(text: str, *, among_people: bool = False) -> float:
    """How much a question is about the matter.

    >>> question_salience("Which region should we use?") > question_salience("Do you like it?")
    True
    """
    low = normalized_case(text)[:400]
    score = 1.5 * bool(_MATTER.search(low)) + min(1.5, 0.3 * len(stems(text))) + specificity(text)
    score += field_cues(text).get("open_questions", 0) * 0.7
    return score - (2.0 if among_people else 0.5) * bool(_SECOND_PERSON.search(low))


def _raised(reading: Reading) -> Iterator[int]:
    for index, sentence in enumerate(reading.sentences):
        headed = heading_field(sentence.heading) == "open_questions"
        undecided = not sentence.is_question and "open_questions" in field_cues(sentence.text)
        if not (sentence.is_question or undecided or headed) or sentence.done or len(sentence.text) > 600:
            continue
        if undecided and not headed and not (reading.person or reading.topics[index] - _CUE_STEMS):
            continue
        if _is_matter(reading, sentence, headed):
            yield index


def _is_matter(reading: Reading, sentence: Sentence, headed: bool) -> bool:
    if headed:
        return len(sentence.text) > 8
    if sentence.is_question and (is_rhetorical(sentence.text) or is_proposal(sentence.text)):
        return False
    if len(stems(sentence.text) - _CUE_STEMS) < 2:
        return False
    return question_salience(sentence.text, among_people=reading.among_people) >= (2.5 if reading.among_people else 2.0)


def _answered_at_once(readings: Sequence[Reading], raised: Sequence[int], asked_in: int, index: int) -> bool:
    """The other side's next message answers, unless it puts the answer off or leaves this one of several out."""
    reading = readings[asked_in]
    reply = next(
        (r for r in readings[asked_in + 1 : asked_in + 6] if r.sentences and r.speaker != reading.speaker), None
    )
    if reply is None:
        return reading.among_people
    statements = [sentence.text for sentence in reply.sentences if not sentence.is_question]
    if not statements or _DEFERRAL.search(normalized_case(" ".join(statements)[:400])):
        return False
    if heading_field(reading.sentences[index].heading) == "open_questions":
        return False
    asked = [i for i in raised if reading.sentences[i].is_question]
    if reading.among_people or len(asked) < 2:
        return True
    clauses = [clause for text in statements for clause in _CLAUSE.split(text[:400]) if clause.strip()]
    return len(clauses) >= len(asked) or any(reading.topics[index] & topic for topic in reply.topics)


def _answers(asked: frozenset[str], said: frozenset[str], sentence: Sentence, other: bool) -> bool:
    shared = len(asked & said)
    if not shared or (shared < 2 and len(asked) > 2) or sentence.is_question:
        return False
    cues = field_cues(sentence.text)
    if "open_questions" in cues or _DEFERRAL.search(normalized_case(sentence.text[:400])):
        return False
    enough = 0.34 if "decisions" in cues else 0.6 if other else 0.75
    return coverage(asked, said) >= enough
