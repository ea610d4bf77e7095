"""Feature flags and models in the answer of `/api/me`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import User
from tests.api.callers import Caller
from tests.people import PASSWORD, JsonClient
from tests.providers.environment import set_provider_variables

pytestmark = pytest.mark.django_db


def test_everything_is_on_and_no_model_is_set_up_at_first(alice: Actor) -> None:
    me = Caller(alice).get("/me")
    assert me["features"] == {"engine": True, "auto_compact": True, "ui": True}
    reason = "No provider is set up."
    assert me["chat_model"] == {"provider": "offline", "model": "offline", "configured": False, "reason": reason}


def test_installation_and_workspace_switch_off(alice: Actor, charlie: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, ui_enabled=False)
    tag = Caller(alice).tag("/policy")
    Caller(alice).patch("/policy", {"overrides": {"auto_compact": False, "ui_enabled": True}}, If_Match=tag)
    assert Caller(alice).get("/me")["features"] == {"engine": True, "auto_compact": False, "ui": False}
    assert Caller(charlie).get("/me")["features"] == {"engine": True, "auto_compact": True, "ui": False}


def test_a_configured_model_is_named(alice: Actor, settings: Settings) -> None:
    set_provider_variables(settings, ANTHROPIC_API_KEY="sk-test")
    model = Caller(alice).get("/me")["chat_model"]
    assert (model["provider"], model["configured"]) == ("anthropic", True)
    assert model["model"] == "claude-sonnet-5-5"
    assert model["reason"] == "Anthropic is the first available provider."


def test_signing_in_returns_the_features_and_a_person_without_workspace_has_none(alice: Actor) -> None:
    User.objects.create_user("dora@example.org", PASSWORD)
    for email, features in (("alice@example.org", True), ("dora@example.org", False)):
        answer = JsonClient().post("/api/sign-in", {"email": email, "password": PASSWORD})
        assert answer.status_code == 200, answer.content
        assert bool(answer.json()["features"]) is features
