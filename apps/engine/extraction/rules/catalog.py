"""All rules, and those for sentences that give a slot in words that no other rule knows."""

from __future__ import annotations

from apps.engine.extraction.rules import english, others
from apps.engine.extraction.rules.rule import Rule, rule
from apps.engine.memory.categories import Category

RULES: tuple[Rule, ...] = (*english.RULES, *others.RULES)
SLOT_OF_SELF = rule(Category.PROFILE, "slot", r"\S", whole=True)
SLOT_OF_OTHERS = rule(Category.ENTITIES, "slot", r"\S", whole=True)
