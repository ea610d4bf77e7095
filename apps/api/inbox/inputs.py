"""Request serializers of the inbox."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from apps.api.conversations.serializers import ExactText
from apps.api.framework.memory_uris import AddressText
from apps.api.framework.serializers import Choice, Flag, Input, Text
from apps.api.memory.node_inputs import LONGEST_REFERENCE, Id, Tags
from apps.api.memory.node_serializers import CATEGORIES, SOURCE_KINDS
from apps.common.ids import parse_id
from apps.engine.memory.categories import Category
from apps.inbox.records import InboxQuery, ScopeKind, SourceScope
from apps.inbox.services.rewriting import ItemEdit
from apps.inbox.services.sources import SourceAction

MOST_DECIDED = 500
OLDEST, NEWEST = "oldest", "newest"
BULK = ("approve", "replace", "keep_both", "decline")
_BY_ID = (ScopeKind.MESSAGE, ScopeKind.CONVERSATION)


class InboxParameters(Input):
    order = Choice(choices=(NEWEST, OLDEST), required=False, default=NEWEST, help_text="Which items come first.")
    category = Choice(choices=CATEGORIES, required=False, default="", help_text="Only memories of this category.")
    source_kind = Choice(choices=SOURCE_KINDS, required=False, default="", help_text="Only those with such a source.")
    conversation_id = serializers.UUIDField(
        required=False, default=None, help_text="Only memories that come from this conversation."
    )


class EditInput(Input):
    """New values of a memory that is put in use."""

    content = ExactText(required=False, help_text="Abstract and overview are regenerated from it.")
    tags = Tags(required=False)
    uri = AddressText(required=False, help_text="A new address. Missing parent folders are created.")
    category = Choice(choices=CATEGORIES, required=False, help_text="Instead of an address: its category, same name.")
    replaces = Flag(
        required=False,
        help_text="Whether the memories that it contradicts become history or stay in use beside it; as an approval"
        " decides if it is not given.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "uri" in attrs and "category" in attrs:
            error = "Give an address or a category, not both."
            raise serializers.ValidationError({"category": [error]}, code="invalid")
        if "content" in attrs and not attrs["content"].strip():
            raise serializers.ValidationError({"content": ["A memory needs content."]}, code="blank")
        return attrs


class MergeIntoInput(Input):
    into_id = Id(help_text="The memory in use to merge it into.")
    content = ExactText(
        required=False, allow_null=True, default=None, help_text="The merged text; defaults to their distinct lines."
    )


class BulkDecisionInput(Input):
    ids = serializers.ListField(child=Id(), min_length=1, max_length=MOST_DECIDED, help_text="Ids of items.")
    decision = Choice(choices=BULK)


class UndoDecisionInput(Input):
    change_id = Id(help_text="`change_id` of a decision.")


class SourceInput(Input):
    """What memories come from."""

    kind = Choice(choices=tuple(kind.value for kind in ScopeKind))
    reference = Text(
        max_length=LONGEST_REFERENCE, help_text="Id of the message or conversation, or name of the import or tool."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ScopeKind(attrs["kind"]) in _BY_ID and parse_id(attrs["reference"]) is None:
            raise serializers.ValidationError({"reference": ["Must be an id."]}, code="invalid")
        return attrs


class DeclineSourceInput(Input):
    source = SourceInput()  # type: ignore[assignment]  # the metaclass takes it


class QuarantineInput(Input):
    source = SourceInput()  # type: ignore[assignment]  # the metaclass takes it
    action = Choice(
        choices=tuple(action.value for action in SourceAction),
        default=SourceAction.QUARANTINE.value,
        help_text="`quarantine`: they wait for approval again. `archive`: they are archived.",
    )


def inbox_query(values: Mapping[str, Any]) -> InboxQuery:
    return InboxQuery(
        oldest_first=values["order"] == OLDEST,
        category=values["category"],
        source_kind=values["source_kind"],
        conversation_id=values["conversation_id"],
    )


def item_edit(values: Mapping[str, Any]) -> ItemEdit:
    return ItemEdit(
        changes={name: values[name] for name in ("content", "tags") if name in values},
        to=values.get("uri"),
        category=Category(values["category"]) if "category" in values else None,
        replaces=values.get("replaces"),
    )


def source_scope(values: Mapping[str, Any]) -> SourceScope:
    return SourceScope(ScopeKind(values["kind"]), values["reference"])
