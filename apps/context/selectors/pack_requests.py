"""Orders of packs: for whom, of which conversation, how large and by which estimator."""

from __future__ import annotations

from dataclasses import dataclass, replace

from apps.accounts.actors import Actor
from apps.context.records import BudgetSource, PackSettings
from apps.context.selectors.budgets import pack_settings
from apps.conversations.models import Conversation
from apps.engine.pack.estimators import Estimator
from apps.engine.pack.layers import most_history
from apps.engine.policy import Policy
from apps.llm.providers.base import Purpose
from apps.llm.selectors.calibration import estimator_for
from apps.llm.services.registry import ChosenModel, provider_for
from apps.memory.records.search import QueryVector

# Another estimator may find room for more than the stored tokens say.
_READ_BEYOND = 2


# Of each level so many segments are read for a budget, and for each so many tokens of it one more.
_SEGMENTS_READ = 10


_TOKENS_A_SEGMENT = 300


@dataclass(frozen=True, slots=True)
class PackRequest:
    """For which model a pack is, and within which budget if the request names one.

    `sends` says that it is fetched for a model: then the next one is compared with it.
    """

    chosen: ChosenModel
    token_budget: int | None = None
    sends: bool = False
    query_vector: QueryVector | None = None


@dataclass(frozen=True, slots=True)
class PackContext:
    """What pack is wanted: whose, of which conversation, how large and counted how; `model` is to read it.

    `sends` says that a model will really read it; `holds` that the conversation's row is locked; `query_vector` is what
    the current message means, where that cannot be found out inside a transaction.
    """

    actor: Actor
    conversation: Conversation
    policy: Policy
    settings: PackSettings
    estimator: Estimator
    model: str
    sends: bool = False
    holds: bool = False
    query_vector: QueryVector | None = None

    @property
    def stored_tokens(self) -> int:
        """So many, by the stored count, are read."""
        return self.settings.budget * (1 if self.estimator.is_stored_count else _READ_BEYOND)

    @property
    def history_tokens(self) -> int:
        """The same of live messages: what all but the current one may take, and that one."""
        return most_history(self.stored_tokens) + self.policy.long_message_tokens

    @property
    def segments_read(self) -> int:
        """So many of each level."""
        return _SEGMENTS_READ + self.settings.budget // _TOKENS_A_SEGMENT


def order_for(actor: Actor, conversation: Conversation, policy: Policy, wish: PackRequest) -> PackContext:
    """Resolve the budget and the estimator: a budget that the request does not name is bounded by the model's room."""
    chosen = wish.chosen
    settings = pack_settings(actor, conversation, policy, wish.token_budget)
    if settings.budget_source is not BudgetSource.REQUEST:
        settings = replace(settings, budget=min(settings.budget, chosen.pack_room))
    return PackContext(
        actor=actor,
        conversation=conversation,
        policy=policy,
        settings=settings,
        estimator=estimator_for(policy, chosen.model),
        model=chosen.model,
        sends=wish.sends,
        query_vector=wish.query_vector,
    )


def chat_estimator(policy: Policy) -> Estimator:
    """The estimator of the model that chats would use now."""
    return estimator_for(policy, provider_for(Purpose.CHAT, policy).model)
