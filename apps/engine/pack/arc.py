"""The arc of a conversation: a short account of what precedes the included messages, and the density of its summary.

The more messages are left out of the pack, the more sections of the rolling summary it includes. Seed 003.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from apps.engine.messages.display import display_text, speaker
from apps.engine.messages.message import Message
from apps.engine.summary.rendering import HEADINGS
from apps.engine.summary.rolling_summary import FIELDS, Entry, RollingSummary
from apps.engine.text.quoting import one_line

_FEW_MESSAGES = 6
_BRIEF_CHARACTERS = 100
_BEGAN_EARLIER = "It began earlier: what was said before the messages below is told in short."


class Density(StrEnum):
    LIGHT = "light"
    RICH = "rich"
    DENSE = "dense"


_FIELDS = {
    Density.LIGHT: ("goals",),
    Density.RICH: ("goals", "decisions", "open_questions"),
    Density.DENSE: FIELDS,
}


def at_density(summary: RollingSummary, density: Density, shown: Container[str]) -> RollingSummary:
    """Filter a summary to the fields of a density, plus corrected lines and lines that no message in `shown` covers.

    >>> from apps.engine.summary.rolling_summary import Line
    >>> summary = RollingSummary(requirements=(Line("fast", ("m1",)), Line("cheap", ("m9",))))
    >>> at_density(summary, Density.LIGHT, {"m9"}).requirements
    (Line(text='fast', sources=('m1',), corrected=False, reported=False),)
    """
    fields: dict[str, Any] = {
        name: tuple(e for e in getattr(summary, name) if name in _FIELDS[density] or not _is_covered(e, shown))
        for name in FIELDS
    }
    return replace(summary, **fields)


def arc_text(messages: Sequence[Message], *, hides: bool) -> str:
    """Note that the conversation started earlier, or list its messages briefly if they are few and loaded.

    >>> print(arc_text((), hides=True))
    ## Where the conversation stands
    It began earlier: what was said before the messages below is told in short.
    >>> arc_text((), hides=False)
    ''
    """
    if not hides:
        return ""
    lines = list(map(_brief, messages)) if 0 < len(messages) <= _FEW_MESSAGES else [_BEGAN_EARLIER]
    return "\n".join([HEADINGS["arc"], *lines])


def _is_covered(entry: Entry, shown: Container[str]) -> bool:
    return not entry.corrected and all(source in shown for source in entry.sources)


def _brief(message: Message) -> str:
    """The speaker and the first hundred characters of the message."""
    words = " ".join(display_text(message).split())
    return f"- {one_line(f'{speaker(message)}: {words[:_BRIEF_CHARACTERS]}')}{'…' * (len(words) > _BRIEF_CHARACTERS)}"
