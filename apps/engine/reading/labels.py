"""The labels that the reader predicts, in the order of its outputs."""

from __future__ import annotations

from apps.engine.memory.categories import Category

CATEGORIES = (
    Category.PROFILE,
    Category.PREFERENCES,
    Category.ENTITIES,
    Category.EVENTS,
    Category.PATTERNS,
    Category.CASES,
)
COMMANDS = ("", "remember", "forget", "do_not_remember")
CHANGES = ("", "changed", "ended", "corrected")
"""Whether a statement changes, ends or corrects something that was said earlier."""
RELATIONS = ("replaces", "ends", "corrects", "refines", "same", "both")
"""What a later statement is to an earlier one; `both` have nothing to do with each other."""
ENDING = 3
"""With so many of the first relations the earlier statement no longer holds."""
