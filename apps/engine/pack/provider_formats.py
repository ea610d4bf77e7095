"""Render a pack for a model's API: plain text, OpenAI messages, or Anthropic system and messages.

Tool calls and results stay structured if the results directly follow the reply that made the calls. Any other call or
result (its counterpart compacted, excluded, or answered later) is rendered as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import Any

from apps.engine.messages.display import LONGEST_CALL_ID, name_prefix, part_text, role_marker, spoken
from apps.engine.messages.media import MediaBlock, anthropic_block, openai_block
from apps.engine.messages.message import MEDIA, Message, Part, PartKind, Role
from apps.engine.messages.tool_arguments import arguments_object, arguments_text
from apps.engine.pack.context_pack import EPOCH_SECTIONS, ContextPack
from apps.engine.pack.recent_window import OPENING
from apps.engine.pack.retrieved import retrieved_text
from apps.engine.summary.rendering import BETWEEN_SECTIONS

Payload = dict[str, Any]
Piece = str | Payload
"""A text, or a block as the provider has it."""
_SENDS_MEDIA = frozenset({Role.USER, Role.TOOL})
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]+")
_LONGEST_NAME = 64
_LONGEST_ID_BEFORE_NUMBER = 32
_NO_OUTPUT = "(no output)"
_BREAKPOINT = {"type": "ephemeral"}


def leading_text(pack: ContextPack) -> str:
    """Everything before the messages, section after section, in the documented order."""
    return BETWEEN_SECTIONS.join(section for section in pack.sections.values() if section.strip())


def pack_messages(pack: ContextPack) -> tuple[Message, ...]:
    """The messages to send. Retrieved items form a separate message, so the current message stays unchanged."""
    current = (pack.current,) if pack.current else ()
    return (*pack.recent, *_retrieved_message(pack), *current)


def render_plain(pack: ContextPack) -> str:
    """Render one text: the leading sections, then one paragraph per message, each after a sign."""
    recent, current = [*map(spoken, pack.recent)], [spoken(pack.current)] if pack.current else []
    sign = _turn_sign([*recent, *current])
    before, last = ([f"{sign} {turn}" for turn in turns] for turns in (recent, current))
    parts = (leading_text(pack), *before, retrieved_text(pack.retrieved), *last)
    return BETWEEN_SECTIONS.join(part for part in parts if part)


def render_transcript(pack: ContextPack) -> tuple[str, str]:
    """Render instructions and a transcript, for providers without a message format; a sign starts each turn."""
    turns = [spoken(message) for message in pack_messages(pack)]
    sign = _turn_sign(turns)
    opening = f"A conversation: each turn begins with {sign} and who speaks. Go on as the assistant, without a mark."
    return leading_text(pack), BETWEEN_SECTIONS.join((opening, *(f"{sign} {turn}" for turn in turns)))


def _turn_sign(turns: Iterable[str]) -> str:
    """A sign that begins no line of any message, so that no text can impersonate a turn."""
    sign_runs = (len(line) - len(line.lstrip("§")) for turn in turns for line in turn.splitlines())
    return "§" * (1 + max(sign_runs, default=0))


def render_openai(pack: ContextPack) -> Payload:
    """Render the `messages` of a chat completion."""
    leading = leading_text(pack)
    messages: list[Payload] = [{"role": "system", "content": leading}] if leading else []
    for turn in _turns(pack, openai_block):
        messages.extend(_openai_result(part, wire_id) for part, wire_id in turn.parts(PartKind.TOOL_RESULT))
        rendered = [_openai_message(message, pieces) for message, pieces in turn.contents() if pieces]
        if calls := [_openai_call(part, wire_id) for part, wire_id in turn.parts(PartKind.TOOL_CALL)]:
            rendered = rendered or [{"role": "assistant", "content": None}]
            rendered[-1]["tool_calls"] = calls
        messages.extend(rendered)
    return {"messages": messages}


def render_anthropic(pack: ContextPack) -> Payload:
    """Render `system` and `messages` of the messages API: roles alternate, the user comes first, no block is blank.

    Cache breakpoints are set where a later pack may differ: after the sections that outlive a compaction, after the
    sections of the epoch, and before and after the newest turn.
    """
    rendered: list[Payload] = []
    for turn in _turns(pack, anthropic_block):
        role = "assistant" if turn.by_assistant else "user"
        blocks = list(_anthropic_blocks(turn))
        if not rendered and blocks and turn.by_assistant:
            rendered.append({"role": "user", "content": [{"type": "text", "text": OPENING}]})
        if rendered and rendered[-1]["role"] == role:
            rendered[-1]["content"].extend(blocks)
        elif blocks:
            rendered.append({"role": role, "content": blocks})
    # Retrieved items are not repeated in the next pack, so the turn that includes them is not cacheable.
    for message in rendered[-2 : -1 if pack.retrieved else None]:
        _break_after(message["content"])
    system = list(_anthropic_system(pack))
    return {"system": system, "messages": rendered} if system else {"messages": rendered}


def _retrieved_message(pack: ContextPack) -> tuple[Message, ...]:
    if pack.current is None or not pack.retrieved:
        return ()
    return (Message("", pack.current.index, Role.USER, retrieved_text(pack.retrieved), pack.tokens["just_in_time"]),)


class _Turn:
    """Adjacent messages of one side; `wire_ids` are the ids of calls and results that stay structured, by position;
    `media_block` makes a block of an image or a file, or None where the format has none for it."""

    def __init__(self, messages: Iterable[Message], media_block: MediaBlock) -> None:
        self.messages = list(messages)
        self.media_block = media_block
        self.by_assistant = self.messages[0].role is Role.ASSISTANT
        self.wire_ids: list[dict[int, str]] = [{} for _ in self.messages]

    def places(self, kind: PartKind) -> dict[str, tuple[int, int]]:
        """Position of the first part of a kind in this turn, by call id."""
        places: dict[str, tuple[int, int]] = {}
        for number, message in enumerate(self.messages):
            for place, part in enumerate(message.parts):
                if part.kind is kind and part.call_id:
                    places.setdefault(part.call_id, (number, place))
        return places

    def contents(self) -> Iterator[tuple[Message, list[Piece]]]:
        """What each message shows, in its order: texts, and the images and files that the format holds as they are."""
        for message, ids in zip(self.messages, self.wire_ids, strict=True):
            others = (part for place, part in enumerate(message.parts) if place not in ids)
            pieces = (piece for part in others for piece in self._pieces(message, part))
            yield message, _joined([message.content, *pieces])

    def _pieces(self, message: Message, part: Part) -> Iterator[Piece]:
        """A part as it is, with its caption, or as text; formats hold media only where a user sends them."""
        is_sent = part.kind in MEDIA and message.role in _SENDS_MEDIA
        block = self.media_block(part) if is_sent else None
        yield part_text(part) if block is None else block
        if block is not None and part.url:
            yield part.text

    def parts(self, kind: PartKind) -> Iterator[tuple[Part, str]]:
        for message, ids in zip(self.messages, self.wire_ids, strict=True):
            for place, wire_id in sorted(ids.items()):
                if message.parts[place].kind is kind:
                    yield message.parts[place], wire_id


def _turns(pack: ContextPack, media_block: MediaBlock) -> list[_Turn]:
    sides = groupby(pack_messages(pack), key=lambda message: message.role is Role.ASSISTANT)
    turns = [_Turn(messages, media_block) for _, messages in sides]
    used: dict[str, int] = {}
    for asking, answering in pairwise(turns):
        if asking.by_assistant:
            _pair(asking, answering, used)
    return turns


def _pair(asking: _Turn, answering: _Turn, used: dict[str, int]) -> None:
    results = answering.places(PartKind.TOOL_RESULT)
    for call_id, (number, place) in asking.places(PartKind.TOOL_CALL).items():
        if call_id in results:
            answer_number, answer_place = results[call_id]
            wire_id = _fresh_id(call_id, used)
            asking.wire_ids[number][place] = answering.wire_ids[answer_number][answer_place] = wire_id


def _joined(pieces: Iterable[Piece], between: str = "\n") -> list[Piece]:
    """The pieces with neighboring texts as one, and without empty ones."""
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if isinstance(piece, str) and isinstance(last, str):
            joined[-1] = f"{last}{between}{piece}" if piece else last
        elif piece:
            joined.append(piece)
    return joined


def _fresh_id(call_id: str, used: dict[str, int]) -> str:
    """An id that every API accepts. Some models restart their call ids in every reply, so ids are made unique."""
    wanted = fresh = _NOT_IN_NAMES.sub("_", call_id)[:LONGEST_CALL_ID]
    while fresh in used:
        used[wanted] += 1
        fresh = f"{wanted[:_LONGEST_ID_BEFORE_NUMBER]}_{used[wanted]}"
    used[fresh] = 1
    return fresh


def _openai_result(part: Part, wire_id: str) -> Payload:
    return {"role": "tool", "tool_call_id": wire_id, "content": part.text}


def _openai_message(message: Message, pieces: list[Piece]) -> Payload:
    """Render a message's texts and media; a tool message becomes a marked user message."""
    is_tool = message.role is Role.TOOL
    shown = _joined([role_marker(message), *pieces], between="") if is_tool else pieces
    is_text = all(isinstance(piece, str) for piece in shown)
    blocks = [{"type": "text", "text": piece} if isinstance(piece, str) else piece for piece in shown]
    body: Payload = {"role": "user" if is_tool else message.role.value, "content": shown[0] if is_text else blocks}
    return {**body, "name": _plain_name(message.name)} if message.name else body


