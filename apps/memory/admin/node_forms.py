"""The forms by which an operator writes a memory down or changes one."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from apps.common.admin_base import TenantForm
from apps.engine.memory.addresses import Address, AddressError
from apps.memory.admin.bulk_actions import acting_on, reason_of
from apps.memory.models import MemNode, NodeType
from apps.memory.services.tree.change_sets import LONGEST_REASON
from apps.memory.services.tree.create_edit import node_create, node_edit
from apps.memory.services.tree.move import node_move
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.tree.paths import sentence

TIERS = {"l0_abstract": "abstract", "l1_overview": "overview", "l2_content": "content"}
_EDITED = {**TIERS, "tags": "tags", "occurred_at": "occurred_at"}
"""The fields of the form that are edits, by the name that the service has for them."""
_ROWS = {"l0_abstract": 3, "l1_overview": 8, "l2_content": 14}


class NodeForm(TenantForm):
    """An address that there can be; all else is refused by the services."""

    class Meta:
        labels: ClassVar = {
            "uri": "Address",
            "l0_abstract": "Abstract (L0)",
            "l1_overview": "Overview (L1)",
            "l2_content": "Content (L2)",
            "occurred_at": "Date of the fact",
        }
        widgets: ClassVar = {
            **{field: UnfoldAdminTextareaWidget(attrs={"rows": rows}) for field, rows in _ROWS.items()},
            "tags": UnfoldAdminTextInputWidget,
        }
        help_texts: ClassVar = {"tags": "Separated by commas."}

    reason = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        widget=UnfoldAdminTextInputWidget,
        help_text="Why it is changed; it is kept with the change.",
    )
    seen_version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["seen_version"] = self.instance.version
        if date := self.fields.get("occurred_at"):
            date.required = not self.instance._state.adding

    def clean_uri(self) -> str:
        try:
            return str(Address.parse(self.cleaned_data["uri"]))
        except AddressError as error:
            raise forms.ValidationError(sentence(error)) from error


def node_add(request: HttpRequest, form: Any) -> MemNode:
    """Write down what the form holds; the team's where it names no owner."""
    said, row = form.cleaned_data, form.instance
    draft = NodeDraft(
        address=Address(said["uri"]),
        **{name: said[field] for field, name in TIERS.items()},
        tags=said["tags"],
        occurred_at=said["occurred_at"],
        shared=said["owner"] is None,
        is_directory=said["node_type"] == NodeType.DIRECTORY,
    )
    with acting_on(request, row) as actor:
        row.pk = node_create(actor, draft=draft, reason=reason_of(said["reason"])).id
    return MemNode.objects.get(pk=row.pk)


def node_change(request: HttpRequest, form: Any) -> None:
    """An edit, a move, or both: of the version that the operator saw."""
    said, row = form.cleaned_data, form.instance
    version, reason = said["seen_version"] or 0, reason_of(said["reason"])
    changes = {name: said[field] for field, name in _EDITED.items() if field in form.changed_data}
    with acting_on(request, row) as actor:
        if changes:
            version = node_edit(actor, node_id=row.pk, changes=changes, version=version, reason=reason).version
        if "uri" in form.changed_data:
            node_move(actor, node_id=row.pk, to=Address(said["uri"]), version=version, reason=reason)
