"""Workspace policies: validation, permissions, and isolation."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import WorkspacePolicy
from apps.accounts.selectors import policy_for_workspace
from apps.accounts.services.policies import policy_update
from apps.common.errors import Stale
from apps.common.tenancy import workspace
from apps.engine.memory.categories import FIXED, Category
from apps.engine.policy import Policy, policy_override
from apps.engine.tokens.counting import count_message
from apps.engine.tokens.estimate import estimate_message
from tests.people import client_of

pytestmark = pytest.mark.django_db


def change(actor: Actor, overrides: dict[str, Any], version: int = 0) -> Any:
    return client_of(actor).patch("/api/policy", {"overrides": overrides}, headers={"If-Match": f'"{version}"'})


def effective(actor: Actor) -> Policy:
    with workspace(actor.workspace_id):
        return policy_for_workspace()


def test_without_overrides_the_installation_s_policy_applies(alice: Actor) -> None:
    seen = client_of(alice).get("/api/policy").json()
    assert (seen["version"], seen["overrides"]) == (0, {})
    assert seen["effective"] == seen["installation"]


def test_a_client_reads_the_limits_and_the_estimate_of_tokens(alice: Actor) -> None:
    served = client_of(alice).get("/api/policy").json()["limits"]
    sizes = served.pop("character_sizes")
    assert served == {"message_characters": 400_000, "characters_per_token": 4, "message_overhead_tokens": 4}
    text = "Twenty-one characters"
    estimate = -(-len(text) // served["characters_per_token"]) + served["message_overhead_tokens"]
    assert estimate == count_message(text)
    text = "每个租户使用一个队列 🎉"
    size = sum(max(pair for pair in sizes if pair[0] <= ord(character))[1] for character in text)
    assert -(-size // 100) + served["message_overhead_tokens"] == estimate_message(text)


def test_a_client_reads_the_categories_of_the_tree(alice: Actor) -> None:
    served = {one["name"]: one for one in client_of(alice).get("/api/policy").json()["categories"]}
    assert list(served) == [category.value for category in Category]
    assert served["entities"] == {
        "name": "entities",
        "uri": "mem://user/entities",
        "owner": "user",
        "names": 2,
        "directories": ["mem://user", "mem://user/entities"],
        "merging": "never",
        "rewritten_by": ["person"],
    }
    assert served["patterns"]["rewritten_by"] == ["person", "extraction"]
    assert served["session"]["directories"] == ["mem://sessions"]
    assert {directory for one in served.values() for directory in one["directories"]} == set(map(str, FIXED))


def test_an_override_applies_only_in_its_workspace(alice: Actor, charlie: Actor) -> None:
    changed = change(alice, {"max_goals": 3, "compaction_debounce_s": 0}).json()
    assert (changed["effective"]["max_goals"], changed["installation"]["max_goals"]) == (3, 5)
    assert (effective(alice).max_goals, effective(charlie).max_goals) == (3, 5)


def test_a_workspace_chooses_its_estimator(alice: Actor, charlie: Actor) -> None:
    assert change(alice, {"token_estimator": "bpe"}).json()["effective"]["token_estimator"] == "bpe"
    assert (effective(alice).token_estimator, effective(charlie).token_estimator) == ("bpe", "heuristic")


def test_overrides_merge_and_null_resets_one(alice: Actor) -> None:
    change(alice, {"max_goals": 3})
    change(alice, {"max_decisions": 4}, 1)
    assert change(alice, {"max_goals": None}, 2).json()["overrides"] == {"max_decisions": 4}
    assert effective(alice).max_goals == 5


@pytest.mark.parametrize(
    ("overrides", "pointer"),
    [
        ({"max_golas": 3}, "/overrides/max_golas"),
        ({"a/b~": 3}, "/overrides/a~1b~0"),
        ({"max_goals": "3"}, "/overrides/max_goals"),
        ({"max_goals": True}, "/overrides/max_goals"),
        ({"max_goals": 0}, "/overrides/max_goals"),
        ({"max_goals": [1]}, "/overrides/max_goals"),
        ({"auto_compact": 1}, "/overrides/auto_compact"),
        ({"token_estimator": "letters"}, "/overrides/token_estimator"),
        ({"light_target_percent": 101}, "/overrides/light_target_percent"),
        ({"light_compaction_threshold": 20_000}, "/overrides/deep_compaction_threshold"),
    ],
)
def test_an_invalid_override_is_rejected_with_a_pointer(overrides: dict[str, Any], pointer: str, alice: Actor) -> None:
    answer = change(alice, overrides)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_policy")
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
    with workspace(alice.workspace_id):
        assert not WorkspacePolicy.objects.exists()


def test_a_member_reads_the_policy_but_cannot_change_it(alice: Actor, bob: Actor) -> None:
    assert client_of(bob).get("/api/policy").status_code == 200
    assert change(bob, {"max_goals": 3}).status_code == 403


def test_the_second_of_two_changes_to_one_version_is_rejected(alice: Actor) -> None:
    with workspace(alice.workspace_id):
        policy_update(alice, overrides={"max_goals": 3}, version=0)
        with pytest.raises(Stale):
            policy_update(alice, overrides={"max_goals": 4}, version=0)


def test_a_workspace_can_disable_features_but_not_enable_them(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = policy_override(Policy(), {"auto_compact": False})
    change(alice, {"auto_compact": True, "ui_enabled": False})
    assert (effective(alice).auto_compact, effective(alice).ui_enabled) == (False, False)


@pytest.mark.parametrize(
    ("own", "tokens", "cents", "background"),
    [
        ({"daily_token_ceiling": 0, "daily_cost_ceiling_cents": 0, "background_spend_percent": 100}, 10_000, 0, 70),
        ({"daily_token_ceiling": 99_999, "daily_cost_ceiling_cents": 5, "background_spend_percent": 60}, 10_000, 5, 60),
        ({"daily_token_ceiling": 500}, 500, 0, 70),
    ],
)
def test_a_workspace_can_lower_the_installation_s_limits_but_not_raise_them(
    alice: Actor, settings: Settings, own: dict[str, Any], tokens: int, cents: int, background: int
) -> None:
    settings.CONTINUITY_POLICY = policy_override(
        Policy(), {"daily_token_ceiling": 10_000, "background_spend_percent": 70}
    )
    shown = change(alice, own).json()["effective"]
    held = effective(alice)
    assert (held.daily_token_ceiling, held.daily_cost_ceiling_cents) == (tokens, cents)
    assert held.background_spend_percent == shown["background_spend_percent"] == background


def test_invalid_overrides_fall_back_to_the_installation_s_policy(alice: Actor, settings: Settings) -> None:
    change(alice, {"deep_compaction_threshold": 10_000})
    settings.CONTINUITY_POLICY = policy_override(Policy(), {"light_compaction_threshold": 12_000, "max_goals": 2})
    assert effective(alice) == settings.CONTINUITY_POLICY
