"""The eight layers of a pack and the terms each brings to the budget negotiation.

The terms depend on the situation: a minimum, an ideal and a maximum in tokens, a priority in conflicts, and an
elasticity, the order in which layers yield. Seed 003, phase 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import floor, log2

ENTITY_TOKENS = 400
"""Maximum tokens of one entity."""

MAX_IDENTITY_TOKENS, MAX_PREFERENCES_TOKENS = 500, 800

_MIN_HISTORY_TOKENS = 500
_MAX_HISTORY_SHARE = 0.60
_MAX_JUST_IN_TIME_SHARE = 0.18


class Layer(StrEnum):
    """Layers L0 to L7, in order."""

    IDENTITY = "L0_identity"
    PREFERENCES = "L1_global_prefs"
    TOPICS = "L2_topic"
    ENTITIES = "L3_entity"
    CONVERSATION = "L4_conversation"
    JUST_IN_TIME = "L5_jit"
    HISTORY = "L6_message_history"
    MESSAGE = "L7_user_message"


class Depth(StrEnum):
    """How much knowledge of the user's topics a pack includes."""

    MINIMAL = "minimal"
    STANDARD = "standard"
    DEEP = "deep"

    @property
    def factor(self) -> float:
        return {"minimal": 0.5, "standard": 1.0, "deep": 1.5}[self.value]


@dataclass(frozen=True, slots=True)
class Situation:
    """Input of the layers' terms.

    `conversation_tokens` counts the live messages, `message_tokens` the current one. `topic_tokens` is the size of the
    topic texts: the larger they are, the less is retrieved just in time.
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
        """Whether there are messages before the current one."""
        return self.message_count > 0

    @property
    def is_knowledge_heavy(self) -> bool:
        return self.topic_count >= 2 or self.depth is Depth.DEEP

    @property
    def is_dialogue_heavy(self) -> bool:
        return self.message_count > 20 and self.history_first

    @property
    def pressure(self) -> float:
        """Share of the budget that the conversation needs, from 0 to 1; 1 from 70 % of the budget on."""
        return min(1.0, self.conversation_tokens / (self.budget * 0.7))


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a layer: limits in tokens, `priority` up to 100, `elasticity` from 0 (rigid) to 1."""

    minimum: int
    ideal: int
    maximum: int
    priority: int
    elasticity: float


def situation_with(situation: Situation, contents: Mapping[Layer, int]) -> Situation:
    """Adapt a situation to assumed content sizes of the topic and entity layers; other layers are ignored.

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


def max_history_tokens(budget: int) -> int:
    """Maximum tokens of the history layer in any situation."""
    return max(_MIN_HISTORY_TOKENS, floor(budget * _MAX_HISTORY_SHARE))


def max_just_in_time_tokens(budget: int) -> int:
    """Maximum tokens of the items retrieved for the current message."""
    return floor(budget * _MAX_JUST_IN_TIME_SHARE)


def terms_of(situation: Situation) -> dict[Layer, Terms]:
    """Terms of every layer; layers without topics, entities or history have a minimum of zero.

    >>> terms = terms_of(Situation(12_000, message_count=30, conversation_tokens=9_000, message_tokens=40))
    >>> terms[Layer.HISTORY]
    Terms(minimum=500, ideal=4200, maximum=7200, priority=80, elasticity=0.4)
    >>> terms[Layer.CONVERSATION]
    Terms(minimum=200, ideal=743, maximum=2400, priority=88, elasticity=0.3)
    """
    return {layer: terms(situation) for layer, terms in _TERMS.items()}


def _identity(at: Situation) -> Terms:
    return Terms(150, min(400, floor(at.budget * 0.02)), MAX_IDENTITY_TOKENS, 100, 0.0)


def _preferences(at: Situation) -> Terms:
    return Terms(100, min(600, floor(at.budget * 0.03)), MAX_PREFERENCES_TOKENS, 95, 0.1)


def _topics(at: Situation) -> Terms:
    """12 % of the budget, more with more topics, up to 40 % less under a long conversation."""
    factor = min(2.0, 1.0 + (at.topic_count - 1) * 0.3)
    ideal = floor(max(0.0, at.budget * 0.12 * at.depth.factor * factor * (1 - at.pressure * 0.4)))
    priority = 85 if at.is_knowledge_heavy else 70
    return Terms(300 if at.topic_count else 0, ideal, floor(at.budget * 0.25), priority, 0.6)


def _entities(at: Situation) -> Terms:
    """6 % of the budget, more with more entities, at most 400 tokens each."""
    factor = min(2.0, 1.0 + (at.entity_count - 1) * 0.4)
    ideal = floor(max(0.0, min(at.budget * 0.06 * factor, at.entity_count * ENTITY_TOKENS)))
    return Terms(150 if at.entity_count else 0, ideal, floor(at.budget * 0.12), 65, 0.7)


def _conversation(at: Situation) -> Terms:
    """Logarithmic in the number of messages, at most 15 % of the budget."""
    ideal = floor(150 * log2(max(1, at.message_count) + 1) * at.depth.factor)
    priority = 88 if at.continues else 30
    limit = floor(at.budget * 0.15)
    return Terms(200 if at.continues else 0, min(ideal, limit), floor(at.budget * 0.20), priority, 0.3)


def _just_in_time(at: Situation) -> Terms:
    """10 % of the budget, down to 3 % if the topic texts are large."""
    uncovered = 1.0 - min(1.0, at.topic_tokens / (at.budget * 0.15))
    ideal = floor(at.budget * 0.10 * max(0.3, uncovered) * at.depth.factor)
    return Terms(200, ideal, max_just_in_time_tokens(at.budget), 75, 0.5)


def _history(at: Situation) -> Terms:
    """All of a small conversation; 35, 30 or 25 % of the budget for larger ones, more with `history_first`."""
    boost = (1.3 if at.history_first else 1.0) * (1.2 if at.is_dialogue_heavy else 1.0)
    ideal = min(floor(at.budget * _history_share(at) * boost), at.conversation_tokens)
    priority = 90 if at.is_dialogue_heavy else 80
    return Terms(
        _MIN_HISTORY_TOKENS if at.continues else 0, ideal, floor(at.budget * _MAX_HISTORY_SHARE), priority, 0.4
    )


def _history_share(at: Situation) -> float:
    if at.conversation_tokens <= 3_000:
        return min(1.0, at.conversation_tokens / at.budget)
    if at.conversation_tokens <= 10_000:
        return 0.35
    return 0.30 if at.conversation_tokens <= 50_000 else 0.25


def _message(at: Situation) -> Terms:
    return Terms(at.message_tokens, at.message_tokens, at.message_tokens, 100, 0.0)


_TERMS: dict[Layer, Callable[[Situation], Terms]] = {
    Layer.IDENTITY: _identity,
    Layer.PREFERENCES: _preferences,
    Layer.TOPICS: _topics,
    Layer.ENTITIES: _entities,
    Layer.CONVERSATION: _conversation,
    Layer.JUST_IN_TIME: _just_in_time,
    Layer.HISTORY: _history,
    Layer.MESSAGE: _message,
}
