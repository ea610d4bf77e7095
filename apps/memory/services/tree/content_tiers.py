"""Abstract and overview of a node at write time: a person's own, or extractive ones that a model may rewrite."""

from __future__ import annotations

from apps.common.errors import Unprocessable
from apps.engine.memory.tiers import ABSTRACT_TOKENS, OVERVIEW_TOKENS, abstract, overview
from apps.engine.tokens.counting import count_text
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.memory.models import MemNode
from apps.memory.services.tree.node_snapshot import PERSON
from apps.memory.services.tree.node_storage import STALE, is_directory

MODEL_TRIES = 3
_UNTOLD = ""
_TIERS = (("abstract", ABSTRACT_TOKENS), ("overview", OVERVIEW_TOKENS))


def tiers_of_content(row: MemNode, *, by_model: bool = True) -> None:
    """Derive abstract and overview from the content. A content as short as an abstract is its own."""
    row.l0_abstract, row.l1_overview = abstract(row.l2_content), overview(row.l2_content)
    row.tiers_by = OFFLINE_MODEL
    later = by_model and count_text(row.l2_content) > ABSTRACT_TOKENS
    row.tiers_of = _UNTOLD if later else row.content_hash
    row.tries_left = MODEL_TRIES if later else 0


def tiers_complete(row: MemNode) -> None:
    """Derive the missing tiers of a memory older than the tree; a person's texts are preserved."""
    written = row.l0_abstract, row.l1_overview
    tiers_of_content(row)
    _keep(row, *written)


def tiers_restore(row: MemNode, told_abstract: str | None, told_overview: str | None) -> None:
    """Derive a tier that a person cleared; the other is preserved if a person wrote it.

    A directory's tiers are compiled together from its content.
    """
    if "" not in (told_abstract, told_overview):
        return
    by_hand, old = row.tiers_by == PERSON, (row.l0_abstract, row.l1_overview)
    tiers_of_content(row)
    if is_directory(row):
        row.tiers_of = STALE
    elif by_hand:
        kept_abstract = old[0] if told_abstract is None and old[0] != row.l0_abstract else None
        kept_overview = old[1] if told_overview is None and old[1] != row.l1_overview else None
        _keep(row, kept_abstract, kept_overview)


def tiers_of_person(row: MemNode, abstract: str | None, overview: str | None) -> None:
    """Store a person's texts, which remain until the content changes."""
    tiers_check(abstract or "", overview or "")
    _keep(row, abstract, overview)


def _keep(row: MemNode, abstract: str | None, overview: str | None) -> None:
    if abstract:
        row.l0_abstract = abstract
    if overview:
        row.l1_overview = overview
    if abstract or overview:
        row.tiers_by, row.tiers_of, row.tries_left = PERSON, row.content_hash, 0


def tiers_check(abstract: str, overview: str) -> None:
    """Reject a text longer than its tier."""
    for (name, limit), text in zip(_TIERS, (abstract, overview), strict=True):
        if count_text(text) > limit:
            raise Unprocessable(f"The {name} is longer than {limit:,} tokens.", code=f"{name}_too_long")
