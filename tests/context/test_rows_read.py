"""A pack reads as many rows as its budget needs, a chart or page as many as it shows, in any conversation."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.records import BuiltPack
from apps.context.selectors.conversation.token_history import MAX_POINTS, conversation_series
from apps.context.services.packs import context_pack
from apps.conversations.selectors.exclusions import exclusion_list
from apps.conversations.selectors.messages import message_list
from apps.engine.pack.context_pack import ContextPack
from tests.compaction.segments import run_segment_job
from tests.context.reads import recorded_queries, rows_read
from tests.conversations.long_conversations import huge_talk, say

BUDGET = 12_000
MOST_ROWS = BUDGET // 5 + 100
FITTING = BUDGET // 104
# Within an epoch: the rows that fit, the rest of their page, and the few rows of conversation, policy, context, shares,
# epoch and newest messages.
MAX_EPOCHS = FITTING + 64 + 24


def rows_of_a_pack(actor: Actor, conversation_id: UUID) -> tuple[int, BuiltPack]:
    with workspace(actor.workspace_id), recorded_queries() as queries:
        built, _, _ = context_pack(actor, conversation_id, BUDGET)
    with workspace(actor.workspace_id):
        return rows_read(queries), built


def check_rows(actor: Actor, conversation_id: UUID, most_kept: int = MAX_EPOCHS) -> ContextPack:
    """Check a new epoch, and then two turns within it."""
    rows, first = rows_of_a_pack(actor, conversation_id)
    assert first.epoch is not None and first.epoch.is_new
    assert rows <= MOST_ROWS
    for _ in range(2):
        say(actor, conversation_id, "And then?", "Then this.")
        rows, kept = rows_of_a_pack(actor, conversation_id)
        assert kept.epoch is not None and not kept.epoch.is_new
        assert rows <= most_kept
    return first.pack


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("messages", "strategy"),
    [(40, "full"), (200, "windowed"), (600, "compacted"), (1_000, "multi_level"), (100_000, "multi_level")],
)
def test_a_pack_reads_what_its_budget_needs_just_after_an_import(alice: Actor, messages: int, strategy: str) -> None:
    pack = check_rows(alice, huge_talk(alice, messages))
    assert pack.epoch.strategy == strategy
    assert pack.tokens["recent_messages"] >= min(messages * 104, BUDGET * 3 // 10)


@pytest.mark.slow("its conversations are long")
@pytest.mark.django_db
@pytest.mark.parametrize(("messages", "strategy"), [(200, "windowed"), (600, "compacted"), (3_000, "multi_level")])
def test_a_pack_with_segment_summaries_reads_what_its_budget_needs(alice: Actor, messages: int, strategy: str) -> None:
    conversation_id = huge_talk(alice, messages)
    run_segment_job(alice, conversation_id)
    pack = check_rows(alice, conversation_id)
    assert (pack.epoch.strategy, bool(pack.earlier.segments)) == (strategy, True)


@pytest.mark.django_db
@pytest.mark.parametrize("messages", [3_000, 15_000, 100_000])
def test_a_pack_of_one_word_messages_reads_what_its_budget_needs(alice: Actor, messages: int) -> None:
    check_rows(alice, huge_talk(alice, messages, tokens=5), most_kept=MOST_ROWS)


@pytest.mark.django_db
@pytest.mark.parametrize("messages", [11_000, 100_000])
def test_a_pack_with_the_engine_disabled_reads_what_its_budget_needs(
    alice: Actor, settings: Settings, messages: int
) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, engine_enabled=False)
    rows, built = rows_of_a_pack(alice, huge_talk(alice, messages, excluded_at_end=10_000))
    assert rows <= MAX_EPOCHS
    assert len(built.pack.recent) >= FITTING - 1


@pytest.mark.django_db
@pytest.mark.parametrize("messages", [10_600, 11_000, 100_000])
def test_ten_thousand_exclusions_at_the_end_cost_nothing(alice: Actor, messages: int) -> None:
    check_rows(alice, huge_talk(alice, messages, excluded_at_end=10_000))


@pytest.mark.django_db
def test_a_chart_of_a_hundred_thousand_messages_reads_those_it_shows(alice: Actor) -> None:
    conversation_id = huge_talk(alice, 100_000)
    with workspace(alice.workspace_id), recorded_queries() as queries:
        assert len(conversation_series(alice, conversation_id).points) == MAX_POINTS
    with workspace(alice.workspace_id):
        assert rows_read(queries) <= 2 * MAX_POINTS + 8


@pytest.mark.django_db
@pytest.mark.parametrize("after", [None, "99995"])
def test_the_exclusions_among_a_hundred_thousand_messages_cost_what_is_shown(alice: Actor, after: str | None) -> None:
    conversation_id = huge_talk(alice, 100_000, excluded_at_end=20)
    with workspace(alice.workspace_id), recorded_queries() as queries:
        assert len(exclusion_list(alice, conversation_id, after=after, limit=10).data) == 10
    with workspace(alice.workspace_id):
        assert rows_read(queries) <= 11 + 4


@pytest.mark.django_db
def test_a_window_of_messages_reads_what_it_shows(alice: Actor) -> None:
    conversation_id = huge_talk(alice, 100_000)
    with workspace(alice.workspace_id), recorded_queries() as queries:
        page = message_list(alice, conversation_id, after=None, limit=100, from_index=50_000)
    assert (page.data[0].index, page.data[-1].index) == (50_000, 50_099)
    with workspace(alice.workspace_id):
        assert rows_read(queries) <= 101 + 4
