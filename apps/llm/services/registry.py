"""Models ready to call: chosen inside a unit of work of the workspace, called outside of it."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from apps.common.tenancy import current_workspace_id
from apps.engine.policy import Policy
from apps.llm.errors import ModelError
from apps.llm.middleware.metering import CallReport
from apps.llm.providers.base import DEFAULT_MAX_TOKENS, Provider, Purpose
from apps.llm.routing.model_catalog import window_of
from apps.llm.routing.model_selection import State
from apps.llm.routing.providers import provider_spec
from apps.llm.selectors.model_settings import backend_found, model_chosen
from apps.llm.services.adapters import adapter_for
from apps.llm.services.provider_stack import Payer, chained

# The share of a small context window for the answer is one in this many.
_ANSWER_SHARE = 4


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A provider and model for one piece of work.

    `configured` is false if the provider is the offline one. `window_tokens` is the context window, answer included.
    `reports` collects a report of every attempt. `reason` is a sentence on why this model was chosen.
    """

    provider: Provider
    model: str
    configured: bool
    reports: list[CallReport]
    window_tokens: int
    backend: str
    reason: str

    @property
    def answer_budget(self) -> int:
        """The token limit of an answer."""
        return min(DEFAULT_MAX_TOKENS, self.window_tokens // _ANSWER_SHARE)

    @property
    def input_budget(self) -> int:
        """The tokens of conversation to read for a summary; instructions, notes and answer need the rest."""
        return self.window_tokens // 2

    @property
    def pack_budget(self) -> int:
        """The token limit of a pack, next to the answer."""
        return self.window_tokens - self.answer_budget


def provider_for(purpose: Purpose, policy: Policy) -> ChosenModel:
    """Choose provider and model for one piece of work, in a unit of its workspace; its reports are separate."""
    choice, status = model_chosen(purpose, policy)
    payer, times = Payer(current_workspace_id(), policy), settings.MODEL_TIMES
    adapter = adapter_for(provider_spec(status.backend), status.secret.get_secret_value(), status.base_url, times)
    provider, reports = chained(adapter, payer, times)
    window = window_of(choice.backend, choice.model)
    return ChosenModel(provider, choice.model, choice.configured, reports, window, choice.backend, choice.reason)


def provider_of(backend: str, policy: Policy) -> tuple[Provider, list[CallReport]]:
    """The provider of a named backend and its reports, in a unit of its workspace; raises `ModelError` if not ready."""
    status = backend_found(backend)
    if status.state is not State.READY:
        raise ModelError("not_configured", status.detail)
    payer, times = Payer(current_workspace_id(), policy), settings.MODEL_TIMES
    adapter = adapter_for(provider_spec(status.backend), status.secret.get_secret_value(), status.base_url, times)
    return chained(adapter, payer, times)
