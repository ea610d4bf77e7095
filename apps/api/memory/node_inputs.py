"""What the endpoints of the memory tree take."""

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
_NO_TEXT = "A memory needs a text."
_NUMBERED = MappingProxyType({f"L{number}": tier for number, tier in enumerate(TIERS)})
_TIER = "How much of it to load: `abstract`, `overview` or `full`, which are also called `L0`, `L1` and `L2`."
_REASON = "Why, for whoever reads the history."


class Tags(serializers.ListField):
    """A few short words, each once."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"child": Text(max_length=LONGEST_TAG), "max_length": MOST_TAGS, **options})

    def to_internal_value(self, data: Any) -> list[str]:
        return list(dict.fromkeys(super().to_internal_value(data)))


class Id(serializers.UUIDField):
    """Written as a text: a number is none."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


class TierChoice(Choice):
    """A tier by its name, or by its number in any letters; the handler is given the name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=(*TIERS, *_NUMBERED), **options)

    def to_internal_value(self, data: Any) -> Any:
        numbered = _NUMBERED.get(data.upper()) if isinstance(data, str) else None
        return numbered or super().to_internal_value(data)


class TreePlace(AddressText):
    """An address, or `mem://` for what lies above them all, which is none."""

    def run_validation(self, data: Any = empty) -> Any:
        return None if data == SCHEME else super().run_validation(data)


class ReasonInput(Input):
    reason = Text(max_length=LONGEST_REASON, required=False, allow_blank=True, default="", help_text=_REASON)


class MemorySourceInput(Input):
    kind = Choice(choices=SOURCE_KINDS)
    reference = Text(max_length=LONGEST_REFERENCE)


class NodeInput(Input):
    """A memory at an address, or one of a category under a name that becomes its address."""

    needs_content: ClassVar[bool] = True
    uri = AddressText(required=False, help_text="Its address, `mem://…`. Directories above it come to be with it.")
    category = Choice(choices=CATEGORIES, required=False, help_text="Instead of an address, with `name`.")
    name = Text(
        max_length=LONGEST_NAME,
        required=False,
        help_text="For entities and sessions: `whose/what`. A number goes behind it where it is taken.",
    )
    content = ExactText(required=False, allow_blank=True, default="", help_text="A directory has none.")
    abstract = ExactText(
        required=False, allow_blank=True, default="", max_length=LONGEST_ABSTRACT, help_text="Made of it otherwise."
    )
    overview = ExactText(required=False, allow_blank=True, default="", max_length=LONGEST_OVERVIEW)
    tags = Tags(required=False, default=())
    occurred_at = serializers.DateTimeField(
        required=False, allow_null=True, default=None, help_text="The date of the fact; now, where none is given."
    )
    sources = serializers.ListField(child=MemorySourceInput(), required=False, default=list, max_length=MOST_SOURCES)
    shared = Flag(default=False, help_text="Seen by the whole workspace; for curators, and in `mem://agent` alone.")
    is_directory = Flag(default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if self.needs_content and not attrs["is_directory"] and not attrs["content"].strip():
            raise serializers.ValidationError({"content": [_NO_TEXT]}, code="blank")
        attrs["address"] = _address(attrs)
        attrs["numbered"] = "uri" not in attrs
        return attrs


class MemoryInput(NodeInput, ReasonInput):
    """A memory at an address, or one of a category under a name that becomes its address."""


class MemoryPreviewInput(MemoryInput):
    """The same while it is typed: the content may still be missing."""

    needs_content = False


class DryRunQuery(Input):
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Answer with the expected result and write nothing."
    )


class MemoryChanges(Changes):
    content = ExactText(required=False, help_text="Abstract and overview are made anew of it.")
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
    to = AddressText(help_text="The new address. Directories above it come to be with it.")


class MergeInput(ReasonInput):
    source_ids = serializers.ListField(
        child=Id(),
        min_length=1,
        max_length=MOST_MERGED,
        help_text="The memories that go into this one. They are archived, and an undo brings them back.",
    )
    content = ExactText(
        required=False,
        allow_null=True,
        default=None,
        help_text="What it says afterwards; without it every line of all of them, each once.",
    )


class UndoInput(ReasonInput):
    change_id = Id(help_text="Of one of its revisions.")


class TreeQuery(Input):
    uri = TreePlace(required=False, default=None, help_text="Without it, or for `mem://`: the three roots.")
    depth = serializers.IntegerField(
        min_value=1, max_value=DEEPEST, required=False, default=1, help_text="1 lists what lies right in it."
    )
    archived = serializers.BooleanField(required=False, default=False, help_text="The archived ones too.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["uri"] is None and attrs["depth"] > 1:
            raise serializers.ValidationError({"depth": ["Say below which address."]}, code="invalid")
        return attrs


class MemoryQuery(Input):
    tier = TierChoice(required=False, default=TIERS[-1], help_text=_TIER)


class MemoryAtQuery(MemoryQuery):
    uri = AddressText(help_text="Where both exist, yours comes before the one that all of you see.")


class EraseQuery(Input):
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Only tell how much would be gone: answers 200 instead of 204."
    )


def node_draft(values: Mapping[str, Any]) -> NodeDraft:
    """The draft that validated values are."""
    given = ("address", "content", "abstract", "overview", "tags", "occurred_at", "shared", "is_directory", "numbered")
    sources = tuple(SourceRecord(source["kind"], source["reference"]) for source in values["sources"])
    return NodeDraft(**{name: values[name] for name in given}, sources=sources)


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
