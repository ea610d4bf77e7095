"""Edits of memories."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Unprocessable
from apps.common.secrets.redaction import redacted
from apps.memory.models import MemNode, Operation
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.nodes import node_lock, require_writable
from apps.memory.selectors.tree import node_get
from apps.memory.selectors.tree_locks import trees_share
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.content_tiers import tiers_of_content, tiers_of_person, tiers_restore
from apps.memory.services.tree.corrections import correction_begin
from apps.memory.services.tree.node_checks import content_check, date_check, require_current, require_usable, tags_check
from apps.memory.services.tree.node_snapshot import derive
from apps.memory.services.tree.node_storage import is_directory

NodeChanges = Mapping[str, Any]
"""Any of `content`, `abstract`, `overview`, `tags`, `occurred_at`; absent fields are unchanged."""


def node_edit(
    actor: Actor, *, node_id: UUID, changes: NodeChanges, version: int | None, reason: str = ""
) -> NodeRecord:
    """Edit the given version. Abstract and overview follow the content unless a person wrote them."""
    trees_share([actor.person_id, None])
    row = node_lock(actor, node_id)
    require_writable(actor, [row], as_author=True)
    require_usable(row)
    require_current(row, version)
    changes = without_secrets(changes)
    change = Change(Cause(Operation.EDIT, actor.user_id, reason))
    change.open(row)
    if changes.get("content", row.l2_content) != row.l2_content:
        correction_begin(change, row, changes["content"])
    changes_apply(row, changes)
    change.store()
    return node_get(actor, row.id)


def without_secrets(changes: NodeChanges) -> NodeChanges:
    """The changes with a content as it may be stored; everything else is derived from it."""
    return {**changes, "content": redacted(changes["content"])} if "content" in changes else changes


def changes_apply(row: MemNode, changes: NodeChanges) -> None:
    """Set the changed values, which have no secrets, of a row. The caller has opened it in a change and stores that."""
    content = changes.get("content", row.l2_content)
    if content != row.l2_content:
        if is_directory(row):
            raise Unprocessable("A folder cannot have content.", code="directory_without_content")
        content_check(content)
        row.l2_content = content
        derive(row)
        tiers_of_content(row)
    tiers_restore(row, changes.get("abstract"), changes.get("overview"))
    tiers_of_person(row, changes.get("abstract"), changes.get("overview"))
    row.tags = list(dict.fromkeys(changes.get("tags", row.tags)))
    tags_check(row.tags)
    _date(row, changes.get("occurred_at"))


def _date(row: MemNode, occurred_at: datetime | None) -> None:
    """Set the fact's date, from which relevance decays until the first access."""
    if occurred_at is None:
        return
    date_check(occurred_at)
    row.occurred_at = occurred_at
    if not row.access_count:
        row.last_access = occurred_at
