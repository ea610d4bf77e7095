"""Simulation of automatic compaction over streams of messages of known sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from apps.engine.compaction.plan import LiveWindow, is_due, live_tokens, plan_automatic
from apps.engine.messages.message import Message, Part, PartKind, Role
from apps.engine.policy import Policy

# Roles and tokens of the messages of a turn; compaction runs after the turn.
Turn = Sequence[tuple[Role, int]]
_CALL_TOKENS = 60
_SIZES = (40, 90, 15, 160, 60, 25, 300, 80)


@dataclass(frozen=True, slots=True)
class Outcome:
    """`run_tokens` are the tokens compacted by each run, `live` the live tokens at the end, `highest` their maximum."""

    turns: int
    messages: int
    tokens: int
    run_tokens: tuple[int, ...]
    live: int
    highest: int

    @property
    def runs_per_turn(self) -> float:
        return len(self.run_tokens) / self.turns if self.turns else 0.0

    @property
    def compacted_per_run(self) -> float:
        return sum(self.run_tokens) / len(self.run_tokens) if self.run_tokens else 0.0


STREAMS: dict[str, Sequence[Turn]] = {
    "chat with a model": [
        [(Role.USER, _SIZES[turn % 8]), (Role.ASSISTANT, 250 + 3 * _SIZES[(turn * 3) % 8])] for turn in range(100)
    ],
    "agent loop": [
        [
            (Role.USER, 80),
            *((role, tokens) for step in range(25) for role, tokens in ((Role.ASSISTANT, 0), (Role.TOOL, 700 + step))),
            (Role.ASSISTANT, 300),
        ]
        for _ in range(8)
    ],
    "chat about code": [[(Role.USER, 600), (Role.ASSISTANT, 900 + 250 * (turn % 5))] for turn in range(40)],
    "a paste of 30,000": [
        *([(Role.USER, 60), (Role.ASSISTANT, 300)] for _ in range(10)),
        [(Role.USER, 30_000), (Role.ASSISTANT, 500)],
        *([(Role.USER, 60), (Role.ASSISTANT, 300)] for _ in range(10)),
    ],
    "12 × 9,000": [[(Role.USER, 9_000), (Role.ASSISTANT, 9_000)] for _ in range(6)],
    "200 × 50": [[(Role.USER, 50), (Role.ASSISTANT, 50)] for _ in range(100)],
}


def simulate(turns: Iterable[Turn], policy: Policy) -> Outcome:
    """Play the turns; after each, run all compactions that are due.

    >>> outcome = simulate(STREAMS["200 × 50"], Policy())
    >>> outcome.messages, outcome.tokens, len(outcome.run_tokens), outcome.live < 8_000
    (200, 10000, 1, True)
    """
    live: list[Message] = []
    run_tokens: list[int] = []
    turn_count = seen = tokens = highest = 0
    numbers = count()
    for turn_count, turn in enumerate(turns, 1):  # noqa: B007  # counted for what comes after the loop
        messages = list(_messages(turn, numbers))
        live, seen, tokens = (
            live + messages,
            seen + len(messages),
            tokens + sum(message.token_count for message in messages),
        )
        highest = max(highest, live_tokens(live, policy))
        while batch := next_compaction(live, seen, policy):
            compacted_ids = {message.id for message in batch}
            run_tokens.append(live_tokens(batch, policy))
            live = [message for message in live if message.id not in compacted_ids]
    return Outcome(turn_count, seen, tokens, tuple(run_tokens), live_tokens(live, policy), highest)


def _messages(turn: Turn, numbers: Iterator[int]) -> Iterator[Message]:
    """Yield the messages of a turn; an assistant message of zero tokens is a tool call for the next tool message."""
    call = ""
    for role, tokens in turn:
        number = next(numbers)
        calls = role is Role.ASSISTANT and not tokens
        call = f"call-{number}" if calls else call
        kind = PartKind.TOOL_CALL if calls else PartKind.TOOL_RESULT
        parts = (Part(kind, call_id=call),) if calls or role is Role.TOOL else ()
        yield Message(str(number), number, role, "", tokens or _CALL_TOKENS, parts=parts)


def next_compaction(live: Sequence[Message], seen: int, policy: Policy) -> Sequence[Message]:
    """Messages that an automatic compaction would replace now, or none; `seen` counts all messages so far."""
    users = [message for message in live if message.role is Role.USER]
    window = LiveWindow(seen, live_tokens(live, policy), tuple(live), tuple(live), users[-1] if users else None)
    if not is_due(window, policy):
        return ()
    return plan_automatic(window, policy.level_for(window.live_tokens), policy).messages
