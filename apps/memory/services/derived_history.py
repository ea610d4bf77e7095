"""Removal of words from a derived leaf and from its history, when a message that they come from is no longer there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from apps.common.models import Json
from apps.common.tenancy import current_workspace_id
from apps.engine.memory.addresses import Address
from apps.engine.memory.tiers import abstract, overview
from apps.memory.models import MemNode, MemRevision, Operation
from apps.memory.selectors.nodes import in_tree
from apps.memory.services.events import memory_announce
from apps.memory.services.index.passages import node_passages_sync
from apps.memory.services.tree.change_sets import tiers_schedule
from apps.memory.services.tree.content_tiers import tiers_of_content
from apps.memory.services.tree.node_snapshot import PERSON, derive
from apps.memory.services.tree.node_storage import directories_clear, is_directory, rows_write

Rewrite = Callable[[str], str]


def derived_leaf_rewrite(row: MemNode, rewrite: Rewrite) -> None:
    """Rewrite the text of a leaf and of all its revisions in place. The caller has locked the tree and the row.

    No revision is added: it would contain the words that are removed.
    """
    if is_directory(row):
        return
    is_changed = _history_rewrite(row.id, rewrite)
    is_changed |= _text_rewrite(row, rewrite(row.l2_content))
    if is_changed:
        _directories_clear(row)


def program_texts(node_id: UUID) -> frozenset[str]:
    """All texts of a leaf that a program wrote."""
    return _texts_of(_writes(node_id).exclude(made_by=""))


def imported_texts(node_id: UUID) -> frozenset[str]:
    """All texts of a leaf that an import wrote."""
    return _texts_of(_writes(node_id).filter(operation=Operation.IMPORT))


def _writes(node_id: UUID) -> QuerySet[MemRevision]:
    return MemRevision.objects.filter(node_id=node_id, after__has_key="l2_content")


def _texts_of(revisions: QuerySet[MemRevision]) -> frozenset[str]:
    return frozenset(after["l2_content"] for after in revisions.values_list("after", flat=True))


def _text_rewrite(row: MemNode, text: str) -> bool:
    if text == row.l2_content:
        return False
    row.l2_content = text
    derive(row)
    if row.tiers_by == PERSON:
        row.tiers_of = row.content_hash
    else:
        tiers_of_content(row, by_model=False)
    rows_write([row])
    node_passages_sync([row])
    memory_announce(workspace_id=current_workspace_id(), rows=[row])
    return True


def _history_rewrite(node_id: UUID, rewrite: Rewrite) -> bool:
    """Rewrite the texts of the revisions; return whether one changed."""
    state: Json = {}
    is_changed = False
    for one in MemRevision.objects.filter(node_id=node_id).order_by("number"):
        before = _rewritten(one.before, state := state | one.before, rewrite)
        after = _rewritten(one.after, state := state | one.after, rewrite)
        if (before, after) != (one.before, one.after):
            MemRevision.objects.filter(pk=one.pk).update(before=before, after=after)
            is_changed = True
    return is_changed


def _rewritten(values: Json, state: Json, rewrite: Rewrite) -> Json:
    """The values with the rewritten content and what is derived from it, which a person's abstracts are not."""
    content = state.get("l2_content", "")
    text = rewrite(content)
    if text == content:
        return values
    new: dict[str, Any] = {"l2_content": text}
    if state.get("tiers_by") != PERSON:
        new |= {"l0_abstract": abstract(text), "l1_overview": overview(text)}
    return values | {name: value for name, value in new.items() if name in values}


def _directories_clear(row: MemNode) -> None:
    """Clear the overviews above, which may quote the leaf."""
    above = [one.text for one in Address(row.uri).ancestors]
    directories_clear(list(in_tree(row.owner_id).filter(uri__in=above).values_list("id", flat=True)))
    tiers_schedule()
