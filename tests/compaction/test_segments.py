"""Segments of a conversation in the database: closed once, told at once or by the job, and true at every moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.selectors.segments import material_of, segment_texts, segments_at
from apps.compaction.services import segment_job
from apps.compaction.services.segments import segments_close, segments_schedule_if_due
from apps.conversations.models import Conversation, Message, MessageStatus
from apps.engine.compaction.segments import NOTHING, Segment
from apps.engine.policy import Policy
from apps.jobs.models import DueJob
from apps.jobs.services import claim_due, run_job
from apps.turns.services.fork import conversation_fork
from tests.compaction.segments import for_pack, job_of, leave_out, run_the_job, segments, spans
from tests.context.reads import recorded_queries, rows_read
from tests.conversations.talk import conversation, history, huge_talk, long_talk, row_of, say

pytestmark = pytest.mark.django_db(transaction=True)


def test_twenty_messages_or_8000_tokens_close_a_segment_and_it_is_told_by_the_job(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, *["We agreed on Redis."] * 20, "a long paste " * 3_000, "ok")
    run_the_job(alice, talk)
    assert spans(alice, talk) == [(0, 19), (20, 20)]
    first, second = segments(alice, talk)
    assert "We agreed on Redis." in first.text
    assert "a long paste" in second.text
    assert (first.model, first.tokens_through) == ("offline", sum(row.token_count for row in history(alice, talk)[:20]))
    assert job_of(talk) is None


def test_the_job_is_wanted_as_soon_as_a_segment_can_be_closed_and_not_before(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, *["short"] * 19)
    assert job_of(talk) is None
    say(alice, talk, "short")
    assert job_of(talk) is not None
    run_the_job(alice, talk)
    say(alice, talk, *["short"] * 19)
    assert job_of(talk) is None
    say(alice, talk, "long " * 6_400)
    assert job_of(talk) is not None


def test_to_ask_costs_a_short_conversation_nothing_and_a_long_one_a_single_row(alice: Actor) -> None:
    short, long = long_talk(alice, messages=5), huge_talk(alice, 10)
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=long).update(message_count=30)
        for talk, most in ((short, 0), (long, 1)):
            row = Conversation.objects.get(pk=talk)
            with CaptureQueriesContext(
                connection,
            ) as reads:
                segments_schedule_if_due(conversation=row, policy=Policy())
            assert len([q for q in reads if "FROM compaction_segmentsummary" in q["sql"].replace('"', "")]) == most


def test_five_segments_make_one_of_the_next_level_from_their_texts(alice: Actor) -> None:
    talk = huge_talk(alice, 520)
    run_the_job(alice, talk)
    assert len(segments(alice, talk, 1)) == 26
    assert spans(alice, talk, 2) == [(n * 100, n * 100 + 99) for n in range(5)]
    assert spans(alice, talk, 3) == [(0, 499)]
    assert all(row.text for level in (1, 2, 3) for row in segments(alice, talk, level))


def test_a_segment_never_closes_over_a_reply_that_is_being_written(alice: Actor) -> None:
    talk = huge_talk(alice, 60)
    with workspace(alice.workspace_id):
        reply = Message.objects.filter(conversation_id=talk, index=45)
        reply.update(status=MessageStatus.STREAMING)
    run_the_job(alice, talk)
    assert spans(alice, talk) == [(0, 19), (20, 39)]
    with workspace(alice.workspace_id):
        reply.update(status=MessageStatus.COMPLETE)
    run_the_job(alice, talk)
    assert spans(alice, talk) == [(0, 19), (20, 39), (40, 59)]


def test_what_came_to_nothing_counts_in_the_span_and_is_not_told(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, *["We agreed on Redis."] * 19, "The reply about zebras broke off.")
    with workspace(alice.workspace_id):
        Message.objects.filter(conversation_id=talk, index=19).update(status=MessageStatus.FAILED)
    run_the_job(alice, talk)
    (row,) = segments(alice, talk)
    assert (row.first_index, row.last_index) == (0, 19)
    assert "Redis" in row.text and "zebras" not in row.text


def test_a_pack_gets_the_nearest_ten_at_once_and_the_job_makes_the_rest(alice: Actor) -> None:
    talk = huge_talk(alice, 200)
    told = for_pack(alice, talk, before=190)
    assert [node.segment.ordinal for node in told.values() if node.segment.level == 1] == list(range(8, -1, -1))
    assert all(node.text for node in told.values() if node.segment.level == 1)
    talk = huge_talk(alice, 400)
    assert for_pack(alice, talk, before=400) == {}
    job = job_of(talk)
    assert job is not None
    with workspace(alice.workspace_id):
        segments_close(conversation_id=talk, most=400)
    told = for_pack(alice, talk, before=395)
    made = [node.segment.ordinal for node in told.values() if node.text]
    assert made == list(range(18, 8, -1))
    run_the_job(alice, talk)
    assert all(node.text for node in for_pack(alice, talk, before=400).values())


def test_what_a_pack_made_is_not_made_again(alice: Actor) -> None:
    talk = huge_talk(alice, 100)
    first = for_pack(alice, talk, before=100)
    stamps = [row.updated_at for row in segments(alice, talk)]
    assert for_pack(alice, talk, before=100) == first
    run_the_job(alice, talk)
    assert [row.updated_at for row in segments(alice, talk)] == stamps


def test_a_segment_that_reaches_behind_the_index_is_told_of_and_not_made(alice: Actor) -> None:
    talk = huge_talk(alice, 100)
    with workspace(alice.workspace_id):
        segments_close(conversation_id=talk, most=100)
    told = for_pack(alice, talk, before=50)
    assert {node.segment.ordinal: bool(node.text) for node in told.values() if node.segment.level == 1} == {
        0: True,
        1: True,
        2: False,
    }


def test_leaving_a_message_out_empties_the_texts_that_hold_it_at_once(alice: Actor) -> None:
    talk = conversation(alice)
    words = ["We agreed on Redis."] * 120
    words[7] = "We decided that the password is zebra."
    say(alice, talk, *words)
    run_the_job(alice, talk)
    assert "zebra" in segments(alice, talk)[0].text
    assert "zebra" in segments(alice, talk, 2)[0].text
    leave_out(alice, talk, 7)
    assert [bool(row.text) for row in segments(alice, talk)] == [False, True, True, True, True, True]
    assert not segments(alice, talk, 2)[0].text
    with workspace(alice.workspace_id):
        assert not any("zebra" in node.text for node in segment_texts(talk, before=120, most=10).values())
    assert job_of(talk) is not None
    run_the_job(alice, talk)
    texts = [row.text for level in (1, 2) for row in segments(alice, talk, level)]
    assert all(texts) and not any("zebra" in text for text in texts)
    leave_out(alice, talk, 7, excluded=False)
    assert not segments(alice, talk)[0].text
    assert "zebra" in for_pack(alice, talk, before=120)[Segment(1, 0)].text


def test_a_segment_of_which_nothing_may_be_told_says_so_and_leaves_no_hole(alice: Actor) -> None:
    talk = huge_talk(alice, 200)
    leave_out(alice, talk, *range(100, 200))
    run_the_job(alice, talk)
    assert [row.text for row in segments(alice, talk)][5:] == [NOTHING] * 5
    assert [row.text == NOTHING for row in segments(alice, talk, 2)] == [False, True]


def test_words_that_are_left_out_while_a_text_is_made_of_them_do_not_get_in(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = conversation(alice)
    say(alice, talk, *["We decided that the password is zebra."], *["We agreed on Redis."] * 39)
    meanwhile = [lambda: leave_out(alice, talk, 0)]
    monkeypatch.setattr(segment_job, "fault_point", lambda name: meanwhile.pop()() if meanwhile else None)
    run_the_job(alice, talk)
    assert not meanwhile
    first, second = segments(alice, talk)
    assert first.text and second.text and "zebra" not in first.text


def test_two_runs_at_once_give_the_result_of_one(alice: Actor) -> None:
    once, twice = huge_talk(alice, 700), huge_talk(alice, 700)
    run_the_job(alice, once)

    def read(_: int) -> None:
        try:
            for_pack(alice, twice, before=700)
        finally:
            connections.close_all()

    def run(_: int) -> None:
        try:
            for claim in claim_due(10):
                run_job(claim.job_id, claim.token)
        finally:
            connections.close_all()

    with workspace(alice.workspace_id):
        segments_schedule_if_due(conversation=Conversation.objects.get(pk=twice), policy=Policy())
    DueJob.objects.filter(kind="segments").update(due_at=timezone.now())
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: run(n) if n % 2 else read(n), range(8)))
    run_the_job(alice, twice)
    for level in (1, 2, 3):
        assert [(row.first_index, row.last_index, row.text) for row in segments(alice, twice, level)] == [
            (row.first_index, row.last_index, row.text) for row in segments(alice, once, level)
        ]


def test_a_long_import_is_closed_by_the_job_in_few_and_short_reads(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = huge_talk(alice, 100_000)
    monkeypatch.setattr(segment_job, "_tell", lambda lease, policy: False)
    with CaptureQueriesContext(connection) as queries:
        run_the_job(alice, talk)
    assert len(segments(alice, talk)) == 5_000
    assert (len(segments(alice, talk, 2)), len(segments(alice, talk, 3))) == (1_000, 200)
    reads = [query["sql"] for query in queries if 'FROM "conversations_message"' in query["sql"]]
    assert len(reads) <= 51
    assert not any('"content"' in sql for sql in reads)
    assert all(row.tries_left == 0 for row in segments(alice, talk))


def test_what_a_pack_reads_does_not_grow_with_the_conversation(alice: Actor) -> None:
    talk = huge_talk(alice, 20_000)
    with workspace(alice.workspace_id):
        segments_close(conversation_id=talk, most=20_000)
        with recorded_queries() as queries:
            told = segment_texts(talk, before=15_000, most=30)
        assert rows_read(queries) <= 90 + 3
    assert sorted(node.segment.level for node in told.values()) == [1] * 30 + [2] * 30 + [3] * 30
    assert max(node.first for node in told.values()) < 15_000
    assert Segment(1, 749) in told and Segment(1, 719) not in told


def test_a_text_reads_the_messages_of_its_span(alice: Actor) -> None:
    talk = huge_talk(alice, 100_000)
    with workspace(alice.workspace_id):
        segments_close(conversation_id=talk, most=100_000)
        (row,) = segments_at(talk, [Segment(1, 4_990)])
        with recorded_queries() as queries:
            assert material_of(row) is not None
        assert rows_read(queries) <= 20 + 3


def test_with_the_engine_off_nothing_is_made(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, engine_enabled=False)
    off = replace(Policy(), engine_enabled=False)
    talk = long_talk(alice, messages=100)
    assert job_of(talk) is None
    assert for_pack(alice, talk, before=100, policy=off) == {}
    run_the_job(alice, talk)
    assert segments(alice, talk) == []


def test_a_fork_makes_its_segments_anew(alice: Actor) -> None:
    talk = huge_talk(alice, 100)
    run_the_job(alice, talk)
    with workspace(alice.workspace_id):
        copy = conversation_fork(alice, conversation_id=talk, through_index=59).id
    run_the_job(alice, copy)
    assert spans(alice, copy) == [(0, 19), (20, 39), (40, 59)]
    assert row_of(alice, copy).message_count == 60


def test_nobody_else_s_workspace_sees_them(alice: Actor, charlie: Actor) -> None:
    talk = huge_talk(alice, 40)
    run_the_job(alice, talk)
    with workspace(charlie.workspace_id):
        assert segment_texts(talk, before=40, most=10) == {}
