"""The thread of a conversation: how much lies behind the shown messages, and as much of its summary as is called for.

Where every message stands in full, its goals are enough; the more is hidden, the denser the arc. Seed 003.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from apps.engine.messages.display import speaker, told
from apps.engine.messages.message import Message
from apps.engine.summary.rendering import HEADINGS
from apps.engine.summary.rolling_summary import FIELDS, Entry, RollingSummary

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


def of_density(summary: RollingSummary, density: Density, shown: Container[str]) -> RollingSummary:
    """The summary with the density's fields; of the others what a person wrote, and what no message in `shown` says.

    >>> from apps.engine.summary.rolling_summary import Line
    >>> summary = RollingSummary(requirements=(Line("fast", ("m1",)), Line("cheap", ("m9",))))
    >>> of_density(summary, Density.LIGHT, {"m9"}).requirements
    (Line(text='fast', sources=('m1',), corrected=False),)
    """
    kept: dict[str, Any] = {
        name: tuple(entry for entry in getattr(summary, name) if name in _FIELDS[density] or not _said(entry, shown))
        for name in FIELDS
    }
    return replace(summary, **kept)


def arc_text(said: Sequence[Message], *, hides: bool) -> str:
    """That more was said than what stands in the pack; in a few words what, where that is little and at hand.

    >>> print(arc_text((), hides=True))
    ## Where the conversation stands
    It began earlier: what was said before the messages below is told in short.
    >>> arc_text((), hides=False)
    ''
    """
    if not hides:
        return ""
    lines = list(map(_brief, said)) if 0 < len(said) <= _FEW_MESSAGES else [_BEGAN_EARLIER]
    return "\n".join([HEADINGS["arc"], *lines])


def _said(entry: Entry, shown: Container[str]) -> bool:
    return not entry.corrected and all(source in shown for source in entry.sources)


def _brief(message: Message) -> str:
    """Who, and the first hundred characters of what."""
    words = " ".join(told(message).split())
    return f"- {speaker(message)}: {words[:_BRIEF_CHARACTERS]}{'…' * (len(words) > _BRIEF_CHARACTERS)}"
