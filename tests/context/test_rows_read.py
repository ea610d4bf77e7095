"""A pack reads as many rows as its budget needs, and a chart or a page as many as it shows, in any conversation."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.selectors.packs import context_pack
from apps.context.selectors.series import MOST_POINTS, conversation_series
from apps.conversations.selectors.exclusions import exclusion_list
from apps.conversations.selectors.messages import message_list
from tests.context.reads import recorded_queries, rows_read
from tests.conversations.talk import huge_talk

BUDGET = 12_000
MESSAGE_TOKENS = 104
FITTING = BUDGET // MESSAGE_TOKENS
# What fits, the rest of its page, and the few rows of conversation, policy, context, shares and newest messages.
MOST_ROWS = FITTING + 64 + 24


def rows_of_a_pack(actor: Actor, talk: UUID) -> int:
    with workspace(actor.workspace_id):
        with recorded_queries() as queries:
            pack, _, _ = context_pack(actor, talk, BUDGET)
        assert len(pack.recent) >= FITTING - 1
        return rows_read(queries)


@pytest.mark.django_db
@pytest.mark.parametrize("messages", [1_000, 100_000])
def test_a_pack_reads_what_its_budget_needs_just_after_an_import(alice: Actor, messages: int) -> None:
    assert rows_of_a_pack(alice, huge_talk(alice, messages)) <= MOST_ROWS


@pytest.mark.django_db
def test_that_holds_with_the_engine_off(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, engine_enabled=False)
    assert rows_of_a_pack(alice, huge_talk(alice, 11_000, excluded_at_end=10_000)) <= MOST_ROWS


@pytest.mark.django_db
@pytest.mark.parametrize("messages", [11_000, 100_000])
def test_ten_thousand_exclusions_at_the_end_cost_nothing(alice: Actor, messages: int) -> None:
    assert rows_of_a_pack(alice, huge_talk(alice, messages, excluded_at_end=10_000)) <= MOST_ROWS


@pytest.mark.django_db
def test_a_chart_of_a_hundred_thousand_messages_reads_those_it_shows(alice: Actor) -> None:
    talk = huge_talk(alice, 100_000)
    with workspace(alice.workspace_id), recorded_queries() as queries:
        assert len(conversation_series(alice, talk).points) == MOST_POINTS
    with workspace(alice.workspace_id):
        assert rows_read(queries) <= 2 * MOST_POINTS + 8


@pytest.mark.django_db
@pytest.mark.parametrize("after", [None, "99995"])
def test_the_exclusions_among_a_hundred_thousand_messages_cost_what_is_shown(alice: Actor, after: str | None) -> None:
    talk = huge_talk(alice, 100_000, excluded_at_end=20)
    with workspace(alice.workspace_id), recorded_queries() as queries:
        assert len(exclusion_list(alice, talk, after=after, limit=10).data) == 10
    with workspace(alice.workspace_id):
        assert rows_read(queries) <= 11 + 4


@pytest.mark.django_db
def test_a_window_of_messages_reads_what_it_shows(alice: Actor) -> None:
    talk = huge_talk(alice, 100_000)
    with workspace(alice.workspace_id), recorded_queries() as queries:
        page = message_list(alice, talk, after=None, limit=100, from_index=50_000)
    assert (page.data[0].index, page.data[-1].index) == (50_000, 50_099)
    with workspace(alice.workspace_id):
        assert rows_read(queries) <= 101 + 4
