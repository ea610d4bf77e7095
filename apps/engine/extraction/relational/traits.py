"""Traits of working with a person: their sections, their values, and the statement of each value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Section(StrEnum):
    """Headings of the profile, in their order."""

    ANSWERS = "How to answer"
    WORKING = "Working together"
    FEEDBACK = "Feedback on replies"
    CORRECTIONS = "Corrections received"
    PRAISE = "What was right"


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait has one value at a time; the statement of a free value, such as a name, follows `prefix`."""

    section: Section
    statements: Mapping[str, str]
    prefix: str = ""


def _trait(section: Section, prefix: str = "", **statements: str) -> Trait:
    return Trait(section, MappingProxyType(statements), prefix)


TRAITS: Mapping[str, Trait] = MappingProxyType(
    {
        "name": _trait(Section.ANSWERS, "Wants to be called "),
        "language": _trait(Section.ANSWERS, "Wants replies in "),
        "address": _trait(
            Section.ANSWERS,
            informal="Wants to be addressed informally (du, tú, tu)",
            formal="Wants to be addressed formally (Sie, usted, vous)",
        ),
        "length": _trait(Section.ANSWERS, short="Wants short replies", long="Wants detailed replies"),
        "tone": _trait(Section.ANSWERS, informal="Wants an informal tone", formal="Wants a formal tone"),
        "honesty": _trait(
            Section.ANSWERS,
            direct="Wants direct criticism, without softening",
            gentle="Wants criticism in gentle words",
        ),
        "words": _trait(
            Section.ANSWERS, plain="Wants plain words instead of jargon", technical="Wants technical terms"
        ),
        "bullets": _trait(Section.ANSWERS, yes="Wants bullet points", no="Wants no bullet points"),
        "tables": _trait(Section.ANSWERS, yes="Wants tables", no="Wants no tables"),
        "markup": _trait(Section.ANSWERS, no="Wants plain text without markup", yes="Wants formatted text"),
        "emoji": _trait(Section.ANSWERS, no="Wants no emoji", yes="Likes emoji"),
        "units": _trait(Section.ANSWERS, metric="Wants metric units", imperial="Wants imperial units"),
        "order": _trait(Section.ANSWERS, answer="Wants the answer first, the reasons after it"),
        "links": _trait(Section.ANSWERS, yes="Wants sources with the claims"),
        "code": _trait(
            Section.WORKING,
            first="Wants code first, the explanation after it",
            only="Wants code without explanation",
            explained="Wants the explanation before the code",
        ),
        "options": _trait(
            Section.WORKING,
            one="Wants one recommendation instead of options",
            several="Wants several options to choose from",
        ),
        "questions": _trait(
            Section.WORKING,
            first="Wants to be asked before work begins",
            none="Wants work to begin without questions back",
        ),
        "steps": _trait(Section.WORKING, one="Wants one step at a time", all="Wants all steps at once"),
        "solutions": _trait(
            Section.WORKING, hints="Wants hints, and solves it in person", full="Wants the whole solution"
        ),
        "feedback_length": _trait(Section.FEEDBACK, long="Found a reply too long", short="Found a reply too short"),
        "feedback_level": _trait(
            Section.FEEDBACK, technical="Found a reply too technical", simple="Found a reply too simple"
        ),
        "feedback_tone": _trait(
            Section.FEEDBACK, formal="Found a reply too formal", informal="Found a reply too casual"
        ),
        "feedback_precision": _trait(Section.FEEDBACK, vague="Found a reply too vague"),
        "apologies": _trait(Section.FEEDBACK, no="Wants no apologies"),
        "intro": _trait(Section.FEEDBACK, no="Wants no introduction before the answer"),
        "closing": _trait(Section.FEEDBACK, no="Wants no summary or offer at the end"),
        "flattery": _trait(Section.FEEDBACK, no="Wants no compliments or encouragement"),
        "repetition": _trait(Section.FEEDBACK, no="Wants nothing repeated"),
        "corrected_meaning": _trait(Section.CORRECTIONS, yes="Corrected how a message was understood"),
        "corrected_number": _trait(Section.CORRECTIONS, yes="Corrected a number"),
        "corrected_date": _trait(Section.CORRECTIONS, yes="Corrected a date or time"),
        "corrected_name": _trait(Section.CORRECTIONS, yes="Corrected a name"),
        "corrected_code": _trait(Section.CORRECTIONS, yes="Corrected code"),
        "corrected_fact": _trait(Section.CORRECTIONS, yes="Corrected a statement"),
        "corrected_instruction": _trait(
            Section.CORRECTIONS, yes="Repeated an instruction that a reply had not followed"
        ),
        "praised": _trait(Section.PRAISE, yes="Praised a reply"),
        "praised_short": _trait(Section.PRAISE, yes="Praised a short reply"),
        "praised_long": _trait(Section.PRAISE, yes="Praised a long reply"),
        "praised_table": _trait(Section.PRAISE, yes="Praised a reply with a table"),
        "praised_list": _trait(Section.PRAISE, yes="Praised a reply with a list"),
        "praised_code": _trait(Section.PRAISE, yes="Praised a reply with code"),
    }
)
_VALUES = {statement: (name, value) for name, trait in TRAITS.items() for value, statement in trait.statements.items()}


def statement_of(trait: str, value: str) -> str:
    """The statement of a trait's value.

    >>> statement_of("length", "short"), statement_of("name", "Sam")
    ('Wants short replies', 'Wants to be called Sam')
    """
    known = TRAITS[trait]
    return known.statements.get(value) or f"{known.prefix}{value}"


def trait_of(statement: str) -> str:
    """The trait of a statement; empty if no trait has it.

    >>> trait_of("Wants to be called Sam"), trait_of("Likes tea")
    ('name', '')
    """
    if statement in _VALUES:
        return _VALUES[statement][0]
    free = ((name, trait.prefix) for name, trait in TRAITS.items() if trait.prefix)
    return next((name for name, prefix in free if statement.startswith(prefix)), "")
