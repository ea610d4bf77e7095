"""A transcript as the messages of a conversation: what the user wrote, and of the agent's work what is worth reading.

Of a turn remain the prompt, the agent's first and last words, its tool calls with short arguments, and digests of their
results. Reasoning and the agent's own bookkeeping are omitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from apps.engine.language.excerpt import omission_note, shortened
from apps.engine.messages.message import Message, Part, PartKind, Role, message_tokens
from apps.engine.messages.tool_arguments import arguments_object, compact
from apps.engine.messages.tool_digest import result_digest
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN
from apps.engine.transcripts.entries import Block, BlockKind, Entry
from apps.engine.transcripts.prompts import prompt_of, without_inserted

LONGEST_MESSAGE_TOKENS = 50_000
RESULTS = ":results"
"""At the end of the ids of messages with results."""
MOST_CALLS = 60
"""Tool calls of a turn that remain; of more, the first and the last ones."""
_LONGEST_ARGUMENT, _LONGEST_RESULT, _LONGEST_ERROR = 120, 300, 600
_MOST_ARGUMENTS = 12
_LONGEST_NAME, _LONGEST_CALL_ID = 120, 200


@dataclass(frozen=True, slots=True)
class CondensedMessage:
    """A message, and when it was written."""

    message: Message
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Compaction:
    """A compaction by the agent itself, with the summary that replaced the messages before it."""

    uuid: str
    trigger: str
    pre_tokens: int
    summary: str
    at: datetime | None


@dataclass
class _Turn:
    """The agent's part of a turn: its texts, and its calls in order with their results."""

    texts: list[tuple[Entry, str]] = field(default_factory=list)
    calls: list[tuple[Entry, Block]] = field(default_factory=list)
    results: dict[str, Block] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        for block in entry.blocks:
            if block.kind is BlockKind.TOOL_RESULT:
                self.results.setdefault(block.call_id, block)
            elif block.kind is BlockKind.TOOL_USE and block.name:
                self.calls.append((entry, block))
        if text := without_inserted(entry_text(entry)) if entry.kind == "assistant" else "":
            self.texts.append((entry, text))

    def answered(self) -> _Turn:
        """The turn without calls that have no result yet."""
        return replace(self, calls=[one for one in self.calls if one[1].call_id in self.results])


def condensed(history: Sequence[Entry], *, is_continued: bool = False) -> list[CondensedMessage]:
    """Condense a conversation's entries, oldest first; `is_continued` if they continue what was condensed before.

    Calls of the last turn without results are omitted: a longer history has both.
    """
    messages: list[CondensedMessage] = []
    turn = _Turn()
    for entry in history:
        prompt = _opening_summary(entry, is_first=not (messages or is_continued)) or prompt_of(entry)
        if prompt:
            messages += [*_condensed_turn(turn), _message(entry, _role(entry), prompt)]
            turn = _Turn()
        else:
            turn.add(entry)
    messages += _condensed_turn(turn.answered())
    return [_numbered(one, index) for index, one in enumerate(messages)]


def compactions_of(history: Sequence[Entry]) -> list[Compaction]:
    """The compactions in a history; each summary follows its boundary."""
    found: list[Compaction] = []
    for place, entry in enumerate(history):
        if entry.boundary is not None:
            following = history[place + 1 : place + 2]
            summary = "\n\n".join(entry_text(one) for one in following if one.is_compact_summary)
            boundary = entry.boundary
            found.append(Compaction(entry.uuid, boundary.trigger, boundary.pre_tokens, summary, entry.at))
    return found


def _opening_summary(entry: Entry, *, is_first: bool) -> str:
    """The agent's summary, where the file no longer contains what it replaced."""
    return entry_text(entry) if is_first and entry.is_compact_summary else ""


def _role(entry: Entry) -> Role:
    return Role.SYSTEM if entry.is_compact_summary else Role.USER


def entry_text(entry: Entry) -> str:
    """The texts of an entry's blocks."""
    return "\n\n".join(block.text for block in entry.blocks if block.kind is BlockKind.TEXT)


def _condensed_turn(turn: _Turn) -> Iterator[CondensedMessage]:
    """The first words with the calls, the results, and the last words."""
    first, last = turn.texts[:1], turn.texts[1:][-1:]
    if not turn.calls:
        yield from (_message(entry, Role.ASSISTANT, text) for entry, text in [*first, *last])
        return
    if first and first[0][0].line > turn.calls[0][0].line and not last:
        first, last = [], first
    opening = first[0] if first else (turn.calls[0][0], "")
    calls = _chosen(turn.calls)
    yield _message(opening[0], Role.ASSISTANT, opening[1], tuple(_call(block) for _, block in calls))
    results = tuple(_result(block, turn.results[block.call_id]) for _, block in calls if block.call_id in turn.results)
    if results:
        yield _message(calls[-1][0], Role.TOOL, "", results)
    yield from (_message(entry, Role.ASSISTANT, text) for entry, text in last)


def _chosen(calls: Sequence[tuple[Entry, Block]]) -> Sequence[tuple[Entry, Block]]:
    half = MOST_CALLS // 2
    return calls if len(calls) <= MOST_CALLS else [*calls[:half], *calls[-half:]]


def _call(block: Block) -> Part:
    arguments = arguments_object(block.text)
    short = {name[:_LONGEST_ARGUMENT]: _short(value) for name, value in list(arguments.items())[:_MOST_ARGUMENTS]}
    return Part(PartKind.TOOL_CALL, compact(short), block.call_id[:_LONGEST_CALL_ID], block.name[:_LONGEST_NAME])


def _short(value: object) -> object:
    if isinstance(value, bool | int | float | None):
        return value
    return _beginning(value if isinstance(value, str) else compact(value), _LONGEST_ARGUMENT)


def _result(call: Block, result: Block) -> Part:
    """The beginning and the end of the output, and more of an error."""
    digest = result_digest(without_inserted(result.text), _LONGEST_ERROR if result.is_error else _LONGEST_RESULT)
    name, call_id = call.name[:_LONGEST_NAME], call.call_id[:_LONGEST_CALL_ID]
    return Part(PartKind.TOOL_RESULT, f"Error: {digest}" if result.is_error else digest, call_id, name)


def _beginning(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _message(entry: Entry, role: Role, content: str, parts: tuple[Part, ...] = ()) -> CondensedMessage:
    """A message with the id of its entry; results get one of their own, since a call may have the same entry."""
    name = f"{entry.uuid}{RESULTS}" if role is Role.TOOL else entry.uuid
    content = shortened(content, omission_note(content, name), LONGEST_MESSAGE_TOKENS * CHARACTERS_PER_TOKEN)
    tokens = message_tokens(content, parts)
    return CondensedMessage(Message(name, 0, role, content, tokens, parts=parts), entry.at)


def _numbered(one: CondensedMessage, index: int) -> CondensedMessage:
    message = one.message
    numbered = Message(message.id, index, message.role, message.content, message.token_count, parts=message.parts)
    return CondensedMessage(numbered, one.at)
