"""Reading of a fact's words, once for many comparisons: topic, values, attributes and signs of change."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from apps.engine.language.similarity import speaker_of, stems, words
from apps.engine.language.supersession import Statement
from apps.engine.language.verbs import VERB
from apps.engine.memory.attributes import attributes_of
from apps.engine.memory.change_cues import ChangeCues, change_cues
from apps.engine.memory.values.reading import values_of
from apps.engine.memory.values.value import Kind, Value

_NAMES = frozenset((Kind.NAME, Kind.PLACE))
# Words of change, of time, and those that every sentence has tell nothing of the topic.
_NO_TOPIC = stems(
    """switch switched swap swapped move moved moving change changed replace replaced instead longer now anymore
    today yesterday tomorrow week month year day new old last next first later earlier since until till officially
    henceforth plan update btw fyi news thing things bit already finally still time once lol haha then start finish
    took taken take takes taking going went gone come comes came put puts bring brought set one two three four five
    six seven eight nine ten eleven please remember note decided agreed decide agree call called named says said
    think thought know yes yeah nope hmm right lot lots few couple much whole anyway actually basically probably
    exactly quite rather pretty likely afterwards morning evening night nights afternoon noon bumped slides pushed
    dropped drop left leave leaving turns turned out case big small good bad better nice lovely owns own handles
    handle runs run leads lead uses user dr mr mrs ms prof professor ich wir die der das und ist sind ein eine jetzt
    nicht mehr auf für mit von zu im am wieder el la los las y es un una ahora ya no de en por para con del al lo
    que le la les et est sont un une de du des en à avec ce"""
)
# Of these and of the words that every text has, what one fact can say and another deny.
_OPPOSITES = stems(
    """new old last next first later earlier one two three four five six seven eight nine ten eleven morning evening
    night nights afternoon left right big small good bad better nice day week month year"""
) | {"before", "after", "with", "without", "only", "always", "all", "each", "every", "some", "he", "she", "his", "her"}
# Which of several: "phase two", "the second talk".
_WHICH = re.compile(
    r"\b(?:one|two|three|four|five|first|second|third|fourth|last|next|left|right|upper|lower)\b", re.IGNORECASE
)
_ARTICLE = re.compile(r"\b(?:the|an?|my|our|your|his|her|their|its|this|that|each|every|no|new) $", re.IGNORECASE)
_JOINT = re.compile(r"[;:] |, (?!\w+$)|,? (?:so|but|because|since) ", re.IGNORECASE)
_KIN = stems(
    """husband wife partner girlfriend boyfriend son daughter child children kid kids baby mother father mum mom
    dad parents brother sister aunt uncle cousin nephew niece grandmother grandfather friend neighbour neighbor
    flatmate roommate colleague boss client customer team dog cat frau mann sohn tochter kind eltern mutter vater
    bruder schwester mujer marido hijo hija madre padre hermano hermana femme mari fils fille mère père frère soeur"""
)
# Animals, a team and customers are spoken of for oneself: "our dog is called …", "we renamed him".
_NO_OTHERS = stems("boss client customer team dog cat")
_THEIRS = re.compile(r"\b(?:he|she|they|him|her|hers|his|them|their|he's|she's|they're)\b", re.IGNORECASE)
_PRONOUNS = re.compile(
    r"\b(?:i|we|you|it|he|she|they|this|that|there|these|those|it's|that's|he's|she's|they're|i'm|we're|it'll|i've|we've"
    r"|ich|wir|es|yo|je|nous|on|ce)\b|\bj'",
    re.IGNORECASE,
)
# A model's statement speaks of "the user".
_FIRST_PERSON = re.compile(
    r"(?:\w+,? )?(?:i|we|i'm|we're|i've|we've|ich|wir|yo|je|nous)\b|j'|the user\b(?!')", re.IGNORECASE
)
_SELF = re.compile(
    r"\b(?:the user|i|me|my|mine|we|us|our|ours|i'm|we're|mich|mir|mein\w*|uns\w*|yo|mi|nuestr\w+|moi|mon|nous"
    r"|notre)\b",
    re.IGNORECASE,
)
# The subject is "it", or there is none: the topic is what was spoken of before.
_ANAPHORIC = re.compile(
    r"(?:(?:so|ok|well|and|but|then|now|yes|no),? )*"
    r"(?:it|it's|it'll|that's|they're|they|make (?:it|that)|going with|went with|let's|[£$€]?\d|so )",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|without|cannot|nicht|kein\w*|nie|nunca|ne|pas|jamais)\b|n't\b|ない|ません",
    re.IGNORECASE,
)
_LONGEST = 600


@dataclass(frozen=True)
class FactReading:
    """The parts of a fact's words that are compared; `cues` are those of its quote."""

    text: str
    cues: ChangeCues

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems(self.text)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        return values_of(self.text)

    @cached_property
    def attributes(self) -> frozenset[str]:
        return attributes_of(self.text)

    @cached_property
    def statement(self) -> Statement:
        return Statement(self.text)

    @cached_property
    def names(self) -> frozenset[str]:
        return stems(" ".join(self.text[one.start : one.end] for one in self.values if one.kind in _NAMES)) - _NO_TOPIC

    @cached_property
    def topic(self) -> frozenset[str]:
        """What it is about: its stems outside of values, and names."""
        bare = _without(self.text, (one for one in self.values if one.kind not in _NAMES))
        return frozenset(one for one in stems(bare) - _NO_TOPIC if not one[0].isdigit()) | self.names

    @cached_property
    def bare(self) -> frozenset[str]:
        """All its stems outside of values, words of time and change included."""
        return stems(_without(self.text, self.values))

    @cached_property
    def content(self) -> frozenset[str]:
        """All that it says, values included."""
        return self.stems - _NO_TOPIC

    @cached_property
    def claims(self) -> frozenset[str]:
        """What it says besides its values, in the words that another fact with the same meaning has too."""
        opposites = (self.bare | frozenset(words(self.text))) & _OPPOSITES
        return self.bare - _NO_TOPIC | opposites

    def part_with(self, value: Value | None) -> FactReading:
        """The part between conjunctions or commas that gives a value; all of it without a value."""
        if value is None:
            return self
        start = max((one.end() for one in _JOINT.finditer(self.text, 0, value.start)), default=0)
        end = next((one.start() for one in _JOINT.finditer(self.text, value.end)), len(self.text))
        return self if (start, end) == (0, len(self.text)) else read_fact(self.text[start:end])

    @cached_property
    def has_kin(self) -> frozenset[str]:
        """The relatives and friends that it speaks of."""
        return self.stems & _KIN

    def is_of_other_people(self, other: FactReading) -> bool:
        """Whether one is about relatives or friends, and the other about oneself: neither replaces the other."""
        return self._leaves_out(other) or other._leaves_out(self)

    def _leaves_out(self, other: FactReading) -> bool:
        """Whether this is about oneself, and the other about people that this doesn't speak of."""
        people = (other.subject & other.has_kin) - _NO_OTHERS
        is_of_self = self.is_first_person or bool(_SELF.search(self.text, 0, self._verb))
        return bool(people) and is_of_self and not people & self.stems and not _THEIRS.search(self.text)

    @cached_property
    def subject_values(self) -> tuple[Value, ...]:
        return tuple(one for one in self.values if one.end <= self._verb)

    @cached_property
    def subject(self) -> frozenset[str]:
        """The stems before the first verb; none if that is a pronoun, or the verb comes first."""
        before = self.text[: self._verb]
        if _PRONOUNS.search(before):
            return frozenset()
        return stems(_without(before, (one for one in self.subject_values if one.kind not in _NAMES))) - _NO_TOPIC

    @cached_property
    def which(self) -> str:
        """The word that tells which of several the subject is: "phase two", "the second talk"."""
        match = _WHICH.search(self.text, 0, self._verb)
        return match.group().lower() if match else ""

    @cached_property
    def is_first_person(self) -> bool:
        return bool(_FIRST_PERSON.match(self.text))

    @cached_property
    def is_about_self(self) -> bool:
        """Whether the speaker appears in it at all."""
        return self.is_first_person or bool(_SELF.search(self.text))

    @cached_property
    def is_anaphoric(self) -> bool:
        return bool(_ANAPHORIC.match(self.text))

    @cached_property
    def is_negated(self) -> bool:
        return bool(_NEGATION.search(self.text))

    @cached_property
    def _verb(self) -> int:
        """The place of the first verb; after an article it is a noun: "the build"."""
        places = (match.start() for match in VERB.finditer(self.text))
        return next((place for place in places if not _ARTICLE.search(self.text, 0, place)), 0)


@lru_cache(maxsize=4_096)
def read_fact(statement: str, quote: str = "") -> FactReading:
    """Read the words of a fact; its quote may say that something changed where the statement doesn't.

    >>> reading = read_fact("The kitchen fronts are sage green")
    >>> sorted(reading.topic), [one.text for one in reading.values], sorted(reading.attributes)
    (['front', 'kitchen'], ['sage green'], ['chef', 'color'])
    """
    text = statement[:_LONGEST].replace("’", "'")
    text = text[len(speaker_of(text)) :].removeprefix(": ")
    return FactReading(_as_quoted(text, quote), change_cues((quote or text)[:_LONGEST]))


def _as_quoted(text: str, quote: str) -> str:
    """The text with its first letter as in the quote: a statement's capital makes no name."""
    small = text[:1].lower() + text[1:]
    return small if quote and text not in quote and small[:_BEGINNING] in quote else text


_BEGINNING = 12


def _without(text: str, values: Iterable[Value]) -> str:
    for one in values:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text
