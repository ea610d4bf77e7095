"""Admin forms to create and edit a memory."""

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
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.move import node_move
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.tree.paths import sentence

TIERS = {"l0_abstract": "abstract", "l1_overview": "overview", "l2_content": "content"}
_EDITED = {**TIERS, "tags": "tags", "occurred_at": "occurred_at"}
"""Editable form fields, mapped to the service's names."""
_ROWS = {"l0_abstract": 3, "l1_overview": 8, "l2_content": 14}


class NodeForm(TenantForm):
    """Form of a memory. It validates the address; the services validate everything else."""

    class Meta:
        labels: ClassVar = {
            "uri": "Address",
            "l0_abstract": "Abstract",
            "l1_overview": "Overview",
            "l2_content": "Full text",
            "occurred_at": "Date",
        }
        widgets: ClassVar = {
            **{field: UnfoldAdminTextareaWidget(attrs={"rows": rows}) for field, rows in _ROWS.items()},
            "tags": UnfoldAdminTextInputWidget,
        }
        help_texts: ClassVar = {"tags": "Comma-separated."}

    reason = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        widget=UnfoldAdminTextInputWidget,
        help_text="Reason for the change, kept in the history.",
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
    """Create the memory from the form, owned by the team if the form has no owner."""
    data, row = form.cleaned_data, form.instance
    draft = NodeDraft(
        address=Address(data["uri"]),
        **{name: data[field] for field, name in TIERS.items()},
        tags=data["tags"],
        occurred_at=data["occurred_at"],
        shared=data["owner"] is None,
        is_directory=data["node_type"] == NodeType.DIRECTORY,
    )
    with acting_on(request, row) as actor:
        row.pk = node_create(actor, draft=draft, reason=reason_of(data["reason"])).id
    return MemNode.objects.get(pk=row.pk)


def node_change(request: HttpRequest, form: Any) -> None:
    """Edit and move the version that the operator saw, as far as fields changed."""
    data, row = form.cleaned_data, form.instance
    version, reason = data["seen_version"] or 0, reason_of(data["reason"])
    changes = {name: data[field] for field, name in _EDITED.items() if field in form.changed_data}
    with acting_on(request, row) as actor:
        if changes:
            version = node_edit(actor, node_id=row.pk, changes=changes, version=version, reason=reason).version
        if "uri" in form.changed_data:
            node_move(actor, node_id=row.pk, to=Address(data["uri"]), version=version, reason=reason)
