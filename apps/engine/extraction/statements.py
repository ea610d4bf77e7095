"""The statement of a memory: the quote as a sentence that can be read alone.

Whom it is about is named: in the place of a pronoun at its beginning, or before it. An answer comes after what was
asked.
"""

from __future__ import annotations

import re

from apps.engine.extraction.absolute_dates import absolute
from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.extraction.parts import Part
from apps.engine.language.sentences import ASKING_END, QUESTION_ENDS, sentence_spans
from apps.engine.language.similarity import nfkc, normalized, stems, words
from apps.engine.reading.certainty import certainty
from apps.engine.reading.chances import MessageRead
from apps.engine.reading.pronouns import PRONOUN
from apps.engine.reading.spans import is_spaceless

_OPENING = re.compile(
    r"^(?:(?:and|but|so|ok|okay|yes|yeah|no(?=[,.:!])|well|also|btw|anyway|fyi|then|plus|oh|hi|hey|actually|sorry|right"
    r"|fine|hm+|because|since|y|pero"
    r"|und|aber|et|mais)\b[,.:!]?\s+)+",
    re.IGNORECASE,
)
_QUESTION = re.compile(rf"[^.!?。！？؟\n]{{2,160}}(?:[{QUESTION_ENDS}]|{ASKING_END})\W*$")
_LONGEST_ASKED = 200
_LONGEST_HEADING, _HEADING_EDGES, _SENTENCE_ENDS = 60, "#*_: \t", (".", "!", "?", "…", "。", "！", "？")
_LONGEST_CONTEXT, _CONTEXT_SENTENCES = 300, 2
_FEWEST_WORDS, _FEWEST_CHARACTERS = 6, 8
"""A shorter answer may say nothing without what was asked; characters in scripts without spaces."""
_FEWEST_OF_SENTENCE = 4
"""Words of an answer that can be read alone."""
_MOSTLY = 0.6
_BEFORE_NAMES = frozenset(
    ("my", "our", "the", "mein", "meine", "unser", "der", "die", "das", "mi", "el", "la", "mon", "ma")
)
"""Words before a name that are none of it."""
_ARTICLES = "|".join(sorted(_BEFORE_NAMES))
_LONGEST_BEFORE, _MOST_BETWEEN = 80, 1
"""In characters and words, between the name of whom a quote is about and the quote."""


def opened(quote: str) -> str:
    """A quote without the words that only join it to the conversation.

    >>> opened("and also we tag on Mondays")
    'we tag on Mondays'
    >>> opened("but no data may be lost"), opened("No, we tag on Mondays")
    ('no data may be lost', 'we tag on Mondays')
    """
    return _OPENING.sub("", quote)


def statement_of(utterance: Utterance, quote: str, about: str = "", question: str = "", before: str = "") -> str:
    """What the quote says, in one line, with the name of whom it is about, and with that of another author before it.

    `before` is the text before the quote: what is named just there is where the statement begins.

    >>> own, bobs = Utterance("1", 0, Speaker.SELF, ""), Utterance("1", 0, Speaker.MEMBER, "", name="Bob")
    >>> statement_of(bobs, "and also we tag\\non Mondays")
    'Bob: We tag on Mondays'
    >>> statement_of(own, "she lives in Lisbon", "Ada"), statement_of(own, "two left feet", "Ada")
    ('Ada lives in Lisbon', 'Ada: two left feet')
    >>> statement_of(own, "closes at six", "office", before="Don't forget: the office ")
    'The office closes at six'
    >>> statement_of(own, "Tbilisi", question="Which city do you live in?")
    'Which city do you live in? Tbilisi'
    """
    text = normalized(opened(quote)) or normalized(quote)
    text = f"{question} {text}" if question else _named(text, about, before) if about else text
    text = text[:1].upper() + text[1:]
    return f"{utterance.name}: {text}" if utterance.speaker is Speaker.MEMBER and utterance.name else text


