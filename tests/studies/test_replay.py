"""A conversation played without a database."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.compaction.plan import live_cost
from apps.engine.compaction.segments import Segment
from apps.engine.messages.message import Role
from apps.engine.pack.builder import window_pack
from apps.engine.policy import Policy
from apps.engine.tokens.counting import count_text
from studies.engine.replay import Replay
from tests.engine.conversations import POLICY, SMALL


def replay_sample(messages: int, words: int = 30, policy: Policy = POLICY) -> Replay:
    replay = Replay(policy)
    for place in range(messages):
        role = Role.ASSISTANT if place % 2 else Role.USER
        replay.add(role, f"We decided {place}. " + "word " * words)
    return replay


@given(st.integers(0, 60), st.integers(1, 60))
def test_every_message_is_either_compacted_or_live(messages: int, words: int) -> None:
    replay = replay_sample(messages, words, SMALL)
    live = {message.index for message in replay.live}
    assert [message.index for message in replay.messages] == list(range(messages))
    if replay.compacted_through is None:
        assert live == set(range(messages)) and not replay.runs
    else:
        assert live >= set(range(replay.compacted_through + 1, messages))
        assert replay.compacted_through not in live
    if messages % 2 == 0 and messages >= SMALL.min_messages_for_compaction:
        foldable = sum(live_cost(message.token_count, SMALL) for message in replay.live[:-4])
        assert foldable < SMALL.light_compaction_threshold + SMALL.min_compaction_tokens


@given(st.integers(0, 130), st.integers(0, 20))
def test_segments_are_consecutive_and_covered_by_their_groups(messages: int, words: int) -> None:
    replay = replay_sample(messages, words)
    closed = [replay.segments[at] for at in sorted(replay.segments) if at.level == 1]
    assert [told.first for told in closed] == [0, *(told.last + 1 for told in closed)][: len(closed)]
    assert all(told.text for told in closed)
    assert all(older.segment.ordinal + 1 == newer.segment.ordinal for older, newer in pairwise(closed))
    assert sum(at.level == 2 for at in replay.segments) == len(closed) // 5
    for at, told in replay.segments.items():
        if at.level > 1:
            parts = [replay.segments[child] for child in at.children]
            assert (told.first, told.last) == (parts[0].first, parts[-1].last)


def test_nothing_is_compacted_below_the_threshold() -> None:
    assert (replay_sample(40).runs, replay_sample(40).compacted_through) == (0, None)
    replay = replay_sample(400, words=100)
    assert replay.runs > 0 and replay.compacted_through is not None
    assert sum(message.token_count for message in replay.live) < POLICY.light_compaction_threshold + 300
    assert replay.summary.decisions


def test_five_segments_make_one_of_the_next_level_in_few_words() -> None:
    replay = replay_sample(500)
    levels = [sum(at.level == level for at in replay.segments) for level in (1, 2, 3)]
    assert levels == [25, 5, 1]
    whole = replay.segments[Segment(3, 0)]
    assert (whole.first, whole.last) == (0, 499)
    assert count_text(whole.text) <= 250


def test_a_question_is_in_the_pack_but_not_in_the_conversation() -> None:
    replay = replay_sample(10)
    pack = replay.pack(4_000, question="Which one?")
    assert pack.current and pack.current.content == "Which one?"
    assert len(pack.recent) == 10
    assert len(replay.messages) == 10
    assert replay.pack(4_000).current is None


def test_another_question_continues_the_same_epoch() -> None:
    replay = replay_sample(300, words=60)
    epoch = replay.pack(4_000).epoch
    packs = [replay.pack(4_000, epoch, question) for question in ("Which one?", "And why?")]
    assert all(pack.epoch is epoch for pack in packs)
    assert packs[0].sections == packs[1].sections and packs[0].recent == packs[1].recent


def test_the_plain_window_includes_compacted_messages() -> None:
    replay = replay_sample(400, words=100)
    plain = window_pack(replay.window("Which one?"), 30_000, POLICY)
    assert plain.recent[0].index < min(message.index for message in replay.live)
