"""The overview of a conversation: the lines of its rolling summary, or sentences chosen from its messages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from apps.engine.extraction.own_words import without_private
from apps.engine.extraction.refusal import names_secret
from apps.engine.extraction.titles import public_title
from apps.engine.extraction.wording import Vocabulary, Wording
from apps.engine.language.similarity import normalized
from apps.engine.language.truncation import truncated
from apps.engine.memory.tiers import abstract
from apps.engine.messages.message import Message, Role
from apps.engine.policy import Level, Policy
from apps.engine.summary.extractive import summarize
from apps.engine.summary.rendering import (
    BY_ANYONE,
    SECTION_HEADINGS,
    by_section,
    entry_text,
    labelled,
    without_label,
)
from apps.engine.summary.rolling_summary import RollingSummary, without_sources
from apps.engine.summary.trust.prompt_injection import orders_the_model

SHORTEST = 4
"""Messages that a conversation needs for an overview without a summary."""
_READ_CHARACTERS = 60_000
_FIRST, _LAST, _QUOTE_TOKENS = 3, 2, 60
_ROLES = (Role.USER, Role.ASSISTANT)
_UNTITLED = "Conversation"

Redact = Callable[[Sequence[str]], Sequence[str]]
"""Replaces the secrets in texts that follow each other."""


@dataclass(frozen=True, slots=True)
class SessionOverview:
    """The text, and the ids of the messages that it comes from, oldest mention first."""

    text: str
    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Withheld:
    """What an overview may not contain: secrets, what only the `private` messages support, and what cites an `unread`
    one."""

    redact: Redact = list
    private: frozenset[str] = frozenset()
    unread: frozenset[str] = frozenset()


def summary_overview(
    title: str, summary: RollingSummary, withheld: Withheld = Withheld(), *, is_shared: bool = False
) -> SessionOverview:
    """The overview by a rolling summary. Where others write too (`is_shared`), no line is the user's own.

    >>> from apps.engine.summary.rolling_summary import Line
    >>> print(summary_overview("Shop", RollingSummary(goals=(Line("Open in May", ("m1",)),))).text)
    # Shop
    <BLANKLINE>
    ## Goals
    - Open in May
    """
    sections = _sections(without_sources(summary, withheld.private), is_shared=is_shared)
    read = [(heading, [line for line in lines if withheld.unread.isdisjoint(line[1])]) for heading, lines in sections]
    return _written(title, read, withheld.redact)


def messages_overview(
    title: str,
    messages: Sequence[Message],
    policy: Policy,
    withheld: Withheld = Withheld(),
    *,
    is_shared: bool = False,
) -> SessionOverview:
    """The overview of a conversation that has no summary; empty if it is short or says nothing in words."""
    read = _redacted([_readable(message) for message in _newest(messages)], withheld.redact)
    read = [message for message in read if message.content.strip()]
    if len(messages) < SHORTEST or not read:
        return SessionOverview("", ())
    sections = _sections(summarize(RollingSummary(), read, Level.LIGHT, policy), is_shared=is_shared)
    quotes = list(_quotes(read, is_shared=is_shared))
    if is_shared:
        [(heading, lines)] = sections
        return _written(title, [(heading, [*lines, *quotes])], withheld.redact)
    return _written(title, [*sections, ("Messages", quotes)], withheld.redact)


def lines_with_words_of(contents: Iterable[str], overviews: Iterable[str]) -> frozenset[str]:
    """The lines of overviews, but headings, that have a word or number of messages with these contents.

    >>> lines_with_words_of(["Seats are counted."], ["## Messages\\n- user: Count seats\\n- user: Open in May"])
    frozenset({'- user: Count seats'})
    """
    vocabulary = Vocabulary.of(contents)
    lines = {line for text in overviews for line in text.splitlines() if not line.startswith("## ")}
    read = ((line, Wording.of(without_label(line))) for line in lines)
    return frozenset(line for line, wording in read if vocabulary.shares(wording.words, wording.numbers))


def without_lines(text: str, removed: Collection[str]) -> str:
    lines = text.splitlines()
    left = [line for line in lines if line not in removed]
    return text if left == lines else "\n".join(left).strip()


_Line = tuple[str, tuple[str, ...]]
_Section = tuple[str, list[_Line]]


def _newest(messages: Sequence[Message]) -> list[Message]:
    """What people and the assistant wrote: the first messages, and the newest as far as they are read."""
    spoken = [message for message in messages if message.role in _ROLES]
    newest: list[Message] = []
    remaining = _READ_CHARACTERS
    for message in reversed(spoken[_FIRST:]):
        remaining -= len(message.content)
        if remaining < 0:
            break
        newest.append(message)
    return [*spoken[:_FIRST], *reversed(newest)]


def _readable(message: Message) -> Message:
    """A message without its private parts and anything but its text."""
    return replace(message, content=without_private(message.content)[:_READ_CHARACTERS], parts=())


def _redacted(messages: Sequence[Message], redact: Redact) -> list[Message]:
    texts = redact([message.content for message in messages])
    return [replace(message, content=text) for message, text in zip(messages, texts, strict=True)]


def _sections(summary: RollingSummary, *, is_shared: bool) -> list[_Section]:
    """The lines by field; where others write too, as one section."""
    if is_shared:
        return [(BY_ANYONE, [(labelled(field, entry), tuple(entry.sources)) for field, entry in summary.entries()])]
    return [
        (SECTION_HEADINGS[name], [(normalized(entry_text(entry)), tuple(entry.sources)) for _, entry in entries])
        for name, entries in by_section(summary).items()
    ]


def _quotes(messages: Sequence[Message], *, is_shared: bool) -> Iterator[_Line]:
    """How the conversation began and ended."""
    users = [message for message in messages if message.role is Role.USER][:_FIRST]
    chosen = {message.id: message for message in (*users, *messages[-_LAST:])}
    for message in sorted(chosen.values(), key=lambda one: one.index):
        if quote := truncated(abstract(message.content), _QUOTE_TOKENS):
            yield f"{_speaker(message, is_shared=is_shared)}: {quote}", (message.id,)


def _speaker(message: Message, *, is_shared: bool) -> str:
    return "a member" if is_shared and message.role is Role.USER else message.role.value


def _written(title: str, sections: Sequence[_Section], redact: Redact) -> SessionOverview:
    storable = [(heading, list(_storable(lines, redact))) for heading, lines in sections]
    filled = [(heading, lines) for heading, lines in storable if lines]
    if not filled:
        return SessionOverview("", ())
    parts = ["\n".join([f"## {heading}", *(f"- {text}" for text, _ in lines)]) for heading, lines in filled]
    ids = dict.fromkeys(one for _, lines in filled for _, sources in lines for one in sources)
    return SessionOverview("\n\n".join([f"# {_storable_title(title, redact)}", *parts]), tuple(ids))


def _storable(lines: Sequence[_Line], redact: Redact) -> Iterator[_Line]:
    for text, sources in lines:
        (redacted,) = redact([text])
        if _may_be_stored(redacted):
            yield redacted, sources


def _storable_title(title: str, redact: Redact) -> str:
    (redacted,) = redact([public_title(title)])
    return redacted if redacted and not orders_the_model(redacted) else _UNTITLED


def _may_be_stored(text: str) -> bool:
    return not names_secret(text) and not orders_the_model(text)
