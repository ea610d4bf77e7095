"""The slot of a statement, where its words leave no doubt whom it is about, which attribute it gives, and its value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apps.engine.extraction.plain_words import denied, plain_words
from apps.engine.extraction.slot_phrases import (
    KIN,
    NAME,
    OF_ANYBODY,
    OF_PERSON,
    OF_ROLE,
    THING_IS_DUE,
    THING_RUNS_ON,
    THING_USES,
    compiled,
)
from apps.engine.language.word_lists import listed
from apps.engine.memory.attributes import canonical
from apps.engine.memory.slots import USER, Slot, same_value
from apps.engine.memory.values.reading import values_of
from apps.engine.memory.values.value import Kind, Value

_DATABASE = "database"
_CLASSES = frozenset(
    (_DATABASE, "framework", "hosting", "programming language", "engine", "runtime", "till", "podcast host")
)
_NO_PLACES = frozenset(
    (Kind.PRODUCT, Kind.VERSION, Kind.WEEKDAY, Kind.CHANNEL, Kind.COLOR, Kind.DATE, Kind.TIME, Kind.FREQUENCY)
)
_NAMES = frozenset(("lives_in", "employer", "name", "partner", "hometown"))
_WHEN = frozenset((Kind.DATE, Kind.WEEKDAY))
# Where somebody comes from, which is no name of theirs.
_ORIGINS = listed(
    """american australian austrian belgian brazilian british canadian egyptian european german indian irish italian
    mexican scottish swiss welsh african asian iranian israeli pakistani"""
)
_UNCERTAIN = re.compile(
    r"\b(?:not|never|no longer|might|maybe|probably|perhaps|used to|(?<!have )until|or|nicht|nunca|pas)\b|n't\b",
    re.IGNORECASE,
)
_NO_THINGS = listed(
    """i we you he she it they this that these those there here everything everybody everyone nothing nobody somebody
    something who which what everyone's one ours mine all data"""
)
# A thing with one of these is no single thing, or more than a thing.
_BESIDE_THINGS = listed(
    "that which who and or but for of in on at to from with by is are was were has have i we they you it its"
    " from moved switched migrated replaced changed"
)
_ARTICLE = re.compile(r"^(?:the|our|my|this|an?) ", re.IGNORECASE)
_AFTER_PRODUCT = re.compile(r"^(?: (?:database|db|cluster|instance|server))?$", re.IGNORECASE)
_SAYS_CHANGE = re.compile(
    r"\b(?:now|instead|no longer|any ?more|switched|moved|migrated|replaced|these days|as of|from now on)\b",
    re.IGNORECASE,
)
# Somebody else who does or has what a person else says of themselves: "my sister Nora", "Nora".
_SOMEBODY = compiled(
    rf"^(?:my|our) (?:\w+ )?{KIN},? {NAME},? (?=\w)",
    rf"^(?:my|our) (?:\w+ )?(?P<value>{KIN}) (?=\w)",
    rf"^{NAME},(?: (?:who is )?my (?:\w+ )?{KIN},)? (?=\w)",
    rf"^{NAME} (?=(?:lives?|works?|is based) )",
)
_VERB_OF_SOMEBODY = re.compile(
    r"(?:(?:has|is|are|have|'s) )?(?:lives?|living|works?|working|moved|based|joined|left|relocated|settled|started)\b"
)
_PRONOUN = re.compile(r"(?:she|he|they)(?= |')", re.IGNORECASE)
# What follows a denied value: "…, it's Cork", "…, we moved it to Postgres", "…, Farah is".
_GIVEN_INSTEAD = compiled(
    r"^(?:now )?(?:it's|it is|that's|that is|they're|it'll be|i'm|i am|we're|we are|he's|she's|my new one is)"
    r" (?:now |all |back )?(?:(?:in|at|with|on|for|to|by|due on|due|using|called) )?(?P<value>.{2,60})$",
    r"^(?:now )?(?:i|we|they)(?:'ve| have)? (?:just )?(?:moved|migrated|switched|changed|ported|went|gone|transferred)"
    r"(?: it| them| that)?(?: over)? (?:on)?to (?P<value>.{2,60})$",
    r"^(?:i|we|they)(?:'ve| have)? (?:joined|chose|picked|took|use|hired|replaced (?:it|them|him|her) (?:with|by))"
    r" (?P<value>.{2,60})$",
    r"^(?P<value>.{2,60}?) (?:is|does|has (?:it|that)|took over|takes over|has taken over)$",
    r"^(?P<value>.{2,60}?) (?:has )?replaced (?:him|her|it|them)$",
    r"^(?:(?:to|in|at|by|on|with) )?(?P<value>.{2,60})$",
)
_ONLY_NAME = re.compile(rf"^{NAME}$")
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class SlotReader:
    """Reads the slots of one author's statements; `speaker` is the subject of what they say of themselves."""

    speaker: str = USER

    def read(self, text: str) -> Slot | None:
        """The slot of a statement; none if it is uncertain, or only denies a value.

        >>> reader = SlotReader()
        >>> reader.read("I live in Porto now")
        Slot(subject='user', attribute='lives_in', value='Porto', many=False)
        >>> reader.read("The shop no longer uses MySQL, we migrated it to Postgres 16")
        Slot(subject='shop', attribute='database', value='Postgres 16', many=False)
        >>> reader.read("I live in a flat"), reader.read("I don't live in Porto any more")
        (None, None)
        """
        if len(text) > _LONGEST:
            return None
        plain = plain_words(text)
        is_change = bool(_SAYS_CHANGE.search(text))
        return self._instead(plain) if _UNCERTAIN.search(plain) else self._certain(plain, is_change=is_change)

    def _certain(self, text: str, *, is_change: bool) -> Slot | None:
        return self._of_role(text) or self._of_person(text) or _of_thing(text, is_change=is_change)

    def _instead(self, text: str) -> Slot | None:
        """The value that is given beside a denied one."""
        parts = denied(text)
        if parts is None or _UNCERTAIN.search(parts.rest):
            return None
        rest = plain_words(parts.rest)
        old = self._certain(parts.was, is_change=True)
        if slot := self._certain(rest, is_change=True) or _of_same_person(old, rest):
            return slot
        if old is None or parts.is_last:
            return None
        matches = (pattern.search(rest) for pattern in _GIVEN_INSTEAD)
        values = (_like(old, match["value"]) for match in matches if match)
        value = next((one for one in values if one), "")
        return Slot.of(old.subject, old.attribute, value) if value else None

    def _of_person(self, text: str) -> Slot | None:
        for somebody in _matches(_SOMEBODY, text):
            rest = text[somebody.end() :]
            if somebody["value"].lower() not in _NO_THINGS and _VERB_OF_SOMEBODY.match(rest):
                return _of_person(somebody["value"], f"I {rest}", OF_ANYBODY)
        return _of_person(self.speaker, text, OF_PERSON)

    def _of_role(self, text: str) -> Slot | None:
        fitting = (one for one in _matches(OF_ROLE, text) if _is_person(one["value"]))
        match = next(fitting, None)
        return Slot.of(self.speaker, match["role"], match["value"]) if match else None


