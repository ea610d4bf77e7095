"""Segments of a conversation in the database: closed once, summarized by a pack or by the job, never out of date."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.selectors.segments import material_of, segment_texts, segments_at
from apps.compaction.services import segment_job
from apps.compaction.services.segments import segments_close, segments_schedule_if_due
from apps.conversations.models import Conversation, Message, MessageStatus
from apps.engine.compaction.segments import NOTHING, Segment
from apps.engine.policy import Policy
from apps.turns.services.fork import conversation_fork
from tests.compaction.segments import for_pack, run_segment_job, segment_job_row, segments, set_excluded, spans
from tests.context.reads import recorded_queries, rows_read
from tests.conversations.long_conversations import conversation, history, huge_talk, long_talk, row_of, say

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def longest_talk(shared_alice: Actor) -> UUID:
    """A conversation of a hundred thousand messages."""
    return huge_talk(shared_alice, 100_000)


def test_twenty_messages_or_8000_tokens_close_a_segment_and_the_job_summarizes_it(alice: Actor) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, *["We agreed on Redis."] * 20, "a long paste " * 3_000, "ok")
    run_segment_job(alice, conversation_id)
    assert spans(alice, conversation_id) == [(0, 19), (20, 20)]
    first, second = segments(alice, conversation_id)
    assert "We agreed on Redis." in first.text
    assert "a long paste" in second.text
    assert (first.model, first.tokens_through) == (
        "offline",
        sum(row.token_count for row in history(alice, conversation_id)[:20]),
    )
    assert segment_job_row(conversation_id) is None


def test_the_job_is_scheduled_once_a_segment_can_close_and_not_before(alice: Actor) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, *["short"] * 19)
    assert segment_job_row(conversation_id) is None
    say(alice, conversation_id, "short")
    assert segment_job_row(conversation_id) is not None
    run_segment_job(alice, conversation_id)
    say(alice, conversation_id, *["short"] * 19)
    assert segment_job_row(conversation_id) is None
    say(alice, conversation_id, "long " * 6_400)
    assert segment_job_row(conversation_id) is not None


def test_scheduling_reads_no_segment_of_a_short_conversation_and_one_of_a_long_one(alice: Actor) -> None:
    short, long = long_talk(alice, messages=5), huge_talk(alice, 10)
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=long).update(message_count=30)
        for conversation_id, expected in ((short, 0), (long, 1)):
            row = Conversation.objects.get(pk=conversation_id)
            with CaptureQueriesContext(
                connection,
            ) as reads:
                segments_schedule_if_due(conversation=row, policy=Policy())
            assert len([q for q in reads if "FROM compaction_segmentsummary" in q["sql"].replace('"', "")]) == expected


def test_five_segments_form_one_of_the_next_level(alice: Actor) -> None:
    conversation_id = huge_talk(alice, 520)
    run_segment_job(alice, conversation_id)
    assert len(segments(alice, conversation_id, 1)) == 26
    assert spans(alice, conversation_id, 2) == [(n * 100, n * 100 + 99) for n in range(5)]
    assert spans(alice, conversation_id, 3) == [(0, 499)]
    assert all(row.text for level in (1, 2, 3) for row in segments(alice, conversation_id, level))


def test_a_segment_does_not_close_over_a_streaming_reply(alice: Actor) -> None:
    conversation_id = huge_talk(alice, 60)
    with workspace(alice.workspace_id):
        reply = Message.objects.filter(conversation_id=conversation_id, index=45)
        reply.update(status=MessageStatus.STREAMING)
    run_segment_job(alice, conversation_id)
    assert spans(alice, conversation_id) == [(0, 19), (20, 39)]
    with workspace(alice.workspace_id):
        reply.update(status=MessageStatus.COMPLETE)
    run_segment_job(alice, conversation_id)
    assert spans(alice, conversation_id) == [(0, 19), (20, 39), (40, 59)]


def test_a_failed_reply_counts_in_the_span_but_is_not_summarized(alice: Actor) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, *["We agreed on Redis."] * 19, "The reply about zebras broke off.")
    with workspace(alice.workspace_id):
        Message.objects.filter(conversation_id=conversation_id, index=19).update(status=MessageStatus.FAILED)
    run_segment_job(alice, conversation_id)
    (row,) = segments(alice, conversation_id)
    assert (row.first_index, row.last_index) == (0, 19)
    assert "Redis" in row.text and "zebras" not in row.text


def test_a_pack_summarizes_the_nearest_ten_and_the_job_the_rest(alice: Actor) -> None:
    conversation_id = huge_talk(alice, 200)
    texts_by_segment = for_pack(alice, conversation_id, before=190)
    assert [node.segment.ordinal for node in texts_by_segment.values() if node.segment.level == 1] == list(
        range(8, -1, -1)
    )
    assert all(node.text for node in texts_by_segment.values() if node.segment.level == 1)
    conversation_id = huge_talk(alice, 400)
    assert for_pack(alice, conversation_id, before=400) == {}
    job = segment_job_row(conversation_id)
    assert job is not None
    with workspace(alice.workspace_id):
        segments_close(conversation_id=conversation_id, most=400)
    texts_by_segment = for_pack(alice, conversation_id, before=395)
    summarized = [node.segment.ordinal for node in texts_by_segment.values() if node.text]
    assert summarized == list(range(18, 8, -1))
    run_segment_job(alice, conversation_id)
    assert all(node.text for node in for_pack(alice, conversation_id, before=400).values())


def test_texts_written_by_a_pack_are_not_rewritten(alice: Actor) -> None:
    conversation_id = huge_talk(alice, 100)
    first = for_pack(alice, conversation_id, before=100)
    stamps = [row.updated_at for row in segments(alice, conversation_id)]
    assert for_pack(alice, conversation_id, before=100) == first
    run_segment_job(alice, conversation_id)
    assert [row.updated_at for row in segments(alice, conversation_id)] == stamps


def test_a_segment_that_extends_past_the_index_is_returned_without_a_text(alice: Actor) -> None:
    conversation_id = huge_talk(alice, 100)
    with workspace(alice.workspace_id):
        segments_close(conversation_id=conversation_id, most=100)
    texts_by_segment = for_pack(alice, conversation_id, before=50)
    assert {node.segment.ordinal: bool(node.text) for node in texts_by_segment.values() if node.segment.level == 1} == {
        0: True,
        1: True,
        2: False,
    }


def test_excluding_a_message_clears_the_texts_that_cover_it_at_once(alice: Actor) -> None:
    conversation_id = conversation(alice)
    contents = ["We agreed on Redis."] * 120
    contents[7] = "We decided that the mascot is a zebra."
    say(alice, conversation_id, *contents)
    run_segment_job(alice, conversation_id)
    assert "zebra" in segments(alice, conversation_id)[0].text
    assert "zebra" in segments(alice, conversation_id, 2)[0].text
    set_excluded(alice, conversation_id, 7)
    assert [bool(row.text) for row in segments(alice, conversation_id)] == [False, True, True, True, True, True]
    assert not segments(alice, conversation_id, 2)[0].text
    with workspace(alice.workspace_id):
        assert not any("zebra" in node.text for node in segment_texts(conversation_id, before=120, most=10).values())
    assert segment_job_row(conversation_id) is not None
    run_segment_job(alice, conversation_id)
    texts = [row.text for level in (1, 2) for row in segments(alice, conversation_id, level)]
    assert all(texts) and not any("zebra" in text for text in texts)
    set_excluded(alice, conversation_id, 7, excluded=False)
    assert not segments(alice, conversation_id)[0].text
    assert "zebra" in for_pack(alice, conversation_id, before=120)[Segment(1, 0)].text


def test_a_segment_of_excluded_messages_is_marked_and_leaves_no_gap(alice: Actor) -> None:
    conversation_id = huge_talk(alice, 200)
    set_excluded(alice, conversation_id, *range(100, 200))
    run_segment_job(alice, conversation_id)
    assert [row.text for row in segments(alice, conversation_id)][5:] == [NOTHING] * 5
    assert [row.text == NOTHING for row in segments(alice, conversation_id, 2)] == [False, True]


def test_a_message_excluded_while_its_text_is_written_does_not_appear_in_it(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, *["We decided that the mascot is a zebra."], *["We agreed on Redis."] * 39)
    pending_actions = [lambda: set_excluded(alice, conversation_id, 0)]
    monkeypatch.setattr(segment_job, "fault_point", lambda name: pending_actions.pop()() if pending_actions else None)
    run_segment_job(alice, conversation_id)
    assert not pending_actions
    first, second = segments(alice, conversation_id)
    assert first.text and second.text and "zebra" not in first.text


def test_the_job_closes_a_long_import_with_few_and_short_reads(
    alice: Actor, longest_talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segment_job, "_tell", lambda lease, policy: False)
    with CaptureQueriesContext(connection) as queries:
        run_segment_job(alice, longest_talk)
    assert len(segments(alice, longest_talk)) == 5_000
    assert (len(segments(alice, longest_talk, 2)), len(segments(alice, longest_talk, 3))) == (1_000, 200)
    reads = [query["sql"] for query in queries if 'FROM "conversations_message"' in query["sql"]]
    assert len(reads) <= 51
    assert not any('"content"' in sql for sql in reads)
    assert all(row.tries_left == 0 for row in segments(alice, longest_talk))


def test_the_rows_a_pack_reads_do_not_grow_with_the_conversation(alice: Actor) -> None:
    conversation_id = huge_talk(alice, 20_000)
    with workspace(alice.workspace_id):
        segments_close(conversation_id=conversation_id, most=20_000)
        with recorded_queries() as queries:
            texts_by_segment = segment_texts(conversation_id, before=15_000, most=30)
        assert rows_read(queries) <= 90 + 3
    assert sorted(node.segment.level for node in texts_by_segment.values()) == [1] * 30 + [2] * 30 + [3] * 30
    assert max(node.first for node in texts_by_segment.values()) < 15_000
    assert Segment(1, 749) in texts_by_segment and Segment(1, 719) not in texts_by_segment


def test_a_segment_text_reads_only_the_messages_of_its_span(alice: Actor, longest_talk: UUID) -> None:
    with workspace(alice.workspace_id):
        segments_close(conversation_id=longest_talk, most=100_000)
        (row,) = segments_at(longest_talk, [Segment(1, 4_990)])
        with recorded_queries() as queries:
            assert material_of(row) is not None
        assert rows_read(queries) <= 20 + 3


def test_no_segments_are_created_when_the_engine_is_off(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, engine_enabled=False)
    off = replace(Policy(), engine_enabled=False)
    conversation_id = long_talk(alice, messages=100)
    assert segment_job_row(conversation_id) is None
    assert for_pack(alice, conversation_id, before=100, policy=off) == {}
    run_segment_job(alice, conversation_id)
    assert segments(alice, conversation_id) == []


def test_a_fork_creates_its_own_segments(alice: Actor) -> None:
    conversation_id = huge_talk(alice, 100)
    run_segment_job(alice, conversation_id)
    with workspace(alice.workspace_id):
        copy = conversation_fork(alice, conversation_id=conversation_id, through_index=59).id
    run_segment_job(alice, copy)
    assert spans(alice, copy) == [(0, 19), (20, 39), (40, 59)]
    assert row_of(alice, copy).message_count == 60


def test_another_workspace_cannot_read_the_segments(alice: Actor, charlie: Actor) -> None:
    conversation_id = huge_talk(alice, 40)
    run_segment_job(alice, conversation_id)
    with workspace(charlie.workspace_id):
        assert segment_texts(conversation_id, before=40, most=10) == {}
