"""The memories that notes of other stores become: their category, their name and their text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from apps.engine.language.similarity import normalized
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import RULES, Category, memory_address
from apps.transfer.formats.clean_text import without_placeholders
from apps.transfer.formats.items import SUMMARY_FIELDS, MemoryItem, ObservationItem

_PATTERN_CONCEPTS = frozenset({"pattern", "gotcha", "trade-off"})
_OBSERVATIONS: Mapping[str, Category] = MappingProxyType(
    {
        "bugfix": Category.CASES,
        "security_alert": Category.CASES,
        "security_note": Category.CASES,
        "sensitive": Category.CASES,
        "diagnostic": Category.CASES,
        "discovery": Category.ENTITIES,
    }
)
_MEMORIES: Mapping[str, Category] = MappingProxyType(
    {
        "user": Category.PROFILE,
        "profile": Category.PROFILE,
        "personal_details": Category.PROFILE,
        "identity": Category.PROFILE,
        "feedback": Category.PREFERENCES,
        "preference": Category.PREFERENCES,
        "preferences": Category.PREFERENCES,
        "user_preferences": Category.PREFERENCES,
        "project": Category.ENTITIES,
        "reference": Category.ENTITIES,
        "entity": Category.ENTITIES,
        "entities": Category.ENTITIES,
        "event": Category.EVENTS,
        "events": Category.EVENTS,
        "decision": Category.EVENTS,
        "milestones": Category.EVENTS,
        "pattern": Category.PATTERNS,
        "patterns": Category.PATTERNS,
        "case": Category.CASES,
        "cases": Category.CASES,
    }
)
_PREFERS = re.compile(
    r"\b(prefer|prefers|preferred|like|likes|love|loves|hate|hates|dislike|dislikes|favou?rite|enjoys?|wants?)\b", re.I
)
_HEADINGS = MappingProxyType(
    {
        "request": "Goal",
        "investigated": "Investigated",
        "learned": "Facts",
        "completed": "Done",
        "next_steps": "Plan",
        "notes": "Notes",
    }
)
_LONGEST_NAME = 60
_VARIOUS, _UNNAMED = "various", "note"


def observation_category(item: ObservationItem) -> Category:
    """The category by type and concepts; a discovery that solves a problem is a case.

    >>> str(observation_category(ObservationItem("s", type="discovery", concepts=("gotcha: time zones",))))
    'patterns'
    >>> str(observation_category(ObservationItem("s", type="feature")))
    'events'
    """
    concepts = concept_names(item.concepts)
    kind = item.type.lower()
    if kind not in ("decision", "bugfix") and _PATTERN_CONCEPTS.intersection(concepts):
        return Category.PATTERNS
    if kind == "discovery" and "problem-solution" in concepts:
        return Category.CASES
    return _OBSERVATIONS.get(kind, Category.EVENTS)


def concept_names(concepts: tuple[str, ...]) -> list[str]:
    """The names without the explanations that older versions wrote behind a colon.

    >>> concept_names(("gotcha: it depends", "how-it-works", "gotcha"))
    ['gotcha', 'how-it-works']
    """
    names = [concept.partition(":")[0].strip().lower()[:64] for concept in concepts]
    return list(dict.fromkeys(name for name in names if name))


def observation_text(item: ObservationItem) -> str:
    """The note as one text: what it says, then its facts."""
    title = item.title or item.subtitle or next(iter(item.facts), "")
    told = item.narrative or (item.subtitle if item.title else "")
    facts = "\n".join(f"- {fact}" for fact in item.facts if fact != title)
    return "\n\n".join(text for text in (title or told, told if title else "", facts) if text)


def observation_address(item: ObservationItem) -> Address:
    title = item.title or item.subtitle or item.narrative or next(iter(item.facts), "")
    return _address(observation_category(item), item.project, title)


def memory_category(item: MemoryItem) -> Category:
    """The category by the other store's word for it, else by what it says.

    >>> str(memory_category(MemoryItem("Prefers tabs"))), str(memory_category(MemoryItem("Works at Acme")))
    ('preferences', 'profile')
    """
    known = _MEMORIES.get(item.type.lower().replace(" ", "_"))
    return known or (Category.PREFERENCES if _PREFERS.search(item.content) else Category.PROFILE)


def memory_item_address(item: MemoryItem) -> Address:
    return _address(memory_category(item), item.folder, item.name or item.content)


def summary_text(texts: Mapping[str, str]) -> str:
    """A summary's fields as paragraphs with our headings.

    >>> summary_text({"learned": "The tests need Redis.", "request": "Fix CI"})
    'Goal: Fix CI\\nFacts: The tests need Redis.'
    """
    return "\n".join(f"{_HEADINGS[name]}: {texts[name]}" for name in SUMMARY_FIELDS if texts.get(name))


def _address(category: Category, folder: str, title: str) -> Address:
    name = normalized(without_placeholders(title))[:_LONGEST_NAME] or _UNNAMED
    return memory_address(category, name) if RULES[category].names == 1 else _inside(category, folder, name)


def _inside(category: Category, folder: str, name: str) -> Address:
    return memory_address(category, folder or _VARIOUS, name)
