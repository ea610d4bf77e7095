"""The address of a found memory: what it is about and its first telling words."""

from __future__ import annotations

import re

from apps.engine.extraction.candidate import Candidate
from apps.engine.language.similarity import stems, words
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import RULES, memory_address
from apps.engine.memory.slots import USER
from apps.engine.reading.kinship import KIN

_NAME = re.compile(
    r"(?<!^)(?<![.!?:] )\b(?!I\b|I'|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[A-ZÀ-Þ][\w'&-]+(?: (?:& )?[A-ZÀ-Þ][\w'-]+)*"
)
_MOST_WORDS = 6
# The folder of facts about things that their sentence doesn't name.
_UNNAMED = "various"


def address_of(candidate: Candidate) -> Address:
    """The address of a candidate's memory; an entity's folder has the name of the first thing that it names.

    >>> from apps.engine.extraction.candidate import Candidate, Quote
    >>> from apps.engine.extraction.own_words import Span
    >>> from apps.engine.memory.categories import Category
    >>> from apps.engine.memory.trust import Source
    >>> def found(category, statement):
    ...     quote = Quote("1", 0, Span(0, 1), statement)
    ...     return Candidate(category, statement, quote, Source.QUOTED, "is", 0.8)
    >>> str(address_of(found(Category.ENTITIES, "Our contractor is Stef Maes")))
    'mem://user/entities/stef-maes/contractor-stef-maes'
    >>> str(address_of(found(Category.PREFERENCES, "I prefer British spelling throughout")))
    'mem://user/preferences/prefer-british-spelling-throughout'
    """
    name = candidate.name or _telling_words(candidate.statement)
    if RULES[candidate.category].names == 1:
        return memory_address(candidate.category, name)
    return memory_address(candidate.category, _thing(candidate), name)


def _thing(candidate: Candidate) -> str:
    """Whom or what it is about: the same relative has one folder, whatever a person calls them."""
    if candidate.about:
        return KIN.get(candidate.about, candidate.about)
    if candidate.slot and candidate.slot.subject != USER:
        return candidate.slot.subject
    found = _NAME.search(candidate.statement)
    return found.group() if found else _UNNAMED


def _telling_words(statement: str) -> str:
    """The first words that tell what a statement is about; all its words if none does."""
    everything = words(statement)
    telling = [word for word in everything if stems(word)]
    return " ".join((telling or everything)[:_MOST_WORDS]) or statement[:40]
