"""How a budget would be shared out, to be tried as often as one likes: nothing is written, and no pack is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.context.records import PackSettings
from apps.context.selectors.budgets import budget_refused, pack_settings
from apps.context.selectors.pack_requests import PackContext, chat_estimator
from apps.context.selectors.trial_sources import trial_sources
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_access
from apps.engine.pack.estimators import HEURISTIC
from apps.engine.pack.layer_sizes import negotiated, situation_of, stretch_of
from apps.engine.pack.layers import Depth, Layer, Situation, Terms, situation_with, terms_of
from apps.engine.pack.negotiation import BudgetExceeded, Negotiation
from apps.engine.pack.strategies import Strategy, strategy_of
from apps.engine.policy import Policy


@dataclass(frozen=True, slots=True)
class Trial:
    """What to try; all that is not said is as it would be for a pack.

    `message` is one that the user might say next. `terms` are by layer and name, `contents` tokens that a layer might
    have to say.
    """

    token_budget: int | None = None
    message: str = ""
    depth: Depth | None = None
    history_first: bool | None = None
    terms: Mapping[Layer, Mapping[str, Any]] = field(default_factory=dict)
    contents: Mapping[Layer, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tried:
    """What a trial came to; `strategy` is how the history would stand in a pack.

    `stored_budget` is the budget in stored tokens, by what was learned of how the model's provider counts.
    """

    engine_enabled: bool
    settings: PackSettings
    stored_budget: int
    situation: Situation
    negotiation: Negotiation
    strategy: Strategy


def context_negotiate(actor: Actor, conversation_id: UUID, trial: Trial) -> Tried:
    """Of the conversation as it is, in stored tokens; reads no more than a pack does."""
    conversation, policy = conversation_access(actor, conversation_id), policy_for_workspace()
    settings = _settings(actor, conversation, policy, trial)
    estimator = chat_estimator(policy)
    budget = max(1, settings.budget * 100 // estimator.percent)
    order = PackContext(actor, conversation, policy, replace(settings, budget=budget), HEURISTIC, model="")
    sources = trial_sources(order, trial.message)
    stretch = stretch_of(sources, policy)
    situation = situation_with(situation_of(sources, stretch, budget), trial.contents)
    try:
        found = negotiated(sources, stretch, budget, _terms(situation, trial), trial.contents)
    except BudgetExceeded as error:
        raise budget_refused(error) from error
    strategy = strategy_of(stretch, found.granted(Layer.HISTORY), budget)
    return Tried(policy.engine_enabled, settings, budget, situation, found, strategy)


def _settings(actor: Actor, conversation: Conversation, policy: Policy, trial: Trial) -> PackSettings:
    found = pack_settings(actor, conversation, policy, trial.token_budget)
    first = found.history_first if trial.history_first is None else trial.history_first
    return replace(found, depth=trial.depth or found.depth, history_first=first)


def _terms(situation: Situation, trial: Trial) -> dict[Layer, Terms]:
    own = terms_of(situation)
    return {layer: replace(terms, **trial.terms.get(layer, {})) for layer, terms in own.items()}
