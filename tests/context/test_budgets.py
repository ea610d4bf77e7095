"""The most specific budget applies, and each reader's own settings."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from apps.accounts.services.context_settings import ContextSettingsChange, context_settings_update
from apps.common.tenancy import workspace
from apps.context.records import BudgetSource, PackSettings
from apps.context.selectors.budgets import pack_settings
from apps.conversations.services.conversations import ConversationChange, conversation_update
from apps.engine.pack.layers import Depth
from apps.engine.policy import Policy
from tests.context.reads import recorded_queries
from tests.conversations.long_conversations import conversation, row_of

pytestmark = pytest.mark.django_db

# From the least to the most specific.
BUDGETS = {BudgetSource.WORKSPACE: 12_000, BudgetSource.USER: 1_000, BudgetSource.CONVERSATION: 2_000}


def set_preferences(actor: Actor, change: ContextSettingsChange) -> None:
    with workspace(actor.workspace_id):
        context_settings_update(actor, change=change, version=0)


@pytest.mark.parametrize("nearest", BUDGETS)
def test_the_most_specific_budget_wins_and_the_request_over_all(nearest: BudgetSource, alice: Actor) -> None:
    conversation_id = conversation(alice)
    named = list(BUDGETS)[: list(BUDGETS).index(nearest) + 1]
    if BudgetSource.USER in named:
        set_preferences(alice, ContextSettingsChange(token_budget=1_000))
    with workspace(alice.workspace_id):
        if BudgetSource.CONVERSATION in named:
            change = ConversationChange(token_budget=2_000)
            conversation_update(alice, conversation_id=conversation_id, change=change, version=1)
        settings = pack_settings(alice, row_of(alice, conversation_id), Policy())
        asked = pack_settings(alice, row_of(alice, conversation_id), Policy(), 3_000)
    assert settings == PackSettings(BUDGETS[nearest], nearest, Depth.STANDARD, history_first=False)
    assert (asked.budget, asked.budget_source) == (3_000, "request")


def test_depth_and_priority_are_the_reader_s_own(alice: Actor, bob: Actor) -> None:
    conversation_id = conversation(alice)
    set_preferences(bob, ContextSettingsChange(knowledge_depth="deep", history_first=True, token_budget=500))
    with workspace(alice.workspace_id):
        row = row_of(alice, conversation_id)
        hers, his = (pack_settings(actor, row, Policy()) for actor in (alice, bob))
    assert (hers.depth, hers.history_first, hers.budget) == (Depth.STANDARD, False, 12_000)
    assert (his.depth, his.history_first, his.budget) == (Depth.DEEP, True, 500)


def test_resolving_settings_reads_one_row(alice: Actor) -> None:
    row = row_of(alice, conversation(alice))
    with workspace(alice.workspace_id), recorded_queries() as queries:
        pack_settings(alice, row, Policy())
    assert len(queries) == 1
