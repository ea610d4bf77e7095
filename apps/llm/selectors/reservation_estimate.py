"""Upper bounds of a call's tokens and cost, for its reservation."""

from __future__ import annotations

from dataclasses import replace

from apps.engine.policy import Policy
from apps.llm.budget.pricing import prices
from apps.llm.budget.rules import Spent, input_at_most, tokens_at_most
from apps.llm.errors import ModelError
from apps.llm.middleware.reservation import CallEstimate
from apps.llm.selectors.calibration import estimator_for

NO_PRICE = "The workspace has a cost limit, and the price of {model} by {provider} is unknown."


def lacks_price(provider: str, model: str, policy: Policy) -> bool:
    """Whether the workspace has a cost limit and the model's price is unknown, so that it must not be called."""
    return bool(policy.daily_cost_ceiling_cents) and prices().rate_for(provider, model, 0) is None


def most_of(estimate: CallEstimate, policy: Policy) -> Spent:
    """The maximum tokens and cost of a call. One read.

    Raises `ModelError` (`no_price`) if `lacks_price`. The prompt is estimated by the heuristic, whichever estimator the
    policy has for packs.
    """
    if lacks_price(estimate.provider, estimate.model, policy):
        raise ModelError("no_price", NO_PRICE.format(model=estimate.model, provider=estimate.provider))
    percent = estimator_for(replace(policy, token_estimator="heuristic"), estimate.model).percent
    input_tokens = input_at_most(estimate, percent)
    rate = prices().rate_for(estimate.provider, estimate.model, input_tokens)
    cost = rate.most_micros(input_tokens=input_tokens, output_tokens=estimate.output_tokens) if rate else 0
    return Spent(tokens_at_most(estimate, percent), estimate.turns * cost)
