"""A pack reads as many rows as its budget needs, a chart or page as many as it shows, in any conversation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
from tests.shared_data import rolled_back

pytestmark = pytest.mark.django_db
BUDGET = 12_000
MOST_ROWS = BUDGET // 5 + 100
FITTING = BUDGET // 104
# Within an epoch: the rows that fit, the rest of their page, and the few rows of conversation, policy, context, shares,
# epoch and newest messages.
MAX_EPOCHS = FITTING + 64 + 24


@dataclass(frozen=True)
class Talk:
    """A conversation of this many messages of this many tokens."""

    messages: int
    tokens: int = 104
    excluded_at_end: int = 0

    def __str__(self) -> str:
        return str(self.messages)


LONGEST = Talk(100_000)


@pytest.fixture(scope="module")
def talk(request: pytest.FixtureRequest, shared_alice: Actor) -> Iterator[UUID]:
    """The conversation that a test names as its parameter: made once, since pytest groups the tests that share one."""
    told: Talk = request.param
    with rolled_back():
        yield huge_talk(shared_alice, told.messages, excluded_at_end=told.excluded_at_end, tokens=told.tokens)


def talks(*told: Talk) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("talk", told, indirect=True, ids=str)


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


@pytest.mark.parametrize(
    ("talk", "messages", "strategy"),
    [
        (Talk(40), 40, "full"),
        (Talk(200), 200, "windowed"),
        (Talk(600), 600, "compacted"),
        (Talk(1_000), 1_000, "multi_level"),
        (LONGEST, 100_000, "multi_level"),
    ],
    indirect=["talk"],
    ids=str,
)
def test_a_pack_reads_what_its_budget_needs_just_after_an_import(
    alice: Actor, talk: UUID, messages: int, strategy: str
) -> None:
    pack = check_rows(alice, talk)
    assert pack.epoch.strategy == strategy
    assert pack.tokens["recent_messages"] >= min(messages * 104, BUDGET * 3 // 10)


@pytest.mark.slow("its conversations are long")
@pytest.mark.parametrize(
    ("talk", "strategy"),
    [(Talk(200), "windowed"), (Talk(600), "compacted"), (Talk(3_000), "multi_level")],
    indirect=["talk"],
    ids=str,
)
def test_a_pack_with_segment_summaries_reads_what_its_budget_needs(alice: Actor, talk: UUID, strategy: str) -> None:
    run_segment_job(alice, talk)
    pack = check_rows(alice, talk)
    assert (pack.epoch.strategy, bool(pack.earlier.segments)) == (strategy, True)


@talks(*(Talk(messages, tokens=5) for messages in (3_000, 15_000, 100_000)))
def test_a_pack_of_one_word_messages_reads_what_its_budget_needs(alice: Actor, talk: UUID) -> None:
    check_rows(alice, talk, most_kept=MOST_ROWS)


@talks(*(Talk(messages, excluded_at_end=10_000) for messages in (11_000, 100_000)))
def test_a_pack_with_the_engine_disabled_reads_what_its_budget_needs(
    alice: Actor, settings: Settings, talk: UUID
) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, engine_enabled=False)
    rows, built = rows_of_a_pack(alice, talk)
    assert rows <= MAX_EPOCHS
    assert len(built.pack.recent) >= FITTING - 1


@talks(*(Talk(messages, excluded_at_end=10_000) for messages in (10_600, 11_000, 100_000)))
def test_ten_thousand_exclusions_at_the_end_cost_nothing(alice: Actor, talk: UUID) -> None:
    check_rows(alice, talk)


@talks(LONGEST)
def test_a_chart_of_a_hundred_thousand_messages_reads_those_it_shows(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id), recorded_queries() as queries:
        assert len(conversation_series(alice, talk).points) == MAX_POINTS
    with workspace(alice.workspace_id):
        assert rows_read(queries) <= 2 * MAX_POINTS + 8


@talks(Talk(100_000, excluded_at_end=20))
@pytest.mark.parametrize("after", [None, "99995"])
def test_the_exclusions_among_a_hundred_thousand_messages_cost_what_is_shown(
    alice: Actor, talk: UUID, after: str | None
) -> None:
    with workspace(alice.workspace_id), recorded_queries() as queries:
        assert len(exclusion_list(alice, talk, after=after, limit=10).data) == 10
    with workspace(alice.workspace_id):
        assert rows_read(queries) <= 11 + 4


@talks(LONGEST)
def test_a_window_of_messages_reads_what_it_shows(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id), recorded_queries() as queries:
        page = message_list(alice, talk, after=None, limit=100, from_index=50_000)
    assert (page.data[0].index, page.data[-1].index) == (50_000, 50_099)
    with workspace(alice.workspace_id):
        assert rows_read(queries) <= 101 + 4
