"""Memories as they read at an earlier version, from their revisions: deleting a memory deletes these too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models.fields.json import KeyTextTransform

from apps.accounts.actors import Actor
from apps.memory.models import MemRevision
from apps.memory.selectors.nodes import visible_nodes


@dataclass(frozen=True, slots=True)
class PastAbstract:
    """A memory's abstract at a version, whether it has changed since, and its present address and validity."""

    text: str
    is_changed: bool
    uri: str
    valid_to: datetime | None
    archived_at: datetime | None


def abstracts_at(actor: Actor, versions: Mapping[UUID, int]) -> dict[UUID, PastAbstract]:
    """Return the abstracts of those of these memories that the actor can see, each at its version."""
    before = _before_later_changes(versions)
    return {
        row.id: PastAbstract(
            text=before.get(row.id, row.l0_abstract) or row.l2_content,
            is_changed=before.get(row.id, row.l0_abstract) != row.l0_abstract,
            uri=row.uri,
            valid_to=row.valid_to,
            archived_at=row.archived_at,
        )
        for row in visible_nodes(actor).filter(pk__in=versions)
    }


def _before_later_changes(versions: Mapping[UUID, int]) -> dict[UUID, str]:
    """The abstract before the first change of it after each version; memories without such a change are omitted."""
    revisions = MemRevision.objects.filter(node_id__in=versions, before__has_key="l0_abstract")
    revisions = revisions.filter(number__gt=min(versions.values(), default=0)).order_by("-number")
    texts = revisions.annotate(text=KeyTextTransform("l0_abstract", "before")).values_list("node_id", "number", "text")
    return {node_id: text for node_id, number, text in texts if number > versions[node_id]}
