"""Request serializers of the memory tree."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.fields import empty

from apps.api.conversations.serializers import ExactText
from apps.api.framework.memory_uris import AddressText, bad_address
from apps.api.framework.serializers import Changes, Choice, Flag, Input, Text
from apps.api.memory.node_serializers import CATEGORIES, SOURCE_KINDS, TIERS
from apps.engine.memory.addresses import SCHEME, Address, AddressError
from apps.engine.memory.categories import Category, named_address
from apps.engine.memory.tiers import ABSTRACT_TOKENS, OVERVIEW_TOKENS
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN
from apps.memory.records.tree import SourceRecord
from apps.memory.services.tree.node_drafts import NodeDraft

LONGEST_TAG, MOST_TAGS = 64, 50
LONGEST_REFERENCE, MOST_SOURCES = 200, 200
LONGEST_REASON = 500
LONGEST_NAME = 200
LONGEST_ABSTRACT = ABSTRACT_TOKENS * CHARACTERS_PER_TOKEN
LONGEST_OVERVIEW = OVERVIEW_TOKENS * CHARACTERS_PER_TOKEN
MOST_MERGED = 50
DEEPEST = 20
_NO_TEXT = "A memory needs content."
_NUMBERED = MappingProxyType({f"L{number}": tier for number, tier in enumerate(TIERS)})
_TIER = "The tier to load: `abstract`, `overview` or `full`, also called `L0`, `L1` and `L2`."
_REASON = "The reason, shown in the history."


class Tags(serializers.ListField):
    """A short list of unique tags."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"child": Text(max_length=LONGEST_TAG), "max_length": MOST_TAGS, **options})

    def to_internal_value(self, data: Any) -> list[str]:
        return list(dict.fromkeys(super().to_internal_value(data)))


class Id(serializers.UUIDField):
    """A UUID as a string; numbers are rejected."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


class TierChoice(Choice):
    """A tier by name or, case-insensitively, by number; the validated value is the name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=(*TIERS, *_NUMBERED), **options)

    def to_internal_value(self, data: Any) -> Any:
        numbered = _NUMBERED.get(data.upper()) if isinstance(data, str) else None
        return numbered or super().to_internal_value(data)


class TreePlace(AddressText):
    """An address, or `mem://` for the root of the tree, which validates to None."""

    def run_validation(self, data: Any = empty) -> Any:
        return None if data == SCHEME else super().run_validation(data)


class ReasonInput(Input):
    reason = Text(max_length=LONGEST_REASON, required=False, allow_blank=True, default="", help_text=_REASON)


class MemorySourceInput(Input):
    kind = Choice(choices=SOURCE_KINDS)
    reference = Text(max_length=LONGEST_REFERENCE)


class NodeInput(Input):
    """A memory at an address, or in a category with a name from which its address is derived."""

    needs_content: ClassVar[bool] = True
    uri = AddressText(required=False, help_text="Its address, `mem://…`. Missing parent folders are created.")
    category = Choice(choices=CATEGORIES, required=False, help_text="Category, used with `name` instead of an address.")
    name = Text(
        max_length=LONGEST_NAME,
        required=False,
        help_text="For entities and sessions: `whose/what`. If it is taken, a number is appended.",
    )
    content = ExactText(required=False, allow_blank=True, default="", help_text="The full text; empty for a folder.")
    abstract = ExactText(
        required=False,
        allow_blank=True,
        default="",
        max_length=LONGEST_ABSTRACT,
        help_text="Generated from the content if empty.",
    )
    overview = ExactText(required=False, allow_blank=True, default="", max_length=LONGEST_OVERVIEW)
    tags = Tags(required=False, default=())
    occurred_at = serializers.DateTimeField(
        required=False, allow_null=True, default=None, help_text="The date of the fact; defaults to the current time."
    )
    sources = serializers.ListField(child=MemorySourceInput(), required=False, default=list, max_length=MOST_SOURCES)
    shared = Flag(
        default=False, help_text="Visible to the whole workspace; only curators and above, only in `mem://agent`."
    )
    is_directory = Flag(default=False)
    allow_duplicate = Flag(
        default=False,
        help_text="Store it even if a memory with the same text is at the address or, under any name, in the folder.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if self.needs_content and not attrs["is_directory"] and not attrs["content"].strip():
            raise serializers.ValidationError({"content": [_NO_TEXT]}, code="blank")
        attrs["address"] = _address(attrs)
        attrs["numbered"] = "uri" not in attrs
        return attrs


class MemoryInput(NodeInput, ReasonInput):
    """A memory at an address, or in a category with a name from which its address is derived."""


class MemoryPreviewInput(MemoryInput):
    """A memory that is still being typed, so its content may be missing."""

    needs_content = False


class DryRunQuery(Input):
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Return the expected result without writing anything."
    )


