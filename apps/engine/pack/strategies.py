"""How the messages of a conversation that are not folded stand in a pack: four strategies, from everything to layers.

The newest stand whole in a window. What lies before it is told by the summaries of its segments, or its weightiest
messages stand for it; each part has its share of the room, and what it does not need goes to the window. Seed 003.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain

from apps.engine.compaction.segments import TARGET_TOKENS, Segment, SegmentText, cover_of, left_out, segment_text
from apps.engine.messages.message import Message
from apps.engine.pack.key_messages import KeyMessages, Weighed, key_messages
from apps.engine.pack.recent_window import cost_of, fitting, from_whole_exchange
from apps.engine.policy import Policy
from apps.engine.summary.digest import digest_again, quotes
from apps.engine.summary.rendering import BETWEEN_SECTIONS, HEADINGS, section_tokens


class Strategy(StrEnum):
    FULL = "full"
    WINDOWED = "windowed"
    COMPACTED = "compacted"
    MULTI_LEVEL = "multi_level"


@dataclass(frozen=True, slots=True)
class Shares:
    """Of the room for the messages, in percent: for the window, for summaries, for key messages."""

    window: int
    summaries: int
    keys: int = 0


SHARES = {
    Strategy.WINDOWED: Shares(70, 30),
    Strategy.COMPACTED: Shares(65, 10, 25),
    Strategy.MULTI_LEVEL: Shares(70, 30),
}
_LARGEST_RATIO = {Strategy.WINDOWED: 2.5, Strategy.COMPACTED: 8.0}
# Of the messages that are not folded, the oldest that are only summarised where key messages are chosen.
_SUMMARISED_PERCENT = 40
# A window begins with a quarter of its room free, so that it can stay where it is for a while.
_BEGINS_WITH = 0.75
# It begins where a segment does, if that costs no more of it than the rest.
_SNAPPED_AT_LEAST = 0.9
_GAP_TOKENS = 12
# Before what is told, and behind it or within it.
_MOST_GAPS = 2
NO_LIMIT = 10**9
"""More tokens than anything takes."""

# A shorter text would tell little of what segments tell.
_LEAST_TEXT_TOKENS = 60
# Of the messages before the window that are in no closed segment yet.
_OPEN = Segment(1, -1)


@dataclass(frozen=True, slots=True)
class Past:
    """What can stand for messages that do not stand whole.

    `segments` are those known, with their texts where they have any; `weighed` are the newest messages of the
    conversation that are not folded, oldest first, as far as they may be looked at.
    """

    segments: Mapping[Segment, SegmentText] = field(default_factory=dict)
    weighed: Sequence[Weighed] = ()


@dataclass(frozen=True, slots=True)
class Stretch:
    """The messages that are not folded, from the index `begin` on, before the current one.

    `earlier` are the newest of them, oldest first, or all where nothing is missing: then the stretch is `complete`.
    `tokens` is what all of them would take; `current` the index of the current one.
    """

    begin: int
    earlier: Sequence[Message]
    tokens: int
    complete: bool = True
    current: int = 0

    @property
    def end(self) -> int:
        return self.earlier[-1].index + 1 if self.earlier else max(self.begin, self.current)

    def hides(self, gap: range) -> bool:
        """Whether any of them is among these indexes; of what was not read all may be."""
        unread = range(self.begin, 0 if self.complete else self.earlier[0].index if self.earlier else self.end)
        lies_in_unread = max(gap.start, unread.start) < min(gap.stop, unread.stop)
        return lies_in_unread or any(message.index in gap for message in self.earlier)


@dataclass(frozen=True, slots=True)
class Earlier:
    """What stands for the messages before the window; `untold` are the indexes of the oldest, of which nothing does.

    Among `told` one without a text marks a gap behind others.
    """

    told: tuple[SegmentText, ...] = ()
    keys: KeyMessages = field(default_factory=KeyMessages)
    untold: range = range(0)

    @property
    def text(self) -> str:
        return BETWEEN_SECTIONS.join(part for part in (self._told_text, self._keys_text) if part)

    @property
    def tokens(self) -> int:
        return section_tokens(self.text)

    @property
    def _told_text(self) -> str:
        heading = [HEADINGS["earlier"]] if any(one.tells for one in self.told) else []
        gap = [left_out(self.untold[0], self.untold[-1])] if self.untold else []
        return "\n".join([*heading, *gap, *told_lines(self.told)])

    @property
    def _keys_text(self) -> str:
        return f"{HEADINGS['key_messages']}\n{self.keys.text}" if self.keys.text else ""


@dataclass(frozen=True, slots=True)
class Window:
    """The window begins at the message with the index `start`."""

    strategy: Strategy
    start: int
    earlier: Earlier = field(default_factory=Earlier)


def strategy_of(stretch: Stretch, grant: int, budget: int) -> Strategy:
    """By how much there is to show for each token of the whole budget; everything, where all was read and fits.

    >>> [strategy_of(Stretch(0, (), tokens), 2_400, 4_000).value for tokens in (2_400, 10_000, 32_000, 32_001)]
    ['full', 'windowed', 'compacted', 'multi_level']
    """
    if stretch.complete and stretch.tokens <= grant:
        return Strategy.FULL
    ratio = stretch.tokens / max(1, budget)
    return next((found for found, most in _LARGEST_RATIO.items() if ratio <= most), Strategy.MULTI_LEVEL)


def window_of(stretch: Stretch, strategy: Strategy, past: Past, grant: int, policy: Policy) -> Window:
    """Where the window begins and what stands before it, together in at most `grant` tokens."""
    if strategy is Strategy.FULL:
        return Window(strategy, stretch.earlier[0].index if stretch.earlier else stretch.end)
    shares = SHARES[strategy]
    rooms = _Rooms(grant * shares.summaries // 100, grant * shares.keys // 100)
    plan = _Plan(stretch, strategy, past, policy)
    start = plan.start(grant - rooms.summaries - rooms.keys)
    rooms = rooms.lowered_to(plan.before(start, rooms))
    start = plan.start(grant - rooms.summaries - rooms.keys)
    return Window(strategy, start, plan.before(start, rooms))


def window_start(stretch: Stretch, room: int, policy: Policy) -> int:
    """The index from which on messages fit into so much room."""
    shown = _shown(stretch, room, policy)
    return shown[0].index if shown else stretch.end


def compacted_segments(past: Past, end: int, share: int) -> tuple[SegmentText, ...]:
    """The segments that end before the index `end`, as finely as a share in tokens allows, with their heading."""
    ended = {segment: told for segment, told in past.segments.items() if told.last < end}
    return _newest_of(ended, share - section_tokens(HEADINGS["segments"]))


def segments_text(told: Sequence[SegmentText]) -> str:
    lines = told_lines(told)
    return "\n".join([HEADINGS["segments"], *lines]) if lines else ""


def told_lines(told: Sequence[SegmentText]) -> list[str]:
    text = "".join(map(segment_text, told)).rstrip()
    return [text] if text else []


@dataclass(frozen=True, slots=True)
class _Rooms:
    """For what stands before the window, in tokens with the headings."""

    summaries: int
    keys: int

    def lowered_to(self, earlier: Earlier) -> _Rooms:
        """What it took, with what was set aside for marks and for rounding: enough to choose the same again."""
        summaries = replace(earlier, keys=KeyMessages()).tokens
        keys = earlier.tokens - summaries
        return _Rooms(
            min(self.summaries, summaries + _MOST_GAPS * _GAP_TOKENS + len(earlier.told) + 1),
            min(self.keys, keys + _GAP_TOKENS * (len(earlier.keys.ids) + 1)),
        )


@dataclass(frozen=True, slots=True)
class _Plan:
    stretch: Stretch
    strategy: Strategy
    past: Past
    policy: Policy

    def start(self, room: int) -> int:
        """Where a window in so much room begins, a part of it left free; at a segment's begin, if one is near."""
        target = int(room * _BEGINS_WITH)
        shown = _shown(self.stretch, target, self.policy)
        costs = [cost_of(message, self.policy) for message in shown]
        begins, left = {end + 1 for end in self._closed_ends()}, sum(costs)
        for message, cost in zip(_newest(self.stretch, len(shown)), costs, strict=True):
            if left < target * _SNAPPED_AT_LEAST:
                break
            if message.index in begins and not message.results:
                return message.index
            left -= cost
        return shown[0].index if shown else self.stretch.end

    def before(self, start: int, rooms: _Rooms) -> Earlier:
        if self.strategy is not Strategy.COMPACTED:
            told = self._told_in_layers(start, self._room_to_tell(rooms.summaries))
            return self._with_gaps(told, start, rooms.summaries)
        middle = self._middle(start)
        weighed = [one for one in self.past.weighed if middle <= one.index < start]
        keys = key_messages(weighed, rooms.keys - section_tokens(HEADINGS["key_messages"]))
        told = self._told_once(middle, self._room_to_tell(rooms.summaries))
        first = next((one.index for one in weighed if one.message and one.message.id in keys.ids), start)
        return replace(self._with_gaps(told, first, rooms.summaries), keys=keys)

    def _room_to_tell(self, room: int) -> int:
        return room - section_tokens(HEADINGS["earlier"]) - _MOST_GAPS * _GAP_TOKENS

    def _with_gaps(self, told: tuple[SegmentText, ...], end: int, room: int) -> Earlier:
        """With a mark for all before the index `end` that is not told, where there is room for marks at all."""
        if room < _GAP_TOKENS:
            return Earlier()
        begins = [self.stretch.begin, *(one.last + 1 for one in told)]
        ends = [*(one.first for one in told), end]
        untold, *gaps = (gap if self.stretch.hides(gap) else range(0) for gap in map(range, begins, ends))
        marked = ((one, *_marks(gap)) for one, gap in zip(told, gaps, strict=True))
        return Earlier(tuple(chain.from_iterable(marked)), untold=untold)

    def _told_in_layers(self, end: int, room: int) -> tuple[SegmentText, ...]:
        """Segment by segment, with the messages that no closed segment holds yet; the farthest in one short text."""
        loose = self._told_loose(end, room)
        near = (*self._told_closed(end, room - _tokens(loose)), *loose)
        left = room - _tokens(near)
        far = self._told_once(near[0].first if near else end, left) if left >= _LEAST_TEXT_TOKENS else ()
        return (*far, *near)

    def _told_once(self, end: int, room: int) -> tuple[SegmentText, ...]:
        """All in one short text, where its segments one by one would not fit."""
        told = self._told_closed(end, NO_LIMIT)
        if not told or _tokens(told) <= room:
            return told
        texts = [one.text for one in told if one.tells]
        span = range(told[0].first, told[-1].last + 1)
        return _told_within(room, span, lambda limit: digest_again(texts, limit))

    def _told_closed(self, end: int, room: int) -> tuple[SegmentText, ...]:
        """Those that end before the index `end`. One of level 1 may begin among what is folded."""
        ended = {segment: told for segment, told in self.past.segments.items() if told.last < end}
        return _newest_of({at: told for at, told in ended.items() if self._is_of_stretch(told)}, room)

    def _is_of_stretch(self, told: SegmentText) -> bool:
        return (told.last if told.segment.level == 1 else told.first) >= self.stretch.begin

    def _told_loose(self, end: int, room: int) -> tuple[SegmentText, ...]:
        """The messages behind the last closed segment that ends before the index `end`."""
        closed = max((last + 1 for last in self._closed_ends() if last < end), default=self.stretch.begin)
        loose = [message for message in self.stretch.earlier if closed <= message.index < end]
        if not loose:
            return ()
        span = range(loose[0].index, loose[-1].index + 1)
        return _told_within(room, span, lambda limit: quotes(loose, min(limit, TARGET_TOKENS[1])))

    def _middle(self, start: int) -> int:
        """The index where the oldest messages end, which are only summarised: where a segment before `start` does."""
        begin = self.stretch.begin
        wanted = min(start, begin + (self.stretch.end - begin) * _SUMMARISED_PERCENT // 100)
        return max((last + 1 for last in self._closed_ends() if begin <= last < wanted), default=begin)

    def _closed_ends(self) -> list[int]:
        return [told.last for segment, told in self.past.segments.items() if segment.level == 1]


def _shown(stretch: Stretch, room: int, policy: Policy) -> list[Message]:
    """The newest messages that a window of so much room holds.

    An excerpt of a message with many parts has none, so the stored messages decide where an exchange begins.
    """
    fits = fitting(stretch.earlier, room, policy)
    whole = from_whole_exchange(_newest(stretch, len(fits)), policy)
    return fits[len(fits) - len(whole) :]


def _newest(stretch: Stretch, count: int) -> list[Message]:
    """The newest messages as they are stored."""
    return list(stretch.earlier[len(stretch.earlier) - count :])


def _marks(gap: range) -> tuple[SegmentText, ...]:
    return (SegmentText(_OPEN, gap[0], gap[-1], ""),) if gap else ()


def _told_within(room: int, span: range, write: Callable[[int], str]) -> tuple[SegmentText, ...]:
    """One text of at most so many tokens, as long as it may be so that it fits with all that stands around it."""
    frame = SegmentText(_OPEN, span[0], span[-1], "…")
    limit = room - frame.tokens
    while limit > 0 and (text := write(limit)):
        told = replace(frame, text=text)
        if told.tokens <= room:
            return (told,)
        limit -= told.tokens - room
    return ()


def _tokens(told: Iterable[SegmentText]) -> int:
    return sum(one.tokens for one in told)


def _newest_of(segments: Mapping[Segment, SegmentText], room: int) -> tuple[SegmentText, ...]:
    """As many of the newest as there is room for, the nearest finely."""
    ordinals = [segment.ordinal for segment in segments if segment.level == 1]
    return cover_of(segments, range(max(ordinals) + 1), room) if ordinals else ()
