"""Stretches of live messages with what can stand for them, and what a window made of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from apps.engine.compaction.segments import GROUP, Segment, SegmentText
from apps.engine.messages.display import display_text
from apps.engine.messages.importance import importance
from apps.engine.messages.message import Message
from apps.engine.pack.key_messages import WeightedMessage
from apps.engine.pack.recent_window import wanted_tokens
from apps.engine.pack.strategies import (
    HistorySummaries,
    LiveSpan,
    RecentWindow,
    Strategy,
)
from apps.engine.policy import Policy
from tests.engine.conversations import POLICY, SMALL, placed
from tests.engine.packs import plain_talk, segments_of, weighted

_GAP = re.compile(r"^\[… messages (\d+)–(\d+) left out …\]$", re.MULTILINE)
HIDING = [Strategy.WINDOWED, Strategy.COMPACTED, Strategy.MULTI_LEVEL]


@dataclass(frozen=True, slots=True)
class Case:
    """Live messages that begin anywhere, some of them excluded, with what can stand for them; told by few numbers."""

    seed: int
    count: int
    folded: int
    excluded: float

    def drawn(self) -> tuple[LiveSpan, HistorySummaries]:
        dice, begin = Random(self.seed), min(self.folded, self.count)
        said = placed(plain_talk(dice, self.count, dice.choice([3, 20])))
        live = [one for one in said[begin:] if dice.random() >= self.excluded]
        summaries = HistorySummaries(segments_of(dice, self.count), weighted(dice, live))
        return LiveSpan(begin, live, wanted_tokens(live, SMALL)), summaries


cases = st.builds(
    Case,
    seed=st.integers(0, 100_000),
    count=st.integers(1, 120),
    folded=st.just(0) | st.integers(0, 120),
    excluded=st.sampled_from([0.0, 0.3]),
)


def stretch(messages: list[Message], policy: Policy = POLICY, begin: int = 0) -> LiveSpan:
    return LiveSpan(begin, messages, wanted_tokens(messages, policy))


def segments(count: int, characters: int = 780, size: int = 20) -> dict[Segment, SegmentText]:
    """So many closed ones of level 1, and those of level 2 over them, each told in so many characters."""
    spans = {Segment(1, at): (at * size, at * size + size - 1) for at in range(count)}
    spans |= {Segment(2, at): (at * size * GROUP, (at + 1) * size * GROUP - 1) for at in range(count // GROUP)}
    return {at: SegmentText(at, first, last, "s" * characters) for at, (first, last) in spans.items()}


def weights(messages: list[Message]) -> tuple[WeightedMessage, ...]:
    return tuple(WeightedMessage(one.index, importance(display_text(one), one.role), one) for one in messages)


def told_spans(window: RecentWindow) -> list[range]:
    """Without the marks of gaps."""
    return [range(one.first, one.last + 1) for one in window.earlier.segments if one.text]


def key_indexes(window: RecentWindow) -> list[int]:
    return [int(one.removeprefix("m")) for one in window.earlier.keys.ids]


def gaps(text: str) -> list[range]:
    """The indexes that marks in the text name."""
    return [range(int(first), int(last) + 1) for first, last in _GAP.findall(text)]
