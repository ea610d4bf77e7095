"""The reply in no-model mode: quotes of the lines that match the message best, each with its source.

It contains no generated text and is deterministic: the same pack always gives the same reply.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.engine.language.sentences import sentences_of
from apps.engine.language.similarity import normalized, stems
from apps.engine.language.small_talk import is_greeting
from apps.engine.messages.message import Message, Role
from apps.engine.messages.parsing import clipped, tool_texts
from apps.engine.pack.context_pack import ContextPack
from apps.engine.summary.rendering import FIELD_HEADINGS, entry_text

NO_MODEL = "No model is connected"
ADD_KEY = "[Add a key](/settings/models)"
INTRODUCTION = f"""\
Hello! I'm Continuity. Older messages of a chat become a summary that you can read and correct, and what you pin or \
save as memory is always sent to the model.

{NO_MODEL} yet, so I only quote what's saved. Ask me about something from this chat or your memory. {ADD_KEY} for real \
answers."""
NO_MATCHES = f"{NO_MODEL}, and I found nothing about this in the chat or your memory. {ADD_KEY} for real answers."
QUOTED = f"{NO_MODEL}, so I can only quote what's saved. Closest matches:"
_MAX_QUOTES = 5
_MAX_QUOTE_CHARACTERS = 280
_MAX_READ_CHARACTERS = 20_000
_CHUNK_LENGTH = 24
# Words by which people ask for a kind of line, whatever its text.
_KINDS = {
    "goals": "goal aim purpose",
    "decisions": "decision decide decided choose chose chosen agreed",
    "requirements": "requirement require must constraint",
    "current_plan": "plan next step todo",
    "open_questions": "question open unresolved undecided",
    "definitions": "definition mean meaning term",
    "references": "reference link file url",
    "preference": "preference prefer",
    "fact": "fact know",
    "constraint": "constraint must",
    "definition": "definition mean meaning term",
    "decision": "decision decide decided choose chose chosen agreed",
    "requirement": "requirement require must",
    "reference": "reference link file url",
}
_SPEAKERS = {Role.USER: "you", Role.ASSISTANT: "the assistant", Role.TOOL: "a tool", Role.SYSTEM: "the system"}


@dataclass(frozen=True, slots=True)
class Quotable:
    """A line that may be quoted; `about` are the stems of its words and of its kind."""

    text: str
    source: str
    about: frozenset[str]


def offline_reply(pack: ContextPack) -> str:
    """Compose the reply to the pack's current message."""
    question = pack.current.content if pack.current else ""
    if is_greeting(question):
        return INTRODUCTION
    matches = best_lines(stems(question), list(quotable_lines(pack)))
    if not matches:
        return NO_MATCHES
    quotes = [f"- “{clipped(line.text, _MAX_QUOTE_CHARACTERS)}” ({line.source})" for line in matches]
    return "\n".join([QUOTED, "", *quotes])


def quotable_lines(pack: ContextPack) -> Iterator[Quotable]:
    """Lines of the pack except the current message: pins, memory, summary, then messages, newest first."""
    for pin in pack.pins:
        yield _quotable(pin.content, f"pinned {pin.category}", pin.category)
    for item in pack.user_memory:
        yield _quotable(f"{item.key}: {item.content}", f"your memory, {item.type}", item.type)
    for field, entry in pack.summary.entries():
        yield _quotable(entry_text(entry), f"summary, {FIELD_HEADINGS[field].lower()}", field)
    for message in reversed(pack.recent):
        yield from _sentences(message)


def best_lines(query_stems: frozenset[str], lines: Sequence[Quotable]) -> list[Quotable]:
    """The lines that share most stems with the query, weighted by rarity (IDF), without duplicates."""
    frequency = Counter(stem for line in lines for stem in line.about & query_stems)
    scores = [sum(math.log(1 + len(lines) / frequency[stem]) for stem in line.about & query_stems) for line in lines]
    ranked = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda place: -scores[place])
    chosen: dict[str, Quotable] = {}
    for place in ranked:
        chosen.setdefault(_dedup_key(lines[place].text), lines[place])
    return list(chosen.values())[:_MAX_QUOTES]


def chunks(text: str) -> Iterator[str]:
    """Split a text into small chunks at word boundaries.

    >>> list(chunks("one two three four five six seven"))
    ['one two three four five ', 'six seven']
    """
    start = 0
    while start < len(text):
        end = text.rfind(" ", start, start + _CHUNK_LENGTH) + 1 or start + _CHUNK_LENGTH
        end = len(text) if len(text) - start <= _CHUNK_LENGTH else end
        yield text[start:end]
        start = end


def _sentences(message: Message) -> Iterator[Quotable]:
    source = f"message {message.index + 1}, {message.name or _SPEAKERS[message.role]}"
    if message.role is Role.TOOL:
        for text in tool_texts(message):
            for line in text[:_MAX_READ_CHARACTERS].splitlines():
                if line.strip():
                    yield _quotable(line, source, "")
        return
    sentences, blocks = sentences_of(message.content[:_MAX_READ_CHARACTERS])
    for sentence in sentences:
        yield _quotable(sentence.text, source, "")
    for block in blocks:
        yield _quotable(block.text, source, "")


def _quotable(text: str, source: str, kind: str) -> Quotable:
    line = normalized(text)
    return Quotable(line, source, stems(f"{line} {_KINDS.get(kind, '')}"))


def _dedup_key(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
