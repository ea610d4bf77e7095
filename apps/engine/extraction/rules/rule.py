"""A rule: the words that make a clause worth remembering, and the category of the memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from apps.engine.memory.categories import Category


class Reach(Enum):
    """How far a memory's quote extends beyond its clause: to the sentence's other clauses of its kind, or to all."""

    CLAUSE = "clause"
    SENTENCE = "sentence"


@dataclass(frozen=True, slots=True)
class Rule:
    """`negated`: it also holds for a negated clause ("we never deploy on Fridays"), which others refuse."""

    category: Category
    name: str
    pattern: re.Pattern[str]
    negated: bool = False
    reach: Reach = Reach.CLAUSE


def rule(category: Category, name: str, *patterns: str, negated: bool = False, whole: bool = False) -> Rule:
    """Build a rule; `whole`: cause and remedy are told in several clauses, so that the quote is the sentence."""
    compiled = re.compile("|".join(patterns), re.IGNORECASE)
    return Rule(category, name, compiled, negated or whole, Reach.SENTENCE if whole else Reach.CLAUSE)
