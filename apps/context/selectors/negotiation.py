"""Trial negotiation of a budget: writes nothing and builds no pack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.context.records import PackSettings
from apps.context.selectors.budgets import budget_refused, pack_settings
from apps.context.selectors.lasting import with_chosen_lasting
from apps.context.selectors.pack_requests import EmbeddedQuery, chat_estimator, trial_context
from apps.context.selectors.trial_sources import trial_sources
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_access
from apps.engine.pack.layer_sizes import live_span_of, negotiated, situation_of
from apps.engine.pack.layers import Depth, Layer, Situation, Terms, situation_with, terms_of
from apps.engine.pack.negotiation import BudgetExceeded, Negotiation
from apps.engine.pack.strategies import Strategy, strategy_of
from apps.engine.policy import Policy


@dataclass(frozen=True, slots=True)
class Trial:
    """Input of a trial; omitted values default to those of a real pack.

    `message` is a possible next message of the user. `terms` overrides terms by layer and name, `contents` content
    sizes in tokens by layer. `embedded_query` has the embeddings of what is searched for.
    """

    token_budget: int | None = None
    message: str = ""
    depth: Depth | None = None
    history_first: bool | None = None
    terms: Mapping[Layer, Mapping[str, Any]] = field(default_factory=dict)
    contents: Mapping[Layer, int] = field(default_factory=dict)
    embedded_query: EmbeddedQuery | None = None


@dataclass(frozen=True, slots=True)
class TrialResult:
    """Result of a trial; `strategy` is the strategy of the history layer.

    `stored_budget` is the budget in tokens of the default estimate, calibrated by the counts that the model's
    provider reported.
    """

    engine_enabled: bool
    settings: PackSettings
    stored_budget: int
    situation: Situation
    negotiation: Negotiation
    strategy: Strategy


def context_negotiate(actor: Actor, conversation_id: UUID, trial: Trial) -> TrialResult:
    """Negotiate a budget for the current conversation, in estimated tokens; reads no more rows than a pack."""
    conversation, policy = conversation_access(actor, conversation_id), policy_for_workspace()
    settings = _settings(actor, conversation, policy, trial)
    estimator = chat_estimator(policy)
    budget = max(1, settings.budget * 100 // estimator.percent)
    context = trial_context(actor, conversation, policy, replace(settings, budget=budget), trial.embedded_query)
    sources = with_chosen_lasting(context, trial_sources(context, trial.message))
    span = live_span_of(sources, policy)
    situation = situation_with(situation_of(sources, span, budget), trial.contents)
    try:
        negotiation = negotiated(sources, span, budget, _terms(situation, trial), trial.contents)
    except BudgetExceeded as error:
        raise budget_refused(error) from error
    strategy = strategy_of(span, negotiation.granted(Layer.HISTORY), budget)
    return TrialResult(policy.engine_enabled, settings, budget, situation, negotiation, strategy)


def _settings(actor: Actor, conversation: Conversation, policy: Policy, trial: Trial) -> PackSettings:
    negotiation = pack_settings(actor, conversation, policy, trial.token_budget)
    first = negotiation.history_first if trial.history_first is None else trial.history_first
    return replace(negotiation, depth=trial.depth or negotiation.depth, history_first=first)


def _terms(situation: Situation, trial: Trial) -> dict[Layer, Terms]:
    own = terms_of(situation)
    return {layer: replace(terms, **trial.terms.get(layer, {})) for layer, terms in own.items()}
