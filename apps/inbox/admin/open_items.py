"""Admin pages of the inbox: memories that wait for approval, and memories that may contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Protocol
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import Case, CharField, Exists, F, OuterRef, QuerySet, Subquery, UUIDField, When
from django.db.models.functions import Cast, Left
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import DropdownFilter

from apps.accounts.actors import Actor
from apps.common.admin_base import (
    BY_WORKSPACE,
    Card,
    ReadOnlyAdmin,
    choices,
    column,
    excerpt_of,
    link_column,
    list_url,
    plain_text,
)
from apps.common.errors import ContinuityError
from apps.conversations.models import Message
from apps.inbox.admin.source_removal import source_page
from apps.inbox.records import DecisionRecord
from apps.inbox.selectors.open_items import current, proposals_of, undecided
from apps.inbox.services.decisions import inbox_approve, inbox_decline, inbox_replace, inbox_use_both
from apps.memory.admin.bulk_actions import acting_on, refusals_show
from apps.memory.admin.node_panels import TRUST_LABELS
from apps.memory.admin.nodes import TRUST_TONES, CategoryFilter, TrustFilter
from apps.memory.models import Decision, MemConflict, MemNode, MemSource, Proposal, SourceKind

DECISION_TONES = {"open": "warning", "replaced": "success", "both": "success", "declined": "info"}
_QUOTE = 300
_ID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"


class _Service(Protocol):
    def __call__(self, actor: Actor, *, item_ids: Collection[UUID]) -> DecisionRecord: ...


class SourceFilter(DropdownFilter):  # type: ignore[misc]  # unfold has no types
    title = "source"
    parameter_name = "source"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, str]]:
        return [(kind.value, kind.label) for kind in SourceKind]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        of_kind = MemSource.objects.filter(node_id=OuterRef("pk"), kind=self.value())
        return queryset.filter(Exists(of_kind)) if self.value() else queryset


class DecidingAdmin(ReadOnlyAdmin):
    """Base of the lists of what waits: rows are not edited, only decided."""

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("memory.change_memnode"))

    def _decide(
        self, request: HttpRequest, rows: Iterable[Any], service: _Service, node_of: Callable[[Any], MemNode], done: str
    ) -> None:
        """Decide each row as the operator on behalf of its owner; a refusal does not stop the others."""
        count, refused = 0, []
        for row in rows:
            node = node_of(row)
            try:
                with acting_on(request, node) as actor:
                    service(actor, item_ids=[row.pk])
                count += 1
            except ContinuityError as error:
                refused.append(f"{node.uri}: {error.detail}")
        self.message_user(request, f"{count:,} {done}.", messages.SUCCESS if count else messages.WARNING)
        refusals_show(self, request, refused)


@admin.register(Proposal)
class ProposalAdmin(DecidingAdmin):
    list_display = ("statement", "preview", "category", "shown_trust", "owner_link", "workspace_link", "created_at")
    list_filter = (CategoryFilter, TrustFilter, SourceFilter, BY_WORKSPACE)
    list_select_related = ("owner", "workspace")
    id_search = ("id", "owner_id")
    search_fields = ("uri__startswith", "owner__email")
    search_help_text = "Search by id, beginning of the address, or owner's email"
    actions = ("approve", "replace", "use_both", "decline", "take_source_out")
    fieldsets = (
        (None, {"fields": ("uri", ("owner_link", "workspace_link"), ("category", "shown_trust"))}),
        ("Text", {"fields": ("l2_content", "preview")}),
    )
    owner_link = link_column("owner")
    workspace_link = link_column("workspace")

    def label(self, row: Proposal) -> str:
        return row.uri

    def get_queryset(self, request: HttpRequest) -> QuerySet[Proposal]:
        return _with_preview(proposals_of(super().get_queryset(request)))

    @column("statement", order="uri")
    def statement(self, row: Proposal) -> str:
        return excerpt_of(row.l0_abstract) or row.uri

    @column("quote and what it may replace")
    def preview(self, row: Any) -> SafeString:
        return _preview(row.quote, row.earlier_text)

    @column("trust", order="trust", tones=TRUST_TONES)
    def shown_trust(self, row: Proposal) -> str:
        return TRUST_LABELS[row.trust]

    @admin.action(description="Approve", permissions=["decide"])
    def approve(self, request: HttpRequest, queryset: QuerySet[Proposal]) -> None:
        self._decide(request, queryset, inbox_approve, _itself, "approved")

    @admin.action(description="Replace the earlier memory", permissions=["decide"])
    def replace(self, request: HttpRequest, queryset: QuerySet[Proposal]) -> None:
        self._decide(request, queryset, inbox_replace, _itself, "replaced")

    @admin.action(description="Use both memories", permissions=["decide"])
    def use_both(self, request: HttpRequest, queryset: QuerySet[Proposal]) -> None:
        self._decide(request, queryset, inbox_use_both, _itself, "used together")

    @admin.action(description="Decline", permissions=["decide"])
    def decline(self, request: HttpRequest, queryset: QuerySet[Proposal]) -> None:
        self._decide(request, queryset, inbox_decline, _itself, "declined")

    @admin.action(description="Take their source out of use …", permissions=["decide"])
    def take_source_out(self, request: HttpRequest, queryset: QuerySet[Proposal]) -> HttpResponse | None:
        return source_page(self, request, queryset)

    def cards(self) -> Iterable[Card]:
        waiting = proposals_of(MemNode.objects.all()).count()
        note = "not used until approved"
        yield Card("In use", "Memories awaiting approval", f"{waiting:,}", note, list_url(Proposal))


@admin.register(MemConflict)
class MemConflictAdmin(DecidingAdmin):
    list_display = (
        *("later_text", "earlier_text", "reason", "shown_decision", "decided_by_link"),
        *("workspace_link", "created_at"),
    )
    list_filter = (choices("decision"), "reason", BY_WORKSPACE)
    list_select_related = ("earlier", "later", "decided_by", "workspace")
    id_search = ("id", "earlier_id", "later_id", "decided_in")
    search_help_text = "Search by id, also that of a memory or of the change that decided it"
    actions = ("replace", "use_both")
    fieldsets = (
        (None, {"fields": (("earlier_link", "later_link"), "workspace_link", "reason")}),
        ("Decision", {"fields": (("shown_decision", "decided_by_link"), ("decided_in", "decided_at"), "created_at")}),
    )
    earlier_link = link_column("earlier")
    later_link = link_column("later")
    decided_by_link = link_column("decided_by", "decided by")
    workspace_link = link_column("workspace")

    def label(self, row: MemConflict) -> str:
        return f"{row.later.uri} or {row.earlier.uri}"

    @column("later memory")
    def later_text(self, row: MemConflict) -> str:
        return excerpt_of(row.later.l0_abstract) or row.later.uri

    @column("earlier memory")
    def earlier_text(self, row: MemConflict) -> str:
        return excerpt_of(row.earlier.l0_abstract) or row.earlier.uri

    @column("decision", order="decision", tones=DECISION_TONES)
    def shown_decision(self, row: MemConflict) -> str:
        return row.decision

    @admin.action(description="Replace the earlier memory", permissions=["decide"])
    def replace(self, request: HttpRequest, queryset: QuerySet[MemConflict]) -> None:
        self._decide(request, _open(queryset), inbox_replace, _later, "replaced")

    @admin.action(description="Use both memories", permissions=["decide"])
    def use_both(self, request: HttpRequest, queryset: QuerySet[MemConflict]) -> None:
        self._decide(request, _open(queryset), inbox_use_both, _later, "used together")

    def cards(self) -> Iterable[Card]:
        waiting = undecided(MemConflict.objects.all()).count()
        url = list_url(MemConflict, decision__exact=Decision.OPEN.value)
        yield Card("In use", "Possible contradictions", f"{waiting:,}", "between memories in use", url)


def _with_preview(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Add the beginning of a message that each comes from, and the text of a memory that it may replace."""
    sources = MemSource.objects.filter(node_id=OuterRef("pk"), kind=SourceKind.MESSAGE, reference__regex=_ID)
    message_id = Case(When(reference__regex=_ID, then=Cast("reference", UUIDField())), output_field=UUIDField())
    named = sources.annotate(message_id=message_id).order_by("id").values("message_id")[:1]
    quoted = Message.objects.filter(pk=OuterRef("quoted_id")).values(text=Left("content", _QUOTE))[:1]
    earlier = MemConflict.objects.filter(current("earlier__"), later_id=OuterRef("pk")).order_by("id")
    result: QuerySet[Any] = rows.annotate(quoted_id=Subquery(named)).annotate(
        quote=Subquery(quoted, output_field=CharField()),
        earlier_text=Subquery(earlier.values(text=F("earlier__l0_abstract"))[:1], output_field=CharField()),
    )
    return result


def _preview(quote: str | None, earlier: str | None) -> SafeString:
    replaces = format_html('<div class="console-quiet">May replace: {}</div>', excerpt_of(earlier)) if earlier else ""
    return format_html("{}{}", plain_text(excerpt_of(quote or "")) or "", replaces)


def _open(queryset: QuerySet[MemConflict]) -> QuerySet[MemConflict]:
    """Reduce the selected conflicts to those that wait; those of proposals are decided with them."""
    return undecided(queryset).select_related("later", "later__workspace")


def _itself(row: MemNode) -> MemNode:
    return row


def _later(row: MemConflict) -> MemNode:
    return row.later
