"""A message as a pack shows it: what it costs there, how it reads as text, and a shorter form of it.

The cost is an upper bound for every rendering, so that a pack which fits its budget still fits in a model's own format.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from apps.engine.language.excerpt import excerpt
from apps.engine.messages.message import MEDIA, Message, Part, PartKind, Role
from apps.engine.tokens.counting import ROLE_TOKENS
from apps.engine.tokens.estimate import estimate_text

# Around a part: the brackets of its text form, or a message of its own and the JSON around a call.
PART_TOKENS = 8
LONGEST_CALL_ID = 40
# Where the formats know no such role in this place, or the text must not pass for the user's own words.
_ROLE_MARKERS = {Role.SYSTEM: "[system] ", Role.TOOL: "[tool] "}
_SIGNS = {
    PartKind.TOOL_CALL: "call",
    PartKind.TOOL_RESULT: "result",
    PartKind.IMAGE: "image",
    PartKind.FILE: "file",
}
# A shorter excerpt would contain little more than its own marker.
LEAST_EXCERPT_TOKENS = 64


def shown_tokens(message: Message) -> int:
    """Tokens of a message as a pack shows it: role, name, content and parts. Reasoning is never shown."""
    frame = ROLE_TOKENS + estimate_text(f"{role_marker(message)}{name_prefix(message)}")
    return frame + estimate_text(message.content) + sum(map(_part_tokens, message.parts))


def role_marker(message: Message) -> str:
    return _ROLE_MARKERS.get(message.role, "")


def name_prefix(message: Message) -> str:
    return f"{message.name}: " if message.name else ""


def display_text(message: Message, but: Container[int] = ()) -> str:
    """The message as text: the content and the parts, `but` those that a format renders otherwise."""
    return "\n".join(text for text in (message.content, *_part_texts(message, but)) if text)


def speaker(message: Message) -> str:
    return f"{message.role.value} ({message.name})" if message.name else message.role.value


def spoken(message: Message) -> str:
    """A message as one paragraph of a text."""
    return f"{speaker(message)}: {display_text(message)}"


def shortened(message: Message, limit: int) -> Message:
    """The message in at most `limit` tokens: its long texts as excerpts, or, with very many parts, one excerpt of all.

    It still takes more where the limit is below the least excerpt and a name.
    """
    over = shown_tokens(message) - limit
    if over <= 0:
        return message
    if any(part.kind in MEDIA for part in message.parts):
        return shortened(_without_oldest_media(message), limit)
    sizes = [estimate_text(message.content), *(estimate_text(part.text) for part in shown_parts(message))]
    level = _level(sizes, sum(sizes) - over)
    if message.parts and level < LEAST_EXCERPT_TOKENS:
        return shortened(replace(message, content=display_text(message), parts=()), limit)
    return replace(
        message,
        content=excerpt(message.content, message.id, level),
        parts=tuple(replace(part, text=excerpt(part.text, message.id, level)) for part in shown_parts(message)),
    )


def _without_oldest_media(message: Message) -> Message:
    """The message with its first image or file named in a text."""
    place = next(place for place, part in enumerate(message.parts) if part.kind in MEDIA)
    named = Part(PartKind.TEXT, part_text(message.parts[place]))
    return replace(message, parts=(*message.parts[:place], named, *message.parts[place + 1 :]))


def shown_parts(message: Message) -> tuple[Part, ...]:
    return tuple(part for part in message.parts if part.kind is not PartKind.REASONING)


def _part_tokens(part: Part) -> int:
    if part.kind is PartKind.REASONING:
        return 0
    return (
        PART_TOKENS
        + part.media_tokens
        + estimate_text(part.call_id[:LONGEST_CALL_ID])
        + estimate_text(part.label if part.kind in MEDIA else part.name)
        + estimate_text(part.text)
    )


def _level(sizes: Sequence[int], room: int) -> int:
    """The largest size at which all texts, cut down to it where longer, fit into `room` tokens."""
    left = len(sizes)
    for size in sorted(sizes):
        if size * left > room:
            break
        room -= size
        left -= 1
    return max(0, room // max(1, left))


def _part_texts(message: Message, but: Container[int]) -> Iterator[str]:
    yield from (part_text(part) for place, part in enumerate(message.parts) if place not in but)


def part_text(part: Part) -> str:
    """A part as text; empty for reasoning, which is never shown."""
    if part.kind in (PartKind.TEXT, PartKind.REASONING):
        return part.text if part.kind is PartKind.TEXT else ""
    named = part.label if part.kind in MEDIA else part.name
    return f"[{_SIGNS[part.kind]} {named}] {part.text}"
