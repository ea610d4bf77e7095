"""The reply in no-model mode: one or two quotes that match the message best, each with its source.

A line matches by the words that it shares with the message, and by meaning if search found it or a message that it is
from. The reply contains no generated text and is deterministic: the same input always gives the same reply.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from apps.engine.language.chit_chat import is_greeting
from apps.engine.language.sentences import sentences_of
from apps.engine.language.similarity import normalized, stems
from apps.engine.messages.canned_replies import (
    ABOUT_YOU,
    CHOOSE,
    FORGOTTEN,
    INTRODUCTION,
    NO_MATCHES,
    NOTHING_TO_FORGET,
    QUOTED,
)
from apps.engine.messages.message import Message, Role
from apps.engine.messages.parsing import clipped, tool_texts
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.retrieved import RetrievedItem
from apps.engine.reading.about_me import asks_about_self
from apps.engine.summary.rendering import FIELD_HEADINGS, entry_text

# Lines that match as well as the second best are quoted too, up to the larger number: all decisions, if asked for them.
_QUOTES, _MAX_QUOTES = 2, 5
# Below this share of the message's words a line that search did not find matches by accident.
_MIN_SHARED_WORDS = 0.25
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
    """A line that may be quoted; `about` are the stems of its words and of its kind, `ids` those of what it is from:
    itself and its messages."""

    text: str
    source: str
    about: frozenset[str]
    ids: frozenset[str] = frozenset()
    is_of_message: bool = False


def forget_notice(*, forgotten: int, to_choose: int) -> str:
    """What became of a message's request to forget."""
    if forgotten:
        return FORGOTTEN
    return CHOOSE if to_choose else NOTHING_TO_FORGET


def offline_reply(pack: ContextPack, found: Sequence[RetrievedItem] = (), notice: str = "") -> str:
    """Compose the reply to the pack's current message.

    `found` is what search found for it, with scores; nothing if nothing is relevant. A `notice` is all that is said.
    """
    if notice:
        return notice
    question = pack.current.content if pack.current else ""
    if is_greeting(question):
        return INTRODUCTION
    if asks_about_self(question) and (known := list(_about_user(pack))):
        return "\n".join([ABOUT_YOU, "", *(_quote(line, {}) for line in known)])
    matches = best_lines(stems(question), list(quotable_lines(pack, found)), _meanings(found))
    if not matches:
        return NO_MATCHES
    corrections = {one.id: one.correction for one in found if one.correction}
    return "\n".join([QUOTED, "", *(_quote(line, corrections) for line in matches)])


def _about_user(pack: ContextPack) -> Iterator[Quotable]:
    """What every pack says about the person, each line once."""
    yield from _user_memory(pack)
    for memory in (*pack.identity, *pack.preference_memories):
        yield _quotable(memory.short or memory.text, f"memory, {memory.address}", "", memory.id)


def _user_memory(pack: ContextPack) -> Iterator[Quotable]:
    for item in pack.user_memory:
        yield _quotable(f"{item.key}: {item.content}", f"your memory, {item.type}", item.type, item.id)


def _quote(line: Quotable, corrections: Mapping[str, str]) -> str:
    """The line with its source, and with what superseded it."""
    notes = [corrections[one] for one in sorted(line.ids) if one in corrections]
    quote = f"- “{clipped(line.text, _MAX_QUOTE_CHARACTERS)}” ({line.source})"
    return " ".join([quote, *(clipped(note, _MAX_QUOTE_CHARACTERS) for note in notes)])


def quotable_lines(pack: ContextPack, found: Sequence[RetrievedItem] = ()) -> Iterator[Quotable]:
    """Lines of the pack except the current message, and of what was found: pins, memory, summary, then messages, newest
    first."""
    for pin in pack.pins:
        yield _quotable(pin.content, f"pinned {pin.category}", pin.category, pin.id, pin.message_id or "")
    yield from _user_memory(pack)
    for memory in (one for one in found if one.is_memory and one.origin):
        yield _quotable(memory.text, f"memory, {memory.origin}", "", memory.id)
    for field, entry in pack.summary.entries():
        yield _quotable(entry_text(entry), f"summary, {FIELD_HEADINGS[field].lower()}", field, *entry.sources)
    for message in reversed(pack.recent):
        yield from _sentences(message)
    yield from _found_sentences(pack, found)


