"""The slot of a fact: whom or what it is about, which attribute it gives, and the value."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.engine.language.similarity import normalized
from apps.engine.memory.addresses import slug
from apps.engine.memory.attributes import canonical, has_many, is_known
from apps.engine.memory.values.reading import values_of

LONGEST_SUBJECT, LONGEST_ATTRIBUTE, LONGEST_VALUE = 120, 64, 300
USER = "user"
"""The subject of facts about the person whose memories they are; other subjects are slugs of entities."""

_ARTICLES = re.compile(
    r"^(?:the|an?|some|my|our|der|die|das|ein(?:e|en|em)?|el|la|los|las|un|una|le|les|une|about|around)\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A fact's address and value; with `many`, the attribute can have several values at once."""

    subject: str
    attribute: str
    value: str
    many: bool = False

    @classmethod
    def of(cls, subject: str, attribute: str, value: str, *, many: bool = False) -> Slot:
        """A slot with its subject, attribute and value in their usual form; `many` counts for unknown attributes.

        >>> Slot.of("Salt & Fennel", "opening date", " 6  November ")
        Slot(subject='salt-fennel', attribute='launch', value='6 November', many=False)
        >>> Slot.of("user", "languages", "Italian").many, Slot.of("user", "tattoos", "a swan", many=True).many
        (True, True)
        """
        name = canonical(attribute)[:LONGEST_ATTRIBUTE]
        has_several = has_many(name) if is_known(name) else many
        return cls(slug(subject)[:LONGEST_SUBJECT], name, normalized(value)[:LONGEST_VALUE], has_several)

    def is_same(self, other: Slot) -> bool:
        """Whether both are about the same attribute of the same thing."""
        return (self.subject, self.attribute) == (other.subject, other.attribute)


def normal_value(value: str) -> str:
    """A value as it is compared: without article, case and punctuation at its ends.

    >>> normal_value("The Corn  Exchange."), normal_value("a Dog")
    ('corn exchange', 'dog')
    """
    plain = normalized(value).strip(" .,;:!?\"'“”").lower()
    return _ARTICLES.sub("", plain)


def same_value(first: str, second: str) -> bool:
    """Whether two values differ in their writing alone.

    >>> same_value("40,000 euros", "€40k"), same_value("1 April 2026", "2026-04-01"), same_value("Rome", "Paris")
    (True, True, False)
    """
    if normal_value(first) == normal_value(second):
        return True
    read = [values_of(normalized(text)) for text in (first, second)]
    if not all(read) or len(read[0]) != len(read[1]):
        return False
    covered = [
        sum(one.end - one.start for one in values) >= _MOSTLY * len(text)
        for values, text in zip(read, (first, second), strict=True)
    ]
    return all(covered) and all(one.agrees(other) for one, other in zip(*read, strict=True))


_MOSTLY = 0.7
