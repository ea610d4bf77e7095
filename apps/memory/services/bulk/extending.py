"""Changes of a known memory by new words: they extend one that says less, unless a person wrote or edited it.

Those of a confirmed import accept one that waits from an import.
"""

from __future__ import annotations

from apps.engine.memory.trust import Arrival, Trust, may_merge
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors.nodes import sources_of
from apps.memory.services.bulk.learned_draft import LearnedDraft
from apps.memory.services.tree.archive import row_confirm, waits_from_import
from apps.memory.services.tree.change_sets import Change
from apps.memory.services.tree.edit import changes_apply


def may_replace(learned: LearnedDraft, row: MemNode) -> bool:
    """Whether the words are in use and trusted enough to change what the memory says or to take its place."""
    return learned.origin.arrival is Arrival.ACCEPTED and may_merge(learned.origin.trust, Trust(row.trust))


def may_accept(learned: LearnedDraft, row: MemNode) -> bool:
    """Whether the memory waits from an import, and a person says that its words are their own."""
    return learned.confirms_import and learned.origin.arrival is Arrival.ACCEPTED and waits_from_import(row)


def accept(change: Change, learned: LearnedDraft, row: MemNode) -> None:
    """Put such a memory in use; the caller stores the change."""
    row_confirm(change, row, learned.origin.trust)
    change.give_sources(row, [*sources_of([row.id]).get(row.id, ()), *learned.draft.sources])


def may_extend(learned: LearnedDraft, row: MemNode) -> bool:
    """Whether the memory was found in words, and no person has written or edited it."""
    if not may_replace(learned, row) or row.valid_from is None:
        return False
    return not MemRevision.objects.filter(node_id=row.id, made_by="", after__has_key="l2_content").exists()


def extend(change: Change, learned: LearnedDraft, row: MemNode) -> None:
    """Let the memory say what the new words add; the caller stores the change."""
    change.open(row)
    changes_apply(row, {"content": learned.draft.content})
    change.give_sources(row, [*sources_of([row.id]).get(row.id, ()), *learned.draft.sources])
