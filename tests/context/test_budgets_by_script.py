"""Budgets, thresholds and numbers hold in every script: against token counts by the vocabulary o200k_base."""

from __future__ import annotations

from importlib import import_module
from uuid import UUID

import pytest
from django.db import connection
from django.db.migrations.state import ProjectState

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.records import BuiltPack
from apps.context.selectors.conversation.health import conversation_health
from apps.context.services.packs import context_pack
from apps.conversations.models import Conversation, Message
from apps.conversations.services.conversations import counters_refresh
from apps.conversations.services.messages import messages_exclude, messages_include
from apps.engine.pack.layers import max_just_in_time_tokens
from apps.engine.tokens.counting import ROLE_TOKENS, count_message
from apps.engine.tokens.estimate import estimate_message
from apps.jobs.models import DueJob
from apps.memory.selectors.pins import pin_states, pin_tokens_outside_live
from apps.memory.services.pins import PinDraft, pin_create
from tests.conversations.long_conversations import conversation, history, row_of, say
from tests.engine.tokens.test_estimate import BY_LANGUAGE

SCRIPTS = ("Chinese", "Japanese", "Korean", "Thai", "Arabic", "Hindi", "emoji", "UUIDs", "English")
# Where nothing is retrieved for the current message, the largest share that is reserved for it stays free.
ROOM = 2_000 - max_just_in_time_tokens(2_000)


