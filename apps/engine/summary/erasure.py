"""Removal of everything that a summary's versions hold of one permanently deleted message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from apps.engine.summary.carry_over import RemovedLine
from apps.engine.summary.corrections import entry_gist
from apps.engine.summary.rendering import entry_text
from apps.engine.summary.rolling_summary import FIELDS, RollingSummary


@dataclass(frozen=True, slots=True)
class ErasedLines:
    """The lines that cite a deleted message, in any version, by their texts and by their texts without a reason.

    A line with further sources goes too: nobody can know which of its words came from which message.
    """

    message_id: str
    texts: frozenset[tuple[str, str]]
    gists: frozenset[str]

    @classmethod
    def of(cls, versions: Iterable[RollingSummary], message_id: str) -> ErasedLines:
        cited = {
            (field, entry) for summary in versions for field, entry in summary.entries() if message_id in entry.sources
        }
        return cls(
            message_id,
            frozenset((field, entry_text(entry)) for field, entry in cited),
            frozenset(entry_gist(entry) for _, entry in cited),
        )

    def removed_from(self, summary: RollingSummary) -> RollingSummary:
        """
        >>> from apps.engine.summary.rolling_summary import Line
        >>> summary = RollingSummary(goals=(Line("ship", ("a",)), Line("test", ("b",))), dismissed=("ship",))
        >>> ErasedLines.of([summary], "a").removed_from(summary)
        ... # doctest: +NORMALIZE_WHITESPACE, +ELLIPSIS
        RollingSummary(goals=(Line(text='test', sources=('b',), corrected=False, reported=False),), ..., dismissed=())
        """
        kept: dict[str, Any] = {
            field: tuple(entry for entry in getattr(summary, field) if self.message_id not in entry.sources)
            for field in FIELDS
        }
        return replace(summary, **kept, dismissed=tuple(text for text in summary.dismissed if text not in self.gists))

    def removed_from_history(self, removed: Iterable[RemovedLine]) -> tuple[RemovedLine, ...]:
        """Return a version's removed lines without the erased ones."""
        return tuple(line for line in removed if (line.field, line.text) not in self.texts)
