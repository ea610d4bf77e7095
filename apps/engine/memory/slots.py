"""The slot of a fact: whom or what it is about, which attribute it gives, and the value."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_SUBJECT, LONGEST_ATTRIBUTE, LONGEST_VALUE = 120, 64, 300
USER = "user"
"""The subject of facts about the person whose memories they are; other subjects are slugs of entities."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A fact's address and value; with `many`, the attribute can have several values at once."""

    subject: str
    attribute: str
    value: str
    many: bool = False
