"""Trim an agent's loop to a token limit: choose a form for its history, its loop messages and the current message.

There are eighteen layouts. Of those that fit, the one that loses least wins: a removed token of the current message
weighs four, of the loop two, of the history one. Choosing the cheapest would summarize more than needed. Seed 002.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product

from apps.engine.messages.message import Message, Part, PartKind, Role, message_tokens
from apps.engine.policy import Policy
from apps.engine.summary.digest import digest
from apps.engine.tokens.counting import ROLE_TOKENS
from apps.engine.tokens.estimate import estimate_message, estimate_text

SUMMARY_TOKENS = 1_024


class Section(StrEnum):
    """Messages before this request, the loop's messages since, and the newest of them with its tool results."""

    HISTORY = "history"
    IN_LOOP = "in_loop"
    CURRENT = "current"


class Form(StrEnum):
    """Verbatim, with tool results replaced by the tools' own summaries, or as one summary."""

    FULL = "full"
    TOOL_SUMMARY = "tool_summary"
    SUMMARY = "summary"


FORMS = {
    Section.HISTORY: (Form.FULL, Form.SUMMARY),
    Section.IN_LOOP: tuple(Form),
    Section.CURRENT: tuple(Form),
}
_WEIGHTS = {Section.HISTORY: 1, Section.IN_LOOP: 2, Section.CURRENT: 4}
Layout = Mapping[Section, Form]
Costs = Mapping[Section, Mapping[Form, int]]
LAYOUTS: tuple[Layout, ...] = tuple(dict(zip(FORMS, forms, strict=True)) for forms in product(*FORMS.values()))


class LayoutNotFound(ValueError):
    """No layout fits the limit; `smallest` is the size of the smallest one, `costs` are the tokens of each form."""

    def __init__(self, limit: int, smallest: int, costs: Costs) -> None:
        self.limit, self.smallest, self.costs = limit, smallest, costs
        super().__init__(f"{smallest} tokens are needed at least, the limit is {limit}")


@dataclass(frozen=True, slots=True)
class Loop:
    """Messages of the three sections, each oldest first."""

    history: tuple[Message, ...]
    in_loop: tuple[Message, ...]
    current: tuple[Message, ...]

    def section(self, section: Section) -> tuple[Message, ...]:
        messages: tuple[Message, ...] = getattr(self, section.value)
        return messages


@dataclass(frozen=True, slots=True)
class Trimmed:
    """The result of a trim: `in_loop` are the messages to send, `summary` replaces a history that does not fit.

    `dump_summary` asks for a compaction, because the history will soon not fit.
    """

    layout: Layout
    in_loop: tuple[Message, ...]
    summary: str
    tokens: int
    costs: Costs
    dump_summary: bool


def trim(loop: Loop, limit: int, policy: Policy, *, summary_tokens: int = SUMMARY_TOKENS) -> Trimmed:
    """Fit the loop into `limit` tokens; raises `LayoutNotFound` if no layout fits."""
    costs = costs_of(loop, summary_tokens)
    layout = choose_layout(limit, costs)
    shown = [_render_section(loop, section, layout, costs, policy) for section in (Section.IN_LOOP, Section.CURRENT)]
    uses_summary = layout[Section.HISTORY] is Form.SUMMARY
    return Trimmed(
        layout=layout,
        in_loop=tuple(message for messages in shown for message in messages),
        summary=digest(loop.history, costs[Section.HISTORY][Form.SUMMARY], policy) if uses_summary else "",
        tokens=tokens_of(layout, costs),
        costs=costs,
        dump_summary=should_dump_summary(limit, costs),
    )


def choose_layout(limit: int, costs: Costs) -> Layout:
    """Choose the layout that fits and loses least; on a tie the smaller one, then the one with fewer summaries.

    >>> form = lambda full, tool, summary: {Form.FULL: full, Form.TOOL_SUMMARY: tool, Form.SUMMARY: summary}
    >>> costs = {Section.HISTORY: form(900, 900, 100), Section.IN_LOOP: form(500, 200, 100),
    ...          Section.CURRENT: form(300, 300, 100)}
    >>> [choose_layout(limit, costs)[Section.HISTORY].value for limit in (1_700, 1_699, 1_400, 900)]
    ['full', 'full', 'full', 'summary']
    """
    fitting = [layout for layout in LAYOUTS if tokens_of(layout, costs) <= limit]
    if not fitting:
        raise LayoutNotFound(limit, min(tokens_of(layout, costs) for layout in LAYOUTS), costs)
    return min(fitting, key=lambda layout: (_loss(layout, costs), tokens_of(layout, costs), _summaries(layout)))


def costs_of(loop: Loop, summary_tokens: int) -> dict[Section, dict[Form, int]]:
    """Tokens of each section in each of its forms, reasoning included."""
    return {section: _costs(loop.section(section), summary_tokens) for section in FORMS}


def tokens_of(layout: Layout, costs: Costs) -> int:
    return sum(costs[section][form] for section, form in layout.items())


def should_dump_summary(limit: int, costs: Costs) -> bool:
    """Whether the full history would not fit even with the loop and current message in their shorter forms."""
    in_loop, current = costs[Section.IN_LOOP][Form.TOOL_SUMMARY], costs[Section.CURRENT][Form.TOOL_SUMMARY]
    return costs[Section.HISTORY][Form.FULL] + in_loop + current > limit


def with_tool_summaries(message: Message) -> Message:
    """Replace tool results by the tools' own summaries where they have one."""
    return replace(message, parts=tuple(map(_shorten_result, message.parts)))


def full_tokens(messages: Sequence[Message]) -> int:
    return sum(message_tokens(message.content, message.parts) for message in messages)


def _shorten_result(part: Part) -> Part:
    if part.kind is not PartKind.TOOL_RESULT or not part.summary:
        return part
    return min(part, replace(part, text=part.summary), key=lambda one: estimate_text(one.text))


def _costs(messages: Sequence[Message], summary_tokens: int) -> dict[Form, int]:
    full = full_tokens(messages)
    return {
        Form.FULL: full,
        Form.TOOL_SUMMARY: full_tokens([with_tool_summaries(message) for message in messages]),
        Form.SUMMARY: min(summary_tokens, full),
    }


def _loss(layout: Layout, costs: Costs) -> int:
    return sum(
        _WEIGHTS[section] * (costs[section][Form.FULL] - costs[section][form]) for section, form in layout.items()
    )


def _summaries(layout: Layout) -> int:
    return sum(form is Form.SUMMARY for form in layout.values())


def _render_section(loop: Loop, section: Section, layout: Layout, costs: Costs, policy: Policy) -> Sequence[Message]:
    messages, form = loop.section(section), layout[section]
    if form is Form.FULL or not messages:
        return messages
    if form is Form.TOOL_SUMMARY:
        return [with_tool_summaries(message) for message in messages]
    return [_summary_message(messages, costs[section][form], policy)]


def _summary_message(messages: Sequence[Message], tokens: int, policy: Policy) -> Message:
    """Replace the messages by one assistant message, so that no tool call loses its result."""
    text = digest(messages, tokens - ROLE_TOKENS, policy)
    return Message(messages[-1].id, messages[-1].index, Role.ASSISTANT, text, estimate_message(text))
