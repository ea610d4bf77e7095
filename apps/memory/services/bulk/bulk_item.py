"""An item of a bulk create: a draft with its position in the batch, its future owner and its trust."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.engine.memory.trust import Trust, is_low
from apps.memory.models import Operation, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.services.tree.change_sets import Change
from apps.memory.services.tree.node_drafts import NodeDraft


@dataclass(frozen=True, slots=True)
class BulkItem:
    """A draft with its position in the batch and its future owner."""

    position: int
    draft: NodeDraft
    owner_id: UUID | None
    uri: str
    above: tuple[str, ...]
    trust: Trust = Trust.DIRECT_USER

    @property
    def waits(self) -> bool:
        """Whether it arrives as a proposal; what is compiled is in use, and low trust keeps it out of packs."""
        return self.draft.is_proposed or (is_low(self.trust) and not self.draft.is_compiled)


def item_sources(change: Change, item: BulkItem) -> Sequence[SourceRecord]:
    """Return the draft's sources and the import; without an import, the draft's sources or else the author."""
    kind = SourceKind.IMPORT if change.cause.operation == Operation.IMPORT else SourceKind.PERSON
    reference = change.cause.change if kind is SourceKind.IMPORT else change.cause.actor_id
    own = SourceRecord(kind.value, str(reference))
    sources = [*item.draft.sources, own] if kind is SourceKind.IMPORT else item.draft.sources or [own]
    return list(dict.fromkeys(sources))
