"""Admin of the memory tree: filter, edit, archive, merge, share and delete nodes through the services."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, DropdownFilter

from apps.accounts.selectors.policies import policies_of, policy_of
from apps.common.admin_base import (
    BY_WORKSPACE,
    choices,
    column,
    excerpt_of,
    is_set,
    link_column,
    link_row,
    list_url,
    number,
)
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import FIXED, Category
from apps.engine.memory.decay import relevance_at
from apps.engine.memory.trust import Arrival
from apps.memory.admin import node_panels
from apps.memory.admin.bulk_actions import ReasonForm, acting_on
from apps.memory.admin.delete import preview_of
from apps.memory.admin.node_actions import NodeActions
from apps.memory.admin.node_forms import NodeForm, node_add, node_change
from apps.memory.models import MemNode, MemRevision, NodeType
from apps.memory.records.tree import strength_of
from apps.memory.services.tree.delete_permanently import node_erase

STATE_TONES = {"in use": "success", "waiting": "info", "archived": "warning"}
TRUST_TONES = dict(zip(node_panels.TRUST_LABELS.values(), ("success", "info", "warning", "warning"), strict=True))


class CategoryFilter(DropdownFilter):  # type: ignore[misc]  # unfold has no types
    title = "category"
    parameter_name = "category__exact"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[MemNode]) -> list[tuple[str, str]]:
        return [(category.value, category.value.capitalize()) for category in Category]

    def queryset(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> QuerySet[MemNode]:
        return queryset.filter(category=self.value()) if self.value() else queryset


class TrustFilter(DropdownFilter):  # type: ignore[misc]  # unfold has no types
    title = "trust"
    parameter_name = "trust__exact"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[MemNode]) -> list[tuple[str, str]]:
        return list(node_panels.TRUST_LABELS.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[MemNode]) -> QuerySet[MemNode]:
        return queryset.filter(trust=self.value()) if self.value() else queryset


@admin.register(MemNode)
class MemNodeAdmin(NodeActions):
    form = NodeForm
    action_form = ReasonForm
    list_display = (
        *("address", "category", "excerpt", "shown_state", "shown_trust", "relevance", "accesses"),
        *("owner_link", "workspace_link", "updated_at"),
    )
    list_filter = (
        *(CategoryFilter, choices("node_type"), TrustFilter, choices("arrival")),
        *(is_set("archived_at", "archived"), ("author", AutocompleteSelectFilter), BY_WORKSPACE),
    )
    list_select_related = ("owner", "workspace", "parent", "author", "merged_into")
    id_search = ("id", "owner_id", "parent_id")
    search_fields = ("uri__startswith", "owner__email")
    search_help_text = "Search by id, beginning of the address, or owner's email"
    actions: tuple[str, ...] = ("approve", "archive", "restore", "merge", "share", "reembed", "erase")
    fixed_fields = ("workspace", "owner", "node_type")
    autocomplete_fields = ("workspace", "owner")
    readonly_fields = (
        *("related", "category", "shown_state", "shown_trust", "author_link", "relevance", "shown_base"),
        *("last_access", "accesses", "fading", "shown_tiers", "version", "sources", "revisions", "found_by"),
        *("merged_into_link", "went_into_it", "created_at", "updated_at", "archived_at"),
    )
    add_fieldsets = (
        (
            "Address",
            {
                "fields": (("workspace", "owner"), "uri", "node_type"),
                "description": "Nodes in mem://agent without an owner belong to the whole workspace.",
            },
        ),
        ("Text", {"fields": ("l2_content", "l0_abstract", "l1_overview", "tags", "occurred_at", "reason")}),
    )
    fieldsets = (
        (None, {"fields": ("uri", "related", ("owner", "workspace"), ("category", "shown_state", "shown_trust"))}),
        (
            "Text",
            {
                "fields": (
                    *("l0_abstract", "l1_overview", "l2_content", "shown_tiers"),
                    *("tags", "occurred_at", "reason", "seen_version"),
                )
            },
        ),
        ("History", {"fields": ("revisions",)}),
        ("Sources", {"fields": ("sources", ("author_link", "merged_into_link"), "went_into_it")}),
        ("Relevance", {"fields": (("relevance", "shown_base"), ("last_access", "accesses"), "fading")}),
        ("Search", {"fields": ("found_by",)}),
        ("Record", {"fields": (("version", "archived_at"), ("created_at", "updated_at"))}),
    )
    owner_link = link_column("owner")
    workspace_link = link_column("workspace")
    author_link = link_column("author", "written by")
    merged_into_link = link_column("merged_into", "merged into")

    def label(self, row: MemNode) -> str:
        return row.uri

    def get_queryset(self, request: HttpRequest) -> QuerySet[MemNode]:
        return policies_of(super().get_queryset(request)).defer("l1_overview", "l2_content")

    @column("address", order="uri")
    def address(self, row: MemNode) -> str:
        return row.uri

    @column("abstract")
    def excerpt(self, row: MemNode) -> SafeString:
        return format_html('<span class="console-excerpt">{}</span>', excerpt_of(row.l0_abstract))

    @column("uses", order="access_count")
    def accesses(self, row: MemNode) -> str | None:
        return number(row.access_count)

    @column("state", order="archived_at", tones=STATE_TONES)
    def shown_state(self, row: MemNode) -> str:
        if row.archived_at is not None:
            return "archived"
        return "waiting" if row.arrival == Arrival.PROPOSED else "in use"

    @column("trust", order="trust", tones=TRUST_TONES)
    def shown_trust(self, row: MemNode) -> str:
        return node_panels.TRUST_LABELS[row.trust]

    @column("relevance")
    def relevance(self, row: MemNode) -> str:
        return f"{relevance_at(strength_of(row), timezone.now().timestamp(), policy_of(row)):.2f}"

    @column("base relevance")
    def shown_base(self, row: MemNode) -> str:
        return f"{row.base_relevance:.2f}"

    @column("forecast without use")
    def fading(self, row: MemNode) -> str:
        return node_panels.fading(row, policy_of(row))

    @column("abstract and overview")
    def shown_tiers(self, row: MemNode) -> str:
        return node_panels.tiers(row)

    @column("sources")
    def sources(self, row: MemNode) -> SafeString:
        return node_panels.sources(row)

    @column("revisions")
    def revisions(self, row: MemNode) -> SafeString:
        return node_panels.revisions(row)

    @column("passage")
    def found_by(self, row: MemNode) -> SafeString | str:
        return node_panels.passage(row)

    @column("merged into it")
    def went_into_it(self, row: MemNode) -> SafeString:
        rows = MemNode.objects.filter(pk__in=row.merged_from).order_by("uri")
        return link_row([(list_url(MemNode, id__exact=one.pk), one.uri) for one in rows])

    @column("open")
    def related(self, row: MemNode) -> SafeString:
        links = [(list_url(MemRevision, node__id__exact=row.pk), "all revisions")]
        if row.node_type == NodeType.DIRECTORY:
            links.insert(0, (list_url(MemNode, parent__id__exact=row.pk, o=1), "nodes below"))
        if row.parent_id:
            links.insert(0, (list_url(MemNode, id__exact=row.parent_id), "the node above"))
        return link_row([*links, (list_url(MemNode, id__exact=row.pk), "actions in the list")])

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        compiled = ("l2_content",) if obj and obj.node_type == NodeType.DIRECTORY else ()
        return (*super().get_readonly_fields(request, obj), *compiled)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Omit form-only fields on a read-only page."""
        result = super().get_fieldsets(request, obj)
        return result if obj is None or self.has_change_permission(request, obj) else _only_shown(result)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deny changes of archived nodes, which must be unarchived first, and of the fixed roots."""
        return super().has_change_permission(request, obj) and (
            obj is None or (obj.archived_at is None and not _is_fixed(obj))
        )

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or not _is_fixed(obj))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Remove Django's delete action: permanent deletion has its own confirmation."""
        result: dict[str, Any] = super().get_actions(request)
        result.pop("delete_selected", None)
        return result

    def save_model(self, request: HttpRequest, obj: MemNode, form: Any, change: bool) -> None:
        if change:
            node_change(request, form)
        else:
            node_add(request, form)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Preview the deletion with subtrees; dependent rows are not listed."""
        preview = preview_of(request, list(objs))
        return preview.named, {"memory nodes": preview.count}, set(), preview.refused

    def delete_model(self, request: HttpRequest, obj: MemNode) -> None:
        with acting_on(request, obj) as actor:
            node_erase(actor, node_id=obj.pk)


def _is_fixed(row: MemNode) -> bool:
    return Address(row.uri) in FIXED


def _only_shown(fieldsets: Any) -> Any:
    left_out = {"reason", "seen_version"}
    return [
        (title, {**held, "fields": [field for field in held["fields"] if field not in left_out]})
        for title, held in fieldsets
    ]
