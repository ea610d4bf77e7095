"""Requests for packs and their resolution to a budget, an estimator and read limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from apps.accounts.actors import Actor
from apps.context.records import BudgetSource, PackSettings
from apps.context.selectors.budgets import pack_settings
from apps.context.selectors.past_chats import quotes_others
from apps.conversations.models import Conversation
from apps.conversations.selectors.audience import Audience, audience_of
from apps.engine.pack.estimators import HEURISTIC, Estimator
from apps.engine.policy import Policy
from apps.llm.providers.base import Purpose
from apps.llm.selectors.calibration import estimator_for
from apps.llm.services.registry import ChosenModel, provider_for
from apps.memory.records.search import QueryVectors

# Another estimator may allow more tokens than the budget.
_READ_BEYOND = 2


# Segments read per level: a base, and one more per so many tokens of the budget.
_MIN_SEGMENTS = 10
_TOKENS_PER_SEGMENT = 300


@dataclass(frozen=True, slots=True)
class EmbeddedQuery:
    """What was read of a pack's queries before its unit of work began, by their texts.

    Beside the embeddings, the chances of memories and of other conversations' messages that they are relevant, unless
    that could not be judged.
    """

    vectors: Mapping[str, QueryVectors]
    chances: Mapping[str, Mapping[UUID, float]] = field(default_factory=dict)


def vectors_for(made: EmbeddedQuery | None, query: str) -> QueryVectors | None:
    """The embeddings made for this very text; another message may have been stored since."""
    return made.vectors.get(query) if made is not None else None


@dataclass(frozen=True, slots=True)
class PackRequest:
    """A request for a pack: the model, and the budget if one is requested.

    `sends` marks a pack that is fetched for a model, so the next pack is compared with it. `with_matches` searches for
    what a reply without a model quotes, too.
    """

    chosen: ChosenModel
    token_budget: int | None = None
    sends: bool = False
    embedded_query: EmbeddedQuery | None = None
    as_of: datetime | None = None
    with_matches: bool = False


@dataclass(frozen=True, slots=True)
class PackContext:
    """A resolved request: reader, conversation, its audience, budget, estimator and the `model` that reads the pack.

    `sends` marks a pack that is sent to a model, `row_locked` that the conversation's row is locked already.
    `embedded_query` has the embeddings of what is searched for; without it only words are compared. `as_of` is the time
    whose memories are retrieved, none for now.
    """

    actor: Actor
    conversation: Conversation
    audience: Audience
    policy: Policy
    settings: PackSettings
    estimator: Estimator
    model: str
    sends: bool = False
    row_locked: bool = False
    embedded_query: EmbeddedQuery | None = None
    as_of: datetime | None = None
    with_matches: bool = False

    def of_locked(self, conversation: Conversation) -> PackContext:
        """The same request of the conversation's locked row, which may have another audience since."""
        audience = audience_of(self.actor, conversation)
        return replace(self, conversation=conversation, audience=audience, row_locked=True)

    @property
    def allows_private(self) -> bool:
        """Whether private memories of the reader may be in the pack."""
        return self.audience.allows_private_memories

    @property
    def allows_other_conversations(self) -> bool:
        """Whether the pack may quote the reader's other conversations."""
        return quotes_others(self.audience, self.conversation, self.policy)

    def vectors_of(self, query: str) -> QueryVectors | None:
        return vectors_for(self.embedded_query, query)

    def chances_of(self, query: str) -> Mapping[UUID, float] | None:
        """The chances of what is relevant to this very text; None if that was not judged."""
        return self.embedded_query.chances.get(query) if self.embedded_query else None

    @property
    def read_tokens(self) -> int:
        """Limit of estimated tokens to read."""
        return self.settings.budget * (1 if self.estimator.is_default else _READ_BEYOND)

    @property
    def history_tokens(self) -> int:
        """Limit of message tokens to read: the history may use what the other layers leave of the budget."""
        return self.read_tokens

    @property
    def segments_read(self) -> int:
        """Limit of segments to read per level."""
        return _MIN_SEGMENTS + self.settings.budget // _TOKENS_PER_SEGMENT


def resolve_pack_context(actor: Actor, conversation: Conversation, policy: Policy, request: PackRequest) -> PackContext:
    """Resolve the budget and the estimator; a budget that was not requested is limited by the model's window."""
    chosen = request.chosen
    settings = pack_settings(actor, conversation, policy, request.token_budget)
    if settings.budget_source is not BudgetSource.REQUEST:
        settings = replace(settings, budget=min(settings.budget, chosen.pack_budget))
    return PackContext(
        actor=actor,
        conversation=conversation,
        audience=audience_of(actor, conversation),
        policy=policy,
        settings=settings,
        estimator=estimator_for(policy, chosen.model),
        model=chosen.model,
        sends=request.sends,
        embedded_query=request.embedded_query,
        as_of=request.as_of,
        with_matches=request.with_matches,
    )


def trial_context(
    actor: Actor,
    conversation: Conversation,
    policy: Policy,
    settings: PackSettings,
    embedded_query: EmbeddedQuery | None,
) -> PackContext:
    """Resolve a trial within these settings, which counts by the default estimate and is read by no model."""
    return PackContext(
        actor=actor,
        conversation=conversation,
        audience=audience_of(actor, conversation),
        policy=policy,
        settings=settings,
        estimator=HEURISTIC,
        model="",
        embedded_query=embedded_query,
    )


def chat_estimator(policy: Policy) -> Estimator:
    """The estimator of the current chat model."""
    return estimator_for(policy, provider_for(Purpose.CHAT, policy).model)