def _matches(patterns: Iterable[re.Pattern[str]], text: str) -> Iterator[re.Match[str]]:
    return (found for pattern in patterns if (found := pattern.search(text)))


def _of_same_person(old: Slot | None, rest: str) -> Slot | None:
    """What is said of the person of a denied part: "Ines no longer lives in Faro, she moved to Lagos"."""
    match = _PRONOUN.match(rest)
    return _of_person(old.subject, f"I{rest[match.end() :]}", OF_ANYBODY) if old and match else None


def _of_person(subject: str, text: str, attributes: Iterable[str]) -> Slot | None:
    for attribute in attributes:
        match = next(_matches(OF_PERSON[attribute], text), None)
        if match is not None and _fits(attribute, match["value"]):
            return Slot.of(subject, attribute, match["value"])
    return None


def _fits(attribute: str, value: str) -> bool:
    """Whether a value is of a kind that the attribute has: nobody lives in a database."""
    kinds = {one.kind for one in values_of(f"in {value}")}
    if attribute == "language":
        return Kind.LANGUAGE in kinds
    if attribute == "birthday":
        return Kind.DATE in kinds
    return attribute not in _NAMES or not kinds & _NO_PLACES


def _is_person(value: str) -> bool:
    kinds = {one.kind for one in values_of(value)}
    return value.lower() not in _ORIGINS and not kinds & {Kind.LANGUAGE, Kind.PRODUCT, Kind.WEEKDAY, Kind.DATE}


def _like(old: Slot, value: str) -> str:
    """A value in the place of a denied one, if it is of the same kind and another."""
    if old.attribute == _DATABASE or _values(old.value, (Kind.PRODUCT,)):
        new = _product(value, is_change=True)
        return new[1] if new and new[0] == old.attribute else ""
    if dates := _values(old.value, _WHEN):
        return value if any(one.is_comparable(dates[0]) for one in _values(value, _WHEN)) else ""
    is_name = bool(_ONLY_NAME.match(value)) and _fits("lives_in", value)
    return value if is_name and not same_value(value, old.value) else ""


def _values(text: str, kinds: Iterable[Kind]) -> list[Value]:
    return [one for one in values_of(text) if one.kind in kinds]


def _of_thing(text: str, *, is_change: bool) -> Slot | None:
    return _made_of(text, is_change=is_change) or _due(text)


def _made_of(text: str, *, is_change: bool) -> Slot | None:
    """What a thing runs on; that it uses something tells its database alone."""
    for patterns, is_use in ((THING_USES, True), (THING_RUNS_ON, False)):
        for match in _matches(patterns, text):
            product = _product(match["value"], is_change=is_change or not is_use)
            if product and _is_thing(match["subject"]) and (not is_use or is_change or product[0] == _DATABASE):
                return Slot.of(_ARTICLE.sub("", match["subject"]), *product)
    return None


def _product(value: str, *, is_change: bool) -> tuple[str, str] | None:
    """The attribute and the value that a product is; a store beside a database takes its place in words of change."""
    products = [one for one in values_of(value) if one.kind is Kind.PRODUCT]
    if len(products) != 1 or products[0].start > 0:
        return None
    [product] = products
    group = _DATABASE if product.is_store else product.group
    end = max([product.end, *(one.end for one in values_of(value) if one.kind is Kind.VERSION)])
    if group not in _CLASSES or not _AFTER_PRODUCT.match(value[end:]) or (product.is_side_store and not is_change):
        return None
    return canonical(group), value[:end]


def _due(text: str) -> Slot | None:
    for match in _matches(THING_IS_DUE, text):
        days = [one for one in _values(match["value"], _WHEN) if one.start <= len("the ")]
        if days and _is_thing(match["subject"]):
            return Slot.of(_ARTICLE.sub("", match["subject"]), "deadline", match["value"])
    return None


def _is_thing(subject: str) -> bool:
    words = _ARTICLE.sub("", subject).lower().split()
    return bool(words) and words[-1] not in _NO_THINGS and not _BESIDE_THINGS & set(words)