class MemoryChanges(Changes):
    content = ExactText(required=False, help_text="Abstract and overview are regenerated from it.")
    abstract = ExactText(required=False, allow_blank=True, max_length=LONGEST_ABSTRACT)
    overview = ExactText(required=False, allow_blank=True, max_length=LONGEST_OVERVIEW)
    tags = Tags(required=False)
    occurred_at = serializers.DateTimeField(required=False)
    reason = Text(max_length=LONGEST_REASON, required=False, allow_blank=True, help_text=_REASON)

    def validate_content(self, value: str) -> str:
        if not value.strip():
            raise serializers.ValidationError(_NO_TEXT, code="blank")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        super().validate({name: value for name, value in attrs.items() if name != "reason"})
        return attrs


class MoveInput(ReasonInput):
    to = AddressText(help_text="The new address. Missing parent folders are created.")


class MergeInput(ReasonInput):
    source_ids = serializers.ListField(
        child=Id(),
        min_length=1,
        max_length=MOST_MERGED,
        help_text="Ids of the memories to merge into this one. They are archived; an undo restores them.",
    )
    content = ExactText(
        required=False,
        allow_null=True,
        default=None,
        help_text="The merged text; defaults to the distinct lines of all of them.",
    )


class UndoInput(ReasonInput):
    change_id = Id(help_text="`change_id` of one of its revisions.")


class TreeQuery(Input):
    uri = TreePlace(required=False, default=None, help_text="Defaults to `mem://`, which lists the three roots.")
    depth = serializers.IntegerField(
        min_value=1,
        max_value=DEEPEST,
        required=False,
        default=1,
        help_text="Number of levels; 1 lists only direct children.",
    )
    archived = serializers.BooleanField(required=False, default=False, help_text="Include archived memories.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["uri"] is None and attrs["depth"] > 1:
            raise serializers.ValidationError({"depth": ["`depth` requires `uri`."]}, code="invalid")
        return attrs


class MemoryQuery(Input):
    tier = TierChoice(required=False, default=TIERS[-1], help_text=_TIER)


class MemoryAtQuery(MemoryQuery):
    uri = AddressText(help_text="If both exist, your own memory takes precedence over the shared one.")


class EraseQuery(Input):
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Return what would be deleted, with status 200 instead of 204."
    )


def node_draft(values: Mapping[str, Any]) -> NodeDraft:
    """Return the draft for validated values."""
    names = ("address", "content", "abstract", "overview", "tags", "occurred_at", "shared", "is_directory", "numbered")
    sources = tuple(SourceRecord(source["kind"], source["reference"]) for source in values["sources"])
    given = {name: values[name] for name in names}
    return NodeDraft(**given, sources=sources, may_repeat=values["allow_duplicate"])


def _address(values: Mapping[str, Any]) -> Address:
    named = "category" in values or "name" in values
    if ("uri" in values) == named:
        raise serializers.ValidationError({"uri": ["Give an address, or a category and a name."]}, code="required")
    if not named:
        address: Address = values["uri"]
        return address
    if missing := [name for name in ("category", "name") if name not in values]:
        raise serializers.ValidationError(
            {name: ["Needed instead of an address."] for name in missing}, code="required"
        )
    try:
        return named_address(Category(values["category"]), values["name"])
    except AddressError as error:
        raise bad_address(error, "/name") from error
