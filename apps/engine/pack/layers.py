"""What each of the eight layers of a pack asks for, before anybody knows whether it gets it.

A layer states its terms for a situation: a floor below which it is not worth its place, what it would like, a ceiling,
a priority when two want the same tokens, and an elasticity that says how gladly it shrinks. Seed 003, phase 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import floor, log2

ENTITY_TOKENS = 400
"""What is told of an entity, at most."""


_LEAST_HISTORY = 500
_MOST_HISTORY = 0.60
_MOST_JUST_IN_TIME = 0.18


class Layer(StrEnum):
    """In the order of their numbers, L0 to L7."""

    IDENTITY = "L0_identity"
    PREFERENCES = "L1_global_prefs"
    TOPICS = "L2_topic"
    ENTITIES = "L3_entity"
    CONVERSATION = "L4_conversation"
    JUST_IN_TIME = "L5_jit"
    HISTORY = "L6_message_history"
    MESSAGE = "L7_user_message"


class Depth(StrEnum):
    """How much of what is known of the user's topics a pack brings along."""

    MINIMAL = "minimal"
    STANDARD = "standard"
    DEEP = "deep"

    @property
    def factor(self) -> float:
        return {"minimal": 0.5, "standard": 1.0, "deep": 1.5}[self.value]


@dataclass(frozen=True, slots=True)
class Situation:
    """What a pack is for. Tokens are those of the conversation's live messages and of the current message.

    `topic_tokens` is how large the topics' ready texts are: the more they tell, the less is looked up just in time.
    """

    budget: int
    message_count: int = 0
    conversation_tokens: int = 0
    message_tokens: int = 0
    topic_count: int = 0
    entity_count: int = 0
    topic_tokens: int = 0
    depth: Depth = Depth.STANDARD
    history_first: bool = False

    @property
    def continues(self) -> bool:
        """Something was said before the current message."""
        return self.message_count > 0

    @property
    def is_knowledge_heavy(self) -> bool:
        return self.topic_count >= 2 or self.depth is Depth.DEEP

    @property
    def is_dialogue_heavy(self) -> bool:
        return self.message_count > 20 and self.history_first

    @property
    def pressure(self) -> float:
        """How much the conversation wants of the budget: 1 where it would fill 70 % of it."""
        return min(1.0, self.conversation_tokens / (self.budget * 0.7))


@dataclass(frozen=True, slots=True)
class Terms:
    """`minimum`, `ideal` and `maximum` in tokens; `priority` up to 100; `elasticity` from rigid 0 to 1."""

    minimum: int
    ideal: int
    maximum: int
    priority: int
    elasticity: float


def situation_with(situation: Situation, contents: Mapping[Layer, int]) -> Situation:
    """The situation in which topics and entities have so much to say; of the other layers it takes no notice.

    >>> situation_with(Situation(12_000), {Layer.ENTITIES: 900}).entity_count
    3
    """
    topics, entities = contents.get(Layer.TOPICS, 0), contents.get(Layer.ENTITIES, 0)
    return replace(
        situation,
        topic_count=max(situation.topic_count, min(1, topics)),
        topic_tokens=max(situation.topic_tokens, topics),
        entity_count=max(situation.entity_count, -(-entities // ENTITY_TOKENS)),
    )


def most_history(budget: int) -> int:
    """What the messages may take of a budget, whatever the situation."""
    return max(_LEAST_HISTORY, floor(budget * _MOST_HISTORY))


def most_just_in_time(budget: int) -> int:
    """What may be looked up for the current message, of a budget."""
    return floor(budget * _MOST_JUST_IN_TIME)


def terms_of(situation: Situation) -> dict[Layer, Terms]:
    """The terms of every layer; a situation without topics, entities or history asks nothing for them.

    >>> terms = terms_of(Situation(12_000, message_count=30, conversation_tokens=9_000, message_tokens=40))
    >>> terms[Layer.HISTORY]
    Terms(minimum=500, ideal=4200, maximum=7200, priority=80, elasticity=0.4)
    >>> terms[Layer.CONVERSATION]
    Terms(minimum=200, ideal=743, maximum=2400, priority=88, elasticity=0.3)
    """
    return {layer: ask(situation) for layer, ask in _ASKS.items()}


def _identity(at: Situation) -> Terms:
    return Terms(150, min(400, floor(at.budget * 0.02)), 500, 100, 0.0)


def _preferences(at: Situation) -> Terms:
    return Terms(100, min(600, floor(at.budget * 0.03)), 800, 95, 0.1)


def _topics(at: Situation) -> Terms:
    """12 % of the budget, more with more topics, up to 40 % less under a long conversation."""
    many = min(2.0, 1.0 + (at.topic_count - 1) * 0.3)
    ideal = floor(max(0.0, at.budget * 0.12 * at.depth.factor * many * (1 - at.pressure * 0.4)))
    priority = 85 if at.is_knowledge_heavy else 70
    return Terms(300 if at.topic_count else 0, ideal, floor(at.budget * 0.25), priority, 0.6)


def _entities(at: Situation) -> Terms:
    """6 % of the budget, more with more entities, at most 400 tokens each."""
    many = min(2.0, 1.0 + (at.entity_count - 1) * 0.4)
    ideal = floor(max(0.0, min(at.budget * 0.06 * many, at.entity_count * ENTITY_TOKENS)))
    return Terms(150 if at.entity_count else 0, ideal, floor(at.budget * 0.12), 65, 0.7)


def _conversation(at: Situation) -> Terms:
    """What was said before the shown messages grows with the logarithm of their number."""
    ideal = floor(150 * log2(max(1, at.message_count) + 1) * at.depth.factor)
    priority = 88 if at.continues else 30
    most = floor(at.budget * 0.15)
    return Terms(200 if at.continues else 0, min(ideal, most), floor(at.budget * 0.20), priority, 0.3)


def _just_in_time(at: Situation) -> Terms:
    """10 % of the budget, down to 3 % where the topics tell much already."""
    untold = 1.0 - min(1.0, at.topic_tokens / (at.budget * 0.15))
    ideal = floor(at.budget * 0.10 * max(0.3, untold) * at.depth.factor)
    return Terms(200, ideal, most_just_in_time(at.budget), 75, 0.5)


def _history(at: Situation) -> Terms:
    """All of a small conversation; 35, 30, 25 % of the budget for larger ones, more for who puts history first."""
    boost = (1.3 if at.history_first else 1.0) * (1.2 if at.is_dialogue_heavy else 1.0)
    ideal = min(floor(at.budget * _history_share(at) * boost), at.conversation_tokens)
    priority = 90 if at.is_dialogue_heavy else 80
    return Terms(_LEAST_HISTORY if at.continues else 0, ideal, floor(at.budget * _MOST_HISTORY), priority, 0.4)


def _history_share(at: Situation) -> float:
    if at.conversation_tokens <= 3_000:
        return min(1.0, at.conversation_tokens / at.budget)
    if at.conversation_tokens <= 10_000:
        return 0.35
    return 0.30 if at.conversation_tokens <= 50_000 else 0.25


def _message(at: Situation) -> Terms:
    return Terms(at.message_tokens, at.message_tokens, at.message_tokens, 100, 0.0)


_ASKS: dict[Layer, Callable[[Situation], Terms]] = {
    Layer.IDENTITY: _identity,
    Layer.PREFERENCES: _preferences,
    Layer.TOPICS: _topics,
    Layer.ENTITIES: _entities,
    Layer.CONVERSATION: _conversation,
    Layer.JUST_IN_TIME: _just_in_time,
    Layer.HISTORY: _history,
    Layer.MESSAGE: _message,
}
