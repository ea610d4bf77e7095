"""Sections of the context for a new session, and how a token budget is divided among them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Section(StrEnum):
    """Sections in the order of the text."""

    COMMUNICATION = "working_with_you"
    PROFILE = "your_profile"
    ACTIVITY = "recent_activity"
    ENTITIES = "active_entities"


SECTION_HEADINGS = {
    Section.COMMUNICATION: "## Working With You",
    Section.PROFILE: "## Your Profile",
    Section.ACTIVITY: "## Recent Activity",
    Section.ENTITIES: "## Active Entities",
}
# In percent of the budget.
SHARES = {Section.COMMUNICATION: 30, Section.PROFILE: 25, Section.ACTIVITY: 25, Section.ENTITIES: 20}


def own_share(section: Section, tokens: int) -> int:
    """Tokens of a section before it gets what others do not need.

    >>> [own_share(section, 4_000) for section in Section]
    [1200, 1000, 1000, 800]
    """
    return tokens * SHARES[section] // 100


def section_grants(needs: Mapping[Section, int], tokens: int) -> dict[Section, int]:
    """Give each section its own share as far as it needs it, and divide the rest in proportion to the shares.

    >>> needs = {Section.COMMUNICATION: 200, Section.PROFILE: 3_000, Section.ACTIVITY: 0, Section.ENTITIES: 1_500}
    >>> [section_grants(needs, 4_000)[section] for section in Section]
    [200, 2300, 0, 1500]
    """
    granted = {section: min(needs[section], own_share(section, tokens)) for section in Section}
    while (rest := tokens - sum(granted.values())) and (short := _short(needs, granted)):
        parts = sum(SHARES[section] for section in short)
        for section in short:
            part = max(1, rest * SHARES[section] // parts)
            granted[section] += min(part, needs[section] - granted[section], tokens - sum(granted.values()))
    return granted


def _short(needs: Mapping[Section, int], granted: Mapping[Section, int]) -> list[Section]:
    return [section for section in Section if granted[section] < needs[section]]
