"""Selection of the messages to compact: oldest first, never the newest, never half of a tool exchange."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from apps.engine.messages.message import Message
from apps.engine.messages.tool_exchanges import Exchange, exchanges
from apps.engine.policy import Level, Policy


def live_cost(token_count: int, policy: Policy) -> int:
    """The live cost of a message: a long one appears in packs as an excerpt.

    >>> live_cost(300, Policy()), live_cost(9_000, Policy())
    (300, 2000)
    """
    return min(token_count, policy.long_message_tokens)


def live_tokens(messages: Iterable[Message], policy: Policy) -> int:
    return sum(live_cost(message.token_count, policy) for message in messages)


class NotDueCode(StrEnum):
    """Why no automatic compaction is due; the comments name the parameters."""

    OFF = "off"
    FEW_MESSAGES = "few_messages"  # count, needed
    FEW_TOKENS = "few_tokens"  # count, needed: live tokens
    LITTLE_TO_COMPACT = "little_to_compact"  # count, needed: tokens
    PAUSED_UNTIL = "paused_until"  # tokens: so many have to be live
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class NotDue:
    code: NotDueCode
    params: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LiveWindow:
    """What a plan needs of a conversation, whatever its length.

    `oldest` are the oldest live messages, oldest first, at least enough for one run and the results of its tool calls;
    `newest` the newest live messages, oldest first, at least as many as always stay in full. They may overlap;
    together they are all live messages, or others lie unseen between them.
    """

    message_count: int
    live_tokens: int
    oldest: tuple[Message, ...]
    newest: tuple[Message, ...]
    newest_user: Message | None

    def exempt(self, count: int) -> tuple[Message, ...]:
        """The newest `count` live messages and the newest of the user."""
        newest = self.newest[-count:] if count else ()
        return newest if self.newest_user is None or self.newest_user in newest else (self.newest_user, *newest)

    def in_sight(self) -> list[Message]:
        """Every message given, once, oldest first."""
        known = {message.index: message for message in (*self.oldest, *self.newest, *self.exempt(0))}
        return [known[index] for index in sorted(known)]

    @property
    def hides_some(self) -> bool:
        """Live messages lie unseen between the oldest and the newest."""
        return bool(self.newest) and (not self.oldest or self.oldest[-1].index < self.newest[0].index)


@dataclass(frozen=True, slots=True)
class CompactionPlan:
    """`messages` to compact now, in order; `complete` is False if another run must follow immediately."""

    messages: tuple[Message, ...]
    complete: bool

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(message.id for message in self.messages)


def compactable_tokens(window: LiveWindow, policy: Policy) -> int:
    """Live tokens that can be compacted: all but the newest messages and the user's newest."""
    return window.live_tokens - live_tokens(window.exempt(policy.newest_message_count), policy)


def is_due(window: LiveWindow, policy: Policy) -> bool:
    """Whether the conversation calls for an automatic compaction."""
    return why_not_due(window, policy) is None


def why_not_due(window: LiveWindow, policy: Policy) -> NotDue | None:
    """The reason why no automatic compaction is due; None when one is."""
    if not (policy.engine_enabled and policy.auto_compact):
        return NotDue(NotDueCode.OFF)
    if window.message_count < policy.min_messages_for_compaction:
        return _too_few(NotDueCode.FEW_MESSAGES, window.message_count, policy.min_messages_for_compaction)
    if window.live_tokens < policy.light_compaction_threshold:
        return _too_few(NotDueCode.FEW_TOKENS, window.live_tokens, policy.light_compaction_threshold)
    foldable = compactable_tokens(window, policy)
    if foldable < policy.min_compaction_tokens:
        return _too_few(NotDueCode.LITTLE_TO_COMPACT, foldable, policy.min_compaction_tokens)
    return None


def _too_few(code: NotDueCode, count: int, needed: int) -> NotDue:
    return NotDue(code, {"count": count, "needed": needed})


def rests(live_tokens: int, paused_below: int | None) -> bool:
    """Whether automatic compaction rests after an undo or a stop."""
    return paused_below is not None and live_tokens < paused_below


def why_paused(live_tokens: int, paused_below: int | None, policy: Policy) -> NotDue | None:
    """Until when automatic compaction pauses; None when it does not.

    >>> why_paused(9_000, 16_000, Policy()).params, why_paused(30_000, 2**31 - 1, Policy()).code.value
    ({'tokens': 16000}, 'paused')
    """
    if paused_below is None or not rests(live_tokens, paused_below):
        return None
    if paused_below > policy.aggressive_compaction_threshold:
        return NotDue(NotDueCode.PAUSED)
    return NotDue(NotDueCode.PAUSED_UNTIL, {"tokens": paused_below})


def plan_automatic(window: LiveWindow, level: Level, policy: Policy) -> CompactionPlan:
    """Compact to the level's target; deep and aggressive also compact everything older than the recent messages."""
    target = policy.light_compaction_threshold * policy.target_percent(level) // 100
    wanted = max(window.live_tokens - target, policy.min_compaction_tokens)
    recent_from = min((message.index for message in window.newest[-policy.recent_message_count :]), default=0)
    everything_old = level is not Level.LIGHT
    chosen: list[Exchange] = []
    for exchange in _foldable(window, policy.newest_message_count):
        is_old = everything_old and exchange[-1].index < recent_from
        if wanted > 0 or is_old:
            chosen.append(exchange)
            wanted -= live_tokens(exchange, policy)
    return _slice(chosen, policy, more=window.hides_some and (wanted > 0 or everything_old))


def plan_manual(window: LiveWindow, policy: Policy) -> CompactionPlan:
    """Compact what is older than the recent messages, or than the newest if there are no others."""
    older = _foldable(window, policy.recent_message_count) or _foldable(window, policy.newest_message_count)
    return _slice(older, policy, more=window.hides_some)


def _foldable(window: LiveWindow, keep: int) -> list[Exchange]:
    """Oldest first, the exchanges of which nothing has to stay, and none behind messages out of sight."""
    staying = {message.index for message in window.exempt(keep)}
    if window.hides_some:
        staying |= {message.index for message in window.newest}
    return [
        exchange
        for exchange in exchanges(window.in_sight())
        if not any(message.index in staying for message in exchange)
    ]


def _slice(chosen: Sequence[Exchange], policy: Policy, *, more: bool) -> CompactionPlan:
    """The first messages up to one run's limit; a tool exchange larger than that is compacted alone, unsplit."""
    room = policy.max_compaction_tokens
    taken: list[Message] = []
    for number, exchange in enumerate(chosen):
        room -= live_tokens(exchange, policy)
        if room < 0 and number:
            more = True
            break
        taken.extend(exchange)
    return CompactionPlan(tuple(sorted(taken, key=lambda message: message.index)), complete=not more)
