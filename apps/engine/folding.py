"""Which messages a compaction folds: oldest first, never the newest, never half of a tool call and its result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.engine.messages import Message, Role
from apps.engine.policy import Level, Policy


def live_cost(token_count: int, policy: Policy) -> int:
    """What a message counts while it is live: a long one stands in packs as an excerpt.

    >>> live_cost(300, Policy()), live_cost(9_000, Policy())
    (300, 2000)
    """
    return min(token_count, policy.long_message_tokens)


@dataclass(frozen=True, slots=True)
class LiveWindow:
    """What a plan needs of a conversation, whatever its length.

    `oldest` are the oldest live messages, oldest first, at least enough for one run and the results of its tool calls;
    `newest` the newest live messages, oldest first, at least as many as always stay in full. They may overlap.
    """

    message_count: int
    live_tokens: int
    oldest: tuple[Message, ...]
    newest: tuple[Message, ...]
    newest_user: Message | None

    def kept(self, count: int) -> tuple[Message, ...]:
        """The newest `count` live messages and the newest of the user."""
        newest = self.newest[-count:] if count else ()
        return newest if self.newest_user is None or self.newest_user in newest else (self.newest_user, *newest)


@dataclass(frozen=True, slots=True)
class FoldPlan:
    """`messages` fold now, in this order; `complete` is False when another run has to follow at once."""

    messages: tuple[Message, ...]
    complete: bool

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(message.id for message in self.messages)


def foldable_tokens(window: LiveWindow, policy: Policy) -> int:
    """Live tokens that a compaction may fold: all but the newest messages and the newest of the user."""
    return window.live_tokens - _cost(window.kept(policy.newest_message_count), policy)


def is_due(window: LiveWindow, policy: Policy) -> bool:
    """Whether the conversation calls for an automatic compaction."""
    return not why_not_due(window, policy)


def why_not_due(window: LiveWindow, policy: Policy) -> str:
    """The reason why no automatic compaction is due, or nothing when one is."""
    if not (policy.engine_enabled and policy.auto_compact):
        return "automatic compaction is switched off"
    if window.message_count < policy.min_messages_for_compaction:
        return f"{window.message_count} of {policy.min_messages_for_compaction} messages"
    if window.live_tokens < policy.light_compaction_threshold:
        return f"{window.live_tokens} of {policy.light_compaction_threshold} live tokens"
    foldable = foldable_tokens(window, policy)
    if foldable < policy.min_fold_tokens:
        return f"{foldable} of {policy.min_fold_tokens} tokens can be folded"
    return ""


def plan_automatic(window: LiveWindow, level: Level, policy: Policy) -> FoldPlan:
    """Fold until the level's target is reached; deep and aggressive also fold all that is older than the recent."""
    target = policy.light_compaction_threshold * policy.target_percent(level) // 100
    wanted = max(window.live_tokens - target, policy.min_fold_tokens)
    recent = _indexes(window.newest[-policy.recent_message_count :])
    everything_old = level is not Level.LIGHT
    chosen: list[Message] = []
    for message in _foldable(window, policy.newest_message_count):
        if wanted <= 0 and not (everything_old and message.index < min(recent)):
            break
        chosen.append(message)
        wanted -= live_cost(message.token_count, policy)
    return _slice(chosen, window, policy)


def plan_manual(window: LiveWindow, policy: Policy) -> FoldPlan:
    """Fold what is older than the recent messages, or if nothing is, than the newest."""
    older = _foldable(window, policy.recent_message_count) or _foldable(window, policy.newest_message_count)
    return _slice(older, window, policy)


def _foldable(window: LiveWindow, keep: int) -> list[Message]:
    kept = _indexes(window.kept(keep))
    return [message for message in window.oldest if message.index not in kept]


def _slice(chosen: Sequence[Message], window: LiveWindow, policy: Policy) -> FoldPlan:
    """As much of the chosen messages as one run may take, cut where no tool call is open."""
    room = policy.max_fold_tokens
    taken: list[Message] = []
    for message in chosen:
        room -= live_cost(message.token_count, policy)
        if room < 0 and taken:
            break
        taken.append(message)
    whole = _without_open_calls(taken, window)
    return FoldPlan(tuple(whole), complete=len(taken) == len(chosen))


def _without_open_calls(taken: list[Message], window: LiveWindow) -> list[Message]:
    """Give back messages from the end until every call left has its result among them, or has none at all."""
    while taken:
        inside = _indexes(taken)
        outside = [message for message in (*window.oldest, *window.newest) if message.index not in inside]
        split = _calls(taken) & _results(outside) | _results(taken) & _calls(outside)
        if not split:
            return taken
        first = next(place for place, message in enumerate(taken) if (message.calls | message.results) & split)
        taken = taken[:first]
    return taken


def _calls(messages: Iterable[Message]) -> frozenset[str]:
    return frozenset().union(*(message.calls for message in messages))


def _results(messages: Iterable[Message]) -> frozenset[str]:
    return frozenset().union(*(message.results for message in messages))


def _indexes(messages: Iterable[Message]) -> frozenset[int]:
    return frozenset(message.index for message in messages)


def _cost(messages: Iterable[Message], policy: Policy) -> int:
    return sum(live_cost(message.token_count, policy) for message in messages)


def newest_user_message(messages: Sequence[Message]) -> Message | None:
    return next((message for message in reversed(messages) if message.role is Role.USER), None)
