"""Tables of pins, user memory, the memory tree and its search index."""

from apps.memory.models.passages import (
    Embedding,
    EmbeddingBatch,
    EmbeddingSpace,
    MemSweep,
    Passage,
    SpaceState,
    SweepStep,
)
from apps.memory.models.pins import PinCategory, PinnedMemory
from apps.memory.models.tree import (
    Decision,
    MemAccess,
    MemConflict,
    MemNode,
    MemRevision,
    MemSource,
    MemTombstone,
    NodeType,
    Operation,
    Proposal,
    SourceKind,
)
from apps.memory.models.user_memory import UserMemory, UserMemoryType

__all__ = [
    "Decision",
    "Embedding",
    "EmbeddingBatch",
    "EmbeddingSpace",
    "MemAccess",
    "MemConflict",
    "MemNode",
    "MemRevision",
    "MemSource",
    "MemSweep",
    "MemTombstone",
    "NodeType",
    "Operation",
    "Passage",
    "PinCategory",
    "PinnedMemory",
    "Proposal",
    "SourceKind",
    "SpaceState",
    "SweepStep",
    "UserMemory",
    "UserMemoryType",
]
