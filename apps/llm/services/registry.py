"""The model for a piece of work, ready to be asked: chosen in a unit of the workspace, asked outside of it."""

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

# Of a small window the answer gets a share.
_ANSWER_SHARE = 4


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """`configured` is false where no model is: then the provider is the offline one. `window_tokens` is what the model
    takes in all, its answer included. `reports` grows by one with every attempt at an answer. `because` is a sentence
    on why it is this one."""

    provider: Provider
    model: str
    configured: bool
    reports: list[CallReport]
    window_tokens: int
    backend: str
    reason: str

    @property
    def answer_room(self) -> int:
        """The tokens that an answer may take."""
        return min(DEFAULT_MAX_TOKENS, self.window_tokens // _ANSWER_SHARE)

    @property
    def reading_room(self) -> int:
        """The tokens of talk that it reads for a summary: the instructions, its notes and the answer need the rest."""
        return self.window_tokens // 2

    @property
    def pack_room(self) -> int:
        """The tokens that a pack may take beside the answer."""
        return self.window_tokens - self.answer_room


def provider_for(purpose: Purpose, policy: Policy) -> ChosenModel:
    """Provider and model for one piece of work, in a unit of its workspace; the reports are of this piece alone."""
    choice, found = model_chosen(purpose, policy)
    payer, times = Payer(current_workspace_id(), policy), settings.MODEL_TIMES
    adapter = adapter_for(provider_spec(found.backend), found.secret.get_secret_value(), found.base_url, times)
    provider, reports = chained(adapter, payer, times)
    window = window_of(choice.backend, choice.model)
    return ChosenModel(provider, choice.model, choice.configured, reports, window, choice.backend, choice.reason)


def provider_of(backend: str, policy: Policy) -> tuple[Provider, list[CallReport]]:
    """A named backend for a piece of work, whatever was chosen for others; in a unit of its workspace. Raises
    `ModelError` where it cannot be asked."""
    found = backend_found(backend)
    if found.state is not State.READY:
        raise ModelError("not_configured", found.detail)
    payer, times = Payer(current_workspace_id(), policy), settings.MODEL_TIMES
    adapter = adapter_for(provider_spec(found.backend), found.secret.get_secret_value(), found.base_url, times)
    return chained(adapter, payer, times)
