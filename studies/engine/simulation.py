"""How often compaction comes, and what it folds, in streams of messages whose sizes are known beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from apps.engine.compaction.plan import LiveWindow, is_due, live_tokens, plan_automatic
from apps.engine.messages.message import Message, Part, PartKind, Role
from apps.engine.policy import Policy

# What a turn brings: messages by role and tokens. It ends before anything is compacted.
Turn = Sequence[tuple[Role, int]]
_CALL_TOKENS = 60
_SIZES = (40, 90, 15, 160, 60, 25, 300, 80)


@dataclass(frozen=True, slots=True)
class Outcome:
    """`folded` are the tokens of each run in its order, `live` those live at the end, `highest` the most there were."""

    turns: int
    messages: int
    tokens: int
    folded: tuple[int, ...]
    live: int
    highest: int

    @property
    def runs_per_turn(self) -> float:
        return len(self.folded) / self.turns if self.turns else 0.0

    @property
    def folded_per_run(self) -> float:
        return sum(self.folded) / len(self.folded) if self.folded else 0.0


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
    """Play the turns; after each, whatever is due is folded to its end, run after run.

    >>> outcome = simulate(STREAMS["200 × 50"], Policy())
    >>> outcome.messages, outcome.tokens, len(outcome.folded), outcome.live < 8_000
    (200, 10000, 1, True)
    """
    live: list[Message] = []
    folded: list[int] = []
    played = seen = tokens = highest = 0
    numbers = count()
    for played, turn in enumerate(turns, 1):  # noqa: B007  # counted for what comes after the loop
        said = list(_messages(turn, numbers))
        live, seen, tokens = live + said, seen + len(said), tokens + sum(message.token_count for message in said)
        highest = max(highest, live_tokens(live, policy))
        while taken := folds_now(live, seen, policy):
            gone = {message.id for message in taken}
            folded.append(live_tokens(taken, policy))
            live = [message for message in live if message.id not in gone]
    return Outcome(played, seen, tokens, tuple(folded), live_tokens(live, policy), highest)


def _messages(turn: Turn, numbers: Iterator[int]) -> Iterator[Message]:
    """An assistant's message without tokens is a call, which the tool's message after it answers."""
    call = ""
    for role, tokens in turn:
        number = next(numbers)
        calls = role is Role.ASSISTANT and not tokens
        call = f"call-{number}" if calls else call
        kind = PartKind.TOOL_CALL if calls else PartKind.TOOL_RESULT
        parts = (Part(kind, call_id=call),) if calls or role is Role.TOOL else ()
        yield Message(str(number), number, role, "", tokens or _CALL_TOKENS, parts=parts)


def folds_now(live: Sequence[Message], seen: int, policy: Policy) -> Sequence[Message]:
    """What the next automatic compaction would fold of these live messages, after so many in all; as a rule nothing."""
    users = [message for message in live if message.role is Role.USER]
    window = LiveWindow(seen, live_tokens(live, policy), tuple(live), tuple(live), users[-1] if users else None)
    if not is_due(window, policy):
        return ()
    return plan_automatic(window, policy.level_for(window.live_tokens), policy).messages
