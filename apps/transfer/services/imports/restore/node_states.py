"""The use and the short tiers that memories of our own export had."""

from __future__ import annotations

from math import inf

from apps.conversations.field_checks import BadMessage
from apps.memory.models.tree import LONGEST_TAG
from apps.memory.services.bulk.restore import NodeState
from apps.transfer.formats.fields import Fields, date_of, number_of, required_date, short_of, texts_of, verbatim_of


def state_in(fields: Fields, node: Fields) -> NodeState | None:
    """What a memory had beside its content; None if the file does not say."""
    return _state(fields, node) if fields else None


def _state(fields: Fields, node: Fields) -> NodeState:
    strength = fields.get("base_relevance")
    if not isinstance(strength, int | float) or isinstance(strength, bool) or not abs(strength) < inf:
        raise BadMessage("wrong_type", "base_relevance must be a number")
    return NodeState(
        base_relevance=strength,
        last_access=date_of(fields, "last_access"),
        access_count=number_of(fields, "access_count"),
        created_at=required_date(fields, "created_at"),
        abstract=verbatim_of(fields, "abstract"),
        overview=verbatim_of(fields, "overview"),
        tiers_by=short_of(fields, "tiers_by", 120),
        occurred_at=date_of(node, "occurred_at"),
        tags=tuple(tag[:LONGEST_TAG] for tag in texts_of(node, "tags")),
    )
