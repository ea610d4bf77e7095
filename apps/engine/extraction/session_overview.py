"""The overview of a conversation: the lines of its rolling summary, or sentences chosen from its messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.engine.extraction.clauses import Clause
from apps.engine.extraction.judgement import contains_secret
from apps.engine.extraction.own_words import Span, private_spans
from apps.engine.language.similarity import normalized
from apps.engine.language.truncation import truncated
from apps.engine.memory.tiers import abstract
from apps.engine.messages.message import Message, Role
from apps.engine.policy import Level, Policy
from apps.engine.summary.extractive import summarize
from apps.engine.summary.prompt_injection import orders_the_model
from apps.engine.summary.rendering import FIELD_HEADINGS, entry_text
from apps.engine.summary.rolling_summary import RollingSummary, without_sources

SHORTEST = 4
"""Messages that a conversation needs for an overview without a summary."""
_READ_CHARACTERS = 60_000
_FIRST, _LAST, _QUOTE_TOKENS = 3, 2, 60
_ROLES = (Role.USER, Role.ASSISTANT)


@dataclass(frozen=True, slots=True)
class SessionOverview:
    """The text, and the ids of the messages that it comes from, oldest mention first."""

    text: str
    message_ids: tuple[str, ...]


def summary_overview(title: str, summary: RollingSummary, private_ids: frozenset[str] = frozenset()) -> SessionOverview:
    """The overview by a rolling summary, without lines that only messages with private parts support.

    >>> from apps.engine.summary.rolling_summary import Line
    >>> print(summary_overview("Shop", RollingSummary(goals=(Line("Open in May", ("m1",)),))).text)
    # Shop
    <BLANKLINE>
    ## Goals
    - Open in May
    """
    return _written(title, list(_fields(without_sources(summary, private_ids))))


def messages_overview(title: str, messages: Sequence[Message], policy: Policy) -> SessionOverview:
    """The overview of a conversation that has no summary; empty if it is short or says nothing in words."""
    read = [_readable(message) for message in _newest(messages)]
    read = [message for message in read if message.content.strip()]
    if len(messages) < SHORTEST or not read:
        return SessionOverview("", ())
    sections = list(_fields(summarize(RollingSummary(), read, Level.LIGHT, policy)))
    return _written(title, [*sections, ("Messages", list(_quotes(read)))])


_Line = tuple[str, tuple[str, ...]]


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
    text, place, parts = message.content, 0, []
    for span in private_spans(text):
        parts.append(text[place : span.start])
        place = span.end
    return replace(message, content="".join((*parts, text[place:]))[:_READ_CHARACTERS], parts=())


def _fields(summary: RollingSummary) -> Iterator[tuple[str, list[_Line]]]:
    for name, heading in FIELD_HEADINGS.items():
        entries = getattr(summary, name)
        yield heading, [(normalized(entry_text(entry)), tuple(entry.sources)) for entry in entries]


def _quotes(messages: Sequence[Message]) -> Iterator[_Line]:
    """How the conversation began and ended."""
    users = [message for message in messages if message.role is Role.USER][:_FIRST]
    chosen = {message.id: message for message in (*users, *messages[-_LAST:])}
    for message in sorted(chosen.values(), key=lambda one: one.index):
        if quote := truncated(abstract(message.content), _QUOTE_TOKENS):
            yield f"{message.role.value}: {quote}", (message.id,)


def _written(title: str, sections: Sequence[tuple[str, list[_Line]]]) -> SessionOverview:
    storable = [(heading, [line for line in lines if _may_be_stored(line[0])]) for heading, lines in sections]
    filled = [(heading, lines) for heading, lines in storable if lines]
    if not filled:
        return SessionOverview("", ())
    parts = ["\n".join([f"## {heading}", *(f"- {text}" for text, _ in lines)]) for heading, lines in filled]
    ids = dict.fromkeys(one for _, lines in filled for _, sources in lines for one in sources)
    return SessionOverview("\n\n".join([f"# {normalized(title)}", *parts]), tuple(ids))


def _may_be_stored(text: str) -> bool:
    secret = contains_secret(Clause(0, len(text), text, Span(0, len(text))))
    return not secret and not orders_the_model(text)
