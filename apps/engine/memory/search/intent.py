"""Intent of a search: one to three sub-queries, each for one part of the tree.

Without a model, rules split a query at its questions and tell the kind of each by words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from apps.engine.language.chit_chat import is_chit_chat

MOST_SUB_QUERIES = 3


class SubQueryKind(StrEnum):
    """Where a sub-query searches: what is known of the person (`mem://user`), what the workspace knows and how it
    works (`mem://agent`), or what was written (`mem://sessions` and messages). Seed 004, section 7.2."""

    MEMORY = "MEMORY"
    PATTERN = "PATTERN"
    RESOURCE = "RESOURCE"


@dataclass(frozen=True, slots=True)
class SubQuery:
    kind: SubQueryKind
    text: str


@dataclass(frozen=True, slots=True)
class Intent:
    """What a query asks for; no sub-queries if it is only chit-chat. `by` is `rules` or the model's name."""

    sub_queries: tuple[SubQuery, ...]
    by: str = "rules"

    @property
    def is_chit_chat(self) -> bool:
        return not self.sub_queries


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_ASKS = (
    r"(?:what|when|where|which|who|whom|whose|why|how|is|are|was|were|do|does|did|can|could|should|has|have|had"
    r"|was|wann|wo|welche[rsnm]?|wer|wen|warum|wie|qué|cuándo|dónde|cuál|quién|cómo|que|quand|où|quel(?:le)?s?|qui"
    r"|pourquoi|comment)"
)
# "… and where …", "…, and how …": a second question after the first; "…, and why?" asks more about the first.
_ASKS_MORE = rf"{_ASKS}\b(?!\s?[?？.!]{{0,9}}$)"
_NEXT_QUESTION = re.compile(
    rf"(?<=[?？])\s*|(?:[,;]|(?<![\s,;]))\s++(?:and|und|y|et)(?: also| auch| también| aussi)?\s+(?={_ASKS_MORE})|;\s+",
    re.IGNORECASE,
)
_WRITTEN = _any(
    r"\b(?:said|say|wrote|written|mentioned|mention|discuss(?:ed)?|talk(?:ed)? about|told|asked|conversations?|chats?"
    r"|messages?|threads?|transcripts?|sessions?|quoted?|exact(?:ly)? words|last time|earlier today)\b",
    r"\b(?:gesagt|geschrieben|erwähnt|besprochen|unterhaltung|gespräch|nachricht\w*|letztes mal)\b",
    r"\b(?:dij\w+|escrib\w+|mencion\w+|conversación|mensajes?|charla)\b|\b(?:dit|écrit|mentionné|discussion|message)\b",
    r"言った|話した|書いた|会話|メッセージ",
)
_HOW_WE_WORK = _any(
    r"\b(?:how (?:do|should|does|would|must) (?:we|one|i|the team|our team)|our (?:process|convention|policy|rule"
    r"|standard|style|workflow|way)\w*|conventions?|best practi[cs]e|guidelines?|runbook|checklist|procedure|workflow"
    r"|(?:the|our) (?:team|company|group|department)\b|pattern|usually handle|steps to)\b",
    r"\b(?:wie (?:machen|sollen|gehen) wir|unser(?:e|en|em)? (?:team|prozess|regel\w*|vorgehen)|konvention\w*"
    r"|richtlinien?)\b",
    r"\b(?:cómo (?:hacemos|debemos)|nuestr[oa]s? (?:equipo|proceso|reglas?|norma\w*)|convenci\w+)\b",
    r"\b(?:comment (?:faisons|devons)-nous|comment (?:on|faire)|notre (?:équipe|processus|règle)|convention)\b",
    r"手順|ルール|チームの|規約",
)


def intent_by_rules(text: str) -> Intent:
    """The sub-queries of a query, without a model.

    >>> intent_by_rules("thanks!").is_chit_chat
    True
    >>> found = intent_by_rules("Where do I live, and how do we deploy to production?")
    >>> [(str(one.kind), one.text) for one in found.sub_queries]
    [('MEMORY', 'Where do I live'), ('PATTERN', 'how do we deploy to production?')]
    >>> [str(one.kind) for one in intent_by_rules("What did Anna say about the launch?").sub_queries]
    ['RESOURCE']
    """
    if is_chit_chat(text):
        return Intent(())
    return Intent(tuple(_most(SubQuery(_kind(part), part) for part in _parts(text))))


def _parts(text: str) -> Iterator[str]:
    """The questions of a query; chit-chat beside a question is left out."""
    flat = " ".join(text.split())
    found = [part.strip(" ,;") for part in _NEXT_QUESTION.split(flat)]
    parts = [part for part in found if part and not is_chit_chat(part)]
    yield from parts if len(parts) <= MOST_SUB_QUERIES else [flat]


def _kind(text: str) -> SubQueryKind:
    """How we work comes before what was written, and what was written before what is known of the person."""
    if _HOW_WE_WORK.search(text):
        return SubQueryKind.PATTERN
    if _WRITTEN.search(text):
        return SubQueryKind.RESOURCE
    return SubQueryKind.MEMORY


def _most(sub_queries: Iterable[SubQuery]) -> list[SubQuery]:
    return list(dict.fromkeys(sub_queries))[:MOST_SUB_QUERIES]
