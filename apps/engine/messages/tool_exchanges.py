"""Messages that belong together: a reply with its tool calls, and the messages that bring their results."""

from __future__ import annotations

from collections.abc import Iterable

from apps.engine.messages.message import Message, PartKind

# Messages that are compacted, or appear in a pack, together or not at all.
Exchange = list[Message]


def exchanges(messages: Iterable[Message]) -> list[Exchange]:
    """Each message with those it shares tool calls and results with, oldest first; by their oldest message.

    A result answers the latest preceding call with its id: some models restart their numbering in every reply.
    """
    groups: dict[int, Exchange] = {}
    asked: dict[str, int] = {}
    for message in messages:
        groups[message.index] = [message]
        for part in message.parts:
            if part.kind is PartKind.TOOL_CALL and part.call_id:
                asked[part.call_id] = message.index
            elif part.kind is PartKind.TOOL_RESULT and part.call_id in asked:
                _join(groups, asked[part.call_id], message.index)
    whole = {id(group): group for group in groups.values()}
    return [sorted(group, key=lambda message: message.index) for group in whole.values()]


def _join(groups: dict[int, Exchange], one: int, other: int) -> None:
    """The smaller moves into the larger, so that many joins stay cheap."""
    if groups[one] is groups[other]:
        return
    small, large = sorted((groups[one], groups[other]), key=len)
    large.extend(small)
    for message in small:
        groups[message.index] = large