def talk_in(actor: Actor, language: str, tokens: int, messages: int) -> tuple[UUID, dict[str, int]]:
    """A conversation of about so many tokens, and the counted tokens of its messages by their content."""
    counted: dict[str, int] = {}
    samples, contents = BY_LANGUAGE[language], []
    for place in range(messages):
        text, count = samples[place % len(samples)]
        times = max(1, tokens // messages // count)
        # The number of the message, and the line breaks between the repetitions.
        content = "\n".join([str(place), *[text] * times])
        counted[content] = (count + 1) * times + 1
        contents.append(content)
    conversation_id = conversation(actor)
    say(actor, conversation_id, *contents)
    return conversation_id, counted


def built(actor: Actor, conversation_id: UUID, budget: int) -> BuiltPack:
    with workspace(actor.workspace_id):
        return context_pack(actor, conversation_id, budget)[0]


def real_tokens(found: BuiltPack, counted: dict[str, int]) -> int:
    """Tokens of a pack, its messages as the vocabulary counts them."""
    shown = [message.content for message in (*found.pack.recent, found.pack.current) if message]
    known = [content for content in shown if content in counted]
    assert len(known) >= len(shown) - 1
    return found.total_tokens + sum(counted[content] + ROLE_TOKENS - estimate_message(content) for content in known)


@pytest.mark.django_db
@pytest.mark.parametrize("script", SCRIPTS)
def test_packs_fill_their_budget_in_every_script_and_do_not_exceed_it(alice: Actor, script: str) -> None:
    conversation_id, counted = talk_in(alice, script, tokens=5_000, messages=40)
    real: list[int] = []
    # A window grows until it is full, then moves forward by a quarter.
    for message in history(alice, conversation_id)[:12]:
        say(alice, conversation_id, message.content)
        found = built(alice, conversation_id, 2_000)
        assert found.total_tokens <= 2_000
        real.append(real_tokens(found, counted))
    assert max(real) <= 1.15 * 2_000
    assert max(real) >= 0.8 * ROOM


@pytest.mark.django_db
@pytest.mark.parametrize("script", ["Chinese", "Japanese", "Thai", "English"])
def test_a_compaction_becomes_due_at_about_8000_counted_tokens(alice: Actor, script: str) -> None:
    early, _ = talk_in(alice, script, tokens=6_000, messages=40)
    assert not DueJob.objects.filter(kind="compaction", key=str(early)).exists()
    late, _ = talk_in(alice, script, tokens=10_000, messages=40)
    assert DueJob.objects.filter(kind="compaction", key=str(late)).exists()


@pytest.mark.django_db
def test_stored_counts_are_characters_by_four_and_the_drawer_s_numbers_are_not(alice: Actor) -> None:
    conversation_id, counted = talk_in(alice, "Chinese", tokens=3_000, messages=12)
    messages, row = history(alice, conversation_id), row_of(alice, conversation_id)
    assert [message.token_count for message in messages] == [count_message(message.content) for message in messages]
    assert row.token_total == messages[-1].tokens_through == sum(message.token_count for message in messages)
    assert row.live_tokens == row.included_tokens == sum(estimate_message(message.content) for message in messages)
    assert row.live_tokens == pytest.approx(sum(counted.values()) + ROLE_TOKENS * len(messages), rel=0.15)
    with workspace(alice.workspace_id):
        _, health = conversation_health(alice, conversation_id)
        state = context_pack(alice, conversation_id, 12_000)[1]
    assert health.numbers["live_tokens"].value == state.live_tokens == state.total_tokens == row.live_tokens
    assert state.preservation_ratio == 100


@pytest.mark.django_db
def test_excluding_and_including_a_message_moves_its_own_tokens(alice: Actor) -> None:
    conversation_id, _ = talk_in(alice, "Thai", tokens=1_000, messages=10)
    before, first = row_of(alice, conversation_id), history(alice, conversation_id)[0]
    with workspace(alice.workspace_id):
        messages_exclude(conversation=Conversation.objects.get(pk=conversation_id), message_ids=[first.id])
        excluded = row_of(alice, conversation_id)
        assert excluded.included_tokens == before.included_tokens - estimate_message(first.content)
        assert excluded.live_tokens == before.live_tokens - estimate_message(first.content)
        messages_include(conversation=excluded, message_ids=[first.id])
    after = row_of(alice, conversation_id)
    assert (after.included_tokens, after.live_tokens) == (before.included_tokens, before.live_tokens)
    with workspace(alice.workspace_id):
        counters_refresh(after)
    assert after.extra_tokens == before.extra_tokens > 0


@pytest.mark.django_db
def test_a_pin_s_tokens_are_those_of_its_script(alice: Actor) -> None:
    conversation_id = conversation(alice)
    text, counted = BY_LANGUAGE["Japanese"][0]
    with workspace(alice.workspace_id):
        pin = pin_create(alice, conversation_id=conversation_id, draft=PinDraft(content=text, category="decision"))
        tokens = pin_tokens_outside_live(conversation_id)
        assert pin.token_count == tokens == pin_states(conversation_id)[0].token_count
    assert tokens == pytest.approx(counted, rel=0.15)


@pytest.mark.django_db(transaction=True)
def test_messages_of_an_earlier_version_are_counted_by_the_migration(alice: Actor) -> None:
    conversation_id, _ = talk_in(alice, "Chinese", tokens=3_000, messages=12)
    say(alice, conversation_id, "In English.")
    expected = row_of(alice, conversation_id)
    extra = [(message.extra_tokens, message.live_cost) for message in history(alice, conversation_id)]
    with workspace(alice.workspace_id):
        for message in history(alice, conversation_id):
            Message.objects.filter(pk=message.pk).update(extra_tokens=0, live_cost=message.token_count)
        Conversation.objects.filter(pk=conversation_id).update(extra_tokens=0, live_tokens=expected.token_total)
    (operation,) = import_module("apps.conversations.migrations.0011_estimates_by_script").Migration.operations
    for _ in range(2):
        with connection.schema_editor(atomic=False) as editor:
            operation.code(ProjectState().apps, editor)
        found = row_of(alice, conversation_id)
        assert (found.extra_tokens, found.live_tokens) == (expected.extra_tokens, expected.live_tokens)
        assert [(message.extra_tokens, message.live_cost) for message in history(alice, conversation_id)] == extra
