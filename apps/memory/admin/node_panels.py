"""Panels on a memory's page: sources, history, decay and search passages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.accounts.models import User
from apps.common.admin_base import change_link, label_of, list_url
from apps.common.ids import parse_id
from apps.engine.memory.decay import DAY, relevance_at
from apps.engine.policy import Policy
from apps.memory.models import Embedding, MemNode, MemRevision, MemSource, Passage, SourceKind
from apps.memory.records.tree import strength_of

_REVISIONS = 20
_DAYS = (30, 90, 365)
_LISTS = {
    SourceKind.MESSAGE: "conversations.Message",
    SourceKind.NODE: "memory.MemNode",
    SourceKind.PERSON: "accounts.User",
}
"""Models of the admin lists in which sources of each kind are shown."""
FIELDS = {
    "owner": "owner",
    "uri": "address",
    "l0_abstract": "abstract",
    "l1_overview": "overview",
    "l2_content": "content",
    "tags": "tags",
    "trust": "trust",
    "arrival": "arrival",
    "merged_into": "merged into",
    "merged_from": "merged from",
    "archived_at": "archived",
    "occurred_at": "date",
    "tiers_by": "abstract and overview by",
    "base_relevance": "base relevance",
    "last_access": "last access",
    "access_count": "uses",
    "sources": "sources",
}
"""Labels of revision fields, in display order."""
TRUST_LABELS = {
    "direct_user": "said by a person",
    "model_inference": "inferred",
    "tool": "from a tool",
    "imported": "imported",
}


def fading(row: MemNode, policy: Policy) -> str:
    """Format the future relevance of a memory."""
    strength = strength_of(row)
    if strength.exempt:
        return "Unchanged."
    now = timezone.now().timestamp()
    values = [f"{relevance_at(strength, now + days * DAY, policy):.2f} in {days} days" for days in _DAYS]
    return ", ".join(values)


def _written_by(writer: str) -> str:
    return "written without a model" if writer in ("engine", "offline") else f"written by {writer}"


def tiers(row: MemNode) -> str:
    made = _written_by(row.tiers_by) if row.tiers_by else "not written yet"
    return made if row.tiers_of == row.content_hash else f"{made}, updating"


def sources(row: MemNode) -> SafeString:
    rows = MemSource.objects.filter(node_id=row.pk).order_by("id")
    return render_to_string("console/sources.html", {"sources": [(one.kind, source_link(one)) for one in rows]})


def source_link(source: MemSource) -> SafeString | str:
    """Link to the source if it is a row, else return its reference."""
    label = _LISTS.get(SourceKind(source.kind))
    if label is None or parse_id(source.reference) is None:
        return source.reference
    url = list_url(label, id__exact=source.reference)
    return format_html('<a class="console-link" href="{}">{}</a>', url, source.reference)


def revisions(row: MemNode) -> SafeString:
    """Render the newest revisions, each linked to its page."""
    found = MemRevision.objects.filter(node_id=row.pk).select_related("actor").order_by("-number")[:_REVISIONS]
    lines = [(change_link(one, f"v{one.number}"), changed(one), writer(one), one) for one in found]
    return render_to_string("console/revisions.html", {"lines": lines})


def changed(revision: MemRevision) -> str:
    """Return the labels of the changed fields; empty for the first revision, which sets all."""
    return ", ".join(FIELDS[name] for name in FIELDS if name in revision.after) if revision.number > 1 else ""


def writer(revision: MemRevision) -> str:
    person: User | None = revision.actor
    return revision.made_by or (label_of(person) if person else "deleted account")


def passage(row: MemNode) -> SafeString | str:
    """Render the search passage and its embeddings."""
    found = Passage.objects.filter(node_id=row.pk).defer("words").first()
    if found is None:
        return "Not indexed: archived, or empty."
    vectors = Embedding.objects.filter(passage_id=found.pk).select_related("space").defer("vector").order_by("id")
    return render_to_string(
        "console/passage.html", {"passage": found, "link": change_link(found, "passage"), "vectors": _vectors(vectors)}
    )


def _vectors(rows: Iterable[Embedding]) -> list[tuple[SafeString, Any]]:
    return [(change_link(one, f"{one.space.model}, {one.space.dimension} numbers"), one.space.state) for one in rows]
