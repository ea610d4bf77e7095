"""Search of the current summaries by all of the given words, matched literally."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from apps.compaction.models import ConversationContext
from apps.conversations.records import Snippet
from apps.conversations.selectors.search import snippet_of
from apps.engine.summary.rendering import entry_text
from apps.engine.summary.rolling_summary import summary_from_json


@dataclass(frozen=True, slots=True)
class LineMatch:
    """A line of a summary; `title` is that of the conversation."""

    conversation_id: UUID
    title: str
    field: str
    snippet: Snippet


def summary_lines_with(titles: Mapping[UUID, str], words: Sequence[str], limit: int) -> list[LineMatch]:
    """The lines of these conversations' current summaries that contain all of the words; newest summary first."""
    rows = ConversationContext.objects.filter(conversation_id__in=list(titles))
    for word in words:
        # Only a filter: the stored form escapes quotes and has the names of the fields too.
        if word.isalnum() and word.isascii():
            rows = rows.filter(rolling_summary__icontains=word)
    lines = (
        line for row in rows.order_by("-last_compaction_at", "-id").iterator() for line in _lines(row, titles, words)
    )
    return list(islice(lines, limit))


def _lines(row: ConversationContext, titles: Mapping[UUID, str], words: Sequence[str]) -> Iterator[LineMatch]:
    for field, entry in summary_from_json(row.rolling_summary).entries():
        text = entry_text(entry)
        if all(word.casefold() in text.casefold() for word in words):
            yield LineMatch(row.conversation_id, titles[row.conversation_id], field, snippet_of(text, words[0]))