def best_lines(
    query_stems: frozenset[str], lines: Sequence[Quotable], meanings: Mapping[str, float] | None = None
) -> list[Quotable]:
    """The lines that match the query best, without duplicates, one of each message.

    `meanings` are shares of the best search score, by id.
    """
    found = meanings or {}
    scores = [_score(line, words, found) for line, words in zip(lines, _word_shares(query_stems, lines), strict=True)]
    ranked = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda place: -scores[place])
    chosen: dict[str, int] = {}
    quoted: set[str] = set()
    for place in ranked:
        line = lines[place]
        if _dedup_key(line.text) not in chosen and not (line.is_of_message and line.ids & quoted):
            chosen[_dedup_key(line.text)] = place
            quoted |= line.ids
    places = list(chosen.values())[:_MAX_QUOTES]
    worst = scores[places[:_QUOTES][-1]] if places else 0.0
    return [lines[place] for place in places if scores[place] >= worst]


def _score(line: Quotable, words: float, meanings: Mapping[str, float]) -> float:
    """Shared words and meaning together, from 0 to 2."""
    meaning = max((meanings.get(one, 0.0) for one in line.ids), default=0.0)
    if not meaning and words < _MIN_SHARED_WORDS:
        return 0.0
    return round(words + meaning, 6)


def _meanings(found: Sequence[RetrievedItem]) -> dict[str, float]:
    best = max((one.score for one in found), default=0.0)
    return {one.id: one.score / best for one in found if one.score > 0} if best > 0 else {}


def _word_shares(query_stems: frozenset[str], lines: Sequence[Quotable]) -> Iterator[float]:
    """The share of the query's stems that each line has, weighted by rarity (IDF)."""
    frequency = Counter(stem for line in lines for stem in line.about & query_stems)
    weights = {stem: math.log(1 + len(lines) / max(1, frequency[stem])) for stem in query_stems}
    whole = sum(weights.values())
    for line in lines:
        yield sum(weights[stem] for stem in line.about & query_stems) / whole if whole else 0.0


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
    for text in _texts_of(message):
        yield _of_message(text, source, message.id)


def _texts_of(message: Message) -> Iterator[str]:
    if message.role is Role.TOOL:
        for text in tool_texts(message):
            yield from (line for line in text[:_MAX_READ_CHARACTERS].splitlines() if line.strip())
    else:
        yield from _sentence_texts(message.content)


def _found_sentences(pack: ContextPack, found: Sequence[RetrievedItem]) -> Iterator[Quotable]:
    """Sentences of messages that search found and the pack doesn't include."""
    shown = {message.id for message in pack.recent} | ({pack.current.id} if pack.current else set())
    for item in found:
        if item.index is not None and item.id not in shown:
            for text in _sentence_texts(item.text):
                yield _of_message(text, _found_source(item, item.index), item.id)


def _found_source(item: RetrievedItem, index: int) -> str:
    message = f"message {index + 1}"
    if not item.conversation_id:
        return message
    return f"“{item.conversation_title}”, {message}" if item.conversation_title else f"another chat, {message}"


def _sentence_texts(text: str) -> Iterator[str]:
    sentences, blocks = sentences_of(text[:_MAX_READ_CHARACTERS])
    yield from (sentence.text for sentence in sentences)
    yield from (block.text for block in blocks)


def _quotable(text: str, source: str, kind: str, *ids: str) -> Quotable:
    line = normalized(text)
    return Quotable(line, source, stems(f"{line} {_KINDS.get(kind, '')}"), frozenset(filter(None, ids)))


def _of_message(text: str, source: str, message_id: str) -> Quotable:
    line = normalized(text)
    return Quotable(line, source, stems(line), frozenset((message_id,)), is_of_message=True)


def _dedup_key(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