def dated(statement: str, utterance: Utterance) -> str:
    """The statement with dates for words that count from the day of its message."""
    return absolute(statement, utterance.stated_at.date()) if utterance.stated_at else statement


def question_of(part: Part, quote: str) -> str:
    """The question that a short answer needs to be understood: the last one of the assistant's message before it.

    >>> from apps.engine.extraction.parts import parts_of
    >>> own = Utterance("1", 0, Speaker.SELF, "Tbilisi.")
    >>> asked = Utterance("0", 0, Speaker.ASSISTANT, "Ok! Which city do you live in?")
    >>> question_of(parts_of([own], [asked])[0], "Tbilisi.")
    'Which city do you live in?'
    """
    found = _QUESTION.search(part.question[-_LONGEST_ASKED:])
    said = part.text.strip()
    is_answer = said.startswith(quote) or len(quote) >= _MOSTLY * len(said)
    return normalized(found[0]) if found and is_answer and _is_short(quote) else ""


def heading_of(part: Part, quote: str) -> str:
    """The heading of a list that a short item of it needs to be understood, with a colon; a sentence is none."""
    heading = part.heading.strip(_HEADING_EDGES) if part.is_item else ""
    is_title = 0 < len(heading) <= _LONGEST_HEADING and not heading.endswith(_SENTENCE_ENDS)
    return f"{normalized(heading)}:" if is_title and _is_short(quote) else ""


def doubtful_answer(part: Part, read: MessageRead) -> str:
    """The words found in a part that get a question which they may not need; empty if there are none.

    "Induction since 2025" needs it, "I'm allergic to peanuts" does not: who reads them alone can tell.
    """
    quotes = (part.text[one.span.start : one.span.end] for one in read.spans)
    return next((one for one in quotes if question_of(part, one) and len(one.split()) >= _FEWEST_OF_SENTENCE), "")


def can_be_read_alone(alone: MessageRead, least: float) -> bool:
    """Whether the reader finds words that it read without the question worth keeping, by a least chance."""
    return any(certainty(one.span.chance, one.memorable) >= least for one in alone.spans)


def passage_of(part: Part) -> str:
    """All that was read at once, after the question or the heading that it needs to be understood."""
    topic = question_of(part, part.text.strip()) or (part.heading if part.is_item else "")
    text = part.text[part.bullet :]
    return f"{topic} {text}" if topic else text


def context_of(text: str, start: int) -> str:
    """The two sentences before a place of a text, or their end: what "it" may mean."""
    before = text[max(0, start - _LONGEST_CONTEXT) : start]
    ends = [end for _, end in sentence_spans(before)]
    return normalized(before[ends[-3] :] if len(ends) > _CONTEXT_SENTENCES else before)


def is_bare(quote: str) -> bool:
    """Whether an answer has no word of its own: "yes, please"."""
    return not stems(quote)


def _is_short(quote: str) -> bool:
    spaceless = sum(map(is_spaceless, quote))
    return spaceless < _FEWEST_CHARACTERS if spaceless else len(quote.split()) < _FEWEST_WORDS


def _named(text: str, about: str, before: str) -> str:
    """The text with the name of whom it is about, unless a word of it stands there."""
    names = {word for word in words(nfkc(about).casefold()) if word not in _BEFORE_NAMES} or {about.casefold()}
    if names & set(words(nfkc(text).casefold())) or about.casefold() in text.casefold():
        return text
    if pronoun := PRONOUN.match(text):
        return about + text[pronoun.end() :]
    named = _just_before(before, about)
    return f"{named} {text}" if named else f"{about}: {text}"


def _just_before(before: str, about: str) -> str:
    """The end of a sentence from a name on, with the article before it; empty if the name is too far from the end."""
    pattern = rf"(?:\b(?:{_ARTICLES})\s+)?(?<!\w){re.escape(about)}(?:\s+\w+){{0,{_MOST_BETWEEN}}}\s*$"
    found = re.search(pattern, before[-_LONGEST_BEFORE:], re.IGNORECASE)
    return normalized(found[0]) if found else ""