def _openai_call(part: Part, wire_id: str) -> Payload:
    function = {"name": _plain_name(part.name), "arguments": arguments_text(part.text)}
    return {"id": wire_id, "type": "function", "function": function}


def _anthropic_system(pack: ContextPack) -> Iterator[Payload]:
    """The sections before the messages: a block that outlives compactions, then a block of the epoch."""
    sections = {part: text for part, text in pack.sections.items() if text.strip()}
    stable_texts = [text for part, text in sections.items() if part not in EPOCH_SECTIONS]
    epoch_texts = [text for part, text in sections.items() if part in EPOCH_SECTIONS]
    for texts, end in ((stable_texts, BETWEEN_SECTIONS if epoch_texts else ""), (epoch_texts, "")):
        if texts:
            yield {"type": "text", "text": BETWEEN_SECTIONS.join(texts) + end, "cache_control": dict(_BREAKPOINT)}


def _break_after(blocks: list[Payload]) -> None:
    blocks[-1] = {**blocks[-1], "cache_control": dict(_BREAKPOINT)}


def _anthropic_blocks(turn: _Turn) -> Iterator[Payload]:
    """Results, then text, then calls: the only order that is valid for both sides."""
    for part, wire_id in turn.parts(PartKind.TOOL_RESULT):
        content = part.text if part.text.strip() else _NO_OUTPUT
        result = {"type": "tool_result", "tool_use_id": wire_id, "content": content}
        yield {**result, "is_error": True} if part.is_error else result
    for message, pieces in turn.contents():
        before = f"{role_marker(message)}{name_prefix(message)}"
        for piece in pieces:
            if not isinstance(piece, str):
                yield piece
            elif piece.strip():
                yield {"type": "text", "text": f"{before}{piece}"}
                before = ""
    for part, wire_id in turn.parts(PartKind.TOOL_CALL):
        name = _plain_name(part.name)
        yield {"type": "tool_use", "id": wire_id, "name": name, "input": arguments_object(part.text)}


def _plain_name(name: str) -> str:
    return _NOT_IN_NAMES.sub("_", name)[:_LONGEST_NAME] or "tool"
