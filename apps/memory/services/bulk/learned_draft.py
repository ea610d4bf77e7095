"""A memory that a program found in what people said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.engine.memory.relations import Related
from apps.memory.services.tree.node_drafts import NodeDraft, Origin


@dataclass(frozen=True, slots=True)
class LearnedDraft:
    """A memory to add. `made_by` is the program that found it, `quote` the words that state it, and `context` those
    before them; `target` is a model's advice on the memory that it repeats or replaces, and `endings` has the chance of
    each statement with which it was compared that it no longer holds. `is_undated`: the date of the words is only that
    of their import. `confirms_import`: a person says that these words are their own, so that a proposal with them from
    an import is accepted."""

    draft: NodeDraft
    origin: Origin
    made_by: str
    quote: str = ""
    context: str = ""
    target: Related | None = None
    endings: Mapping[str, float] = field(default_factory=dict)
    is_undated: bool = False
    confirms_import: bool = False
