"""Request and response serializers of messages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from apps.api.conversations.serializers import LARGEST_PLACE, ExactText
from apps.api.framework.serializers import Choice, Flag, Input, OutputSerializer, Text, Whole, ZonedTime
from apps.conversations import part_rules
from apps.conversations.field_checks import BadMessage
from apps.conversations.limits import LONGEST_EXTERNAL_ID, LONGEST_NAME
from apps.conversations.provider_messages import in_own_form
from apps.conversations.records import (
    MESSAGE_ROLES,
    MESSAGE_STATES,
    MESSAGE_STATUSES,
    ExclusionRecord,
    MessageDraft,
    MessageRecord,
)
from apps.engine.messages.message import Part, PartKind
from apps.engine.summary.rolling_summary import FIELDS
from apps.llm.records import COUNT_SOURCES, UsageRecord

PART_KINDS = tuple(kind.value for kind in PartKind)
MOST_MESSAGES = 500
MOST_PARTS_OF_BATCH = 2_000
MOST_EXCLUSIONS = 10_000
MOST_IDS = 100


class PartInput(Input):
    """Each kind has its own fields: `text` text; `tool_call` call_id, name, text (the arguments as JSON);
    `tool_result` call_id, text (the output), name, summary (the tool's own short form), is_error; `reasoning` text,
    tokens, signature, is_redacted; `image` and `file` url, media_type, name, text."""

    kind = Choice(choices=PART_KINDS)
    text = ExactText(required=False, allow_blank=True)
    call_id = Text(max_length=part_rules.LONGEST_CALL_ID, required=False, help_text="Links a tool call and its result.")
    name = Text(max_length=LONGEST_NAME, required=False, allow_blank=True)
    summary = ExactText(required=False, allow_blank=True)
    tokens = Whole(
        min_value=0,
        max_value=part_rules.MOST_REASONING_TOKENS,
        required=False,
        help_text="Token count of hidden reasoning.",
    )
    url = serializers.CharField(
        max_length=part_rules.LONGEST_URL,
        required=False,
        help_text="Where an image or file is: an address, a `data:` URL, or `openai:` or `anthropic:` with the id of a "
        "file at that provider.",
    )
    media_type = Text(max_length=LONGEST_NAME, required=False)
    signature = serializers.CharField(
        max_length=part_rules.LONGEST_SIGNATURE, required=False, allow_blank=True, help_text="Of reasoning, as sent."
    )
    is_error = Flag(required=False)
    is_redacted = Flag(required=False, help_text="Reasoning that its provider keeps: the signature is all of it.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        kind = attrs["kind"]
        foreign = {
            name: _fault("not_of_this_kind", kind) for name in attrs if name not in {"kind", *part_rules.FIELDS[kind]}
        }
        missing = {name: _fault("required", kind) for name in part_rules.NEEDED[kind] if not attrs.get(name)}
        if foreign or missing:
            raise serializers.ValidationError(foreign | missing)
        return attrs


class MessageRole(Choice):
    """A role; those of other APIs become the role that they are stored as."""

    def to_internal_value(self, data: Any) -> Any:
        role = super().to_internal_value(data)
        return part_rules.SAME_ROLE.get(role, role)


@extend_schema_field(
    {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "object", "additionalProperties": {}}}]}
)
class Content(ExactText):
    """Text; `MessageInput` has already taken apart a list of blocks."""


class MessageInput(Input):
    """A message with content, parts or both. Content is stored exactly as sent.

    The message objects of OpenAI's chat completions and Anthropic's messages API are taken as they are: content blocks,
    images, files, tool calls and results, thinking with its signature. They become parts.
    """

    role = MessageRole(choices=(*MESSAGE_ROLES, *part_rules.SAME_ROLE), help_text="`developer` is stored as `system`.")
    content = Content(required=False, allow_blank=True, default="")
    name = Text(max_length=LONGEST_NAME, required=False, allow_blank=True, default="", help_text="The author.")
    speaker = serializers.ChoiceField(
        choices=("self",),
        required=False,
        allow_null=True,
        default=None,
        help_text="`self`: the name is the conversation owner's, though their account has another. Without it, a user "
        "message with another name than the account's is somebody else's.",
    )
    parts = serializers.ListField(child=PartInput(), max_length=part_rules.MOST_PARTS, required=False, default=list)
    tool_calls = serializers.ListField(
        child=serializers.DictField(), required=False, allow_null=True, help_text="OpenAI's; stored as parts."
    )
    tool_call_id = Text(
        max_length=part_rules.LONGEST_CALL_ID,
        required=False,
        allow_null=True,
        help_text="OpenAI's, of a tool's message.",
    )
    created_at = ZonedTime(
        required=False,
        allow_null=True,
        default=None,
        help_text="Defaults to the current time. Words like “yesterday” count from the day that it was where it was "
        "written: by an offset other than that of UTC, else by the time zone of the conversation's owner.",
    )
    external_id = Text(
        max_length=LONGEST_EXTERNAL_ID,
        required=False,
        allow_null=True,
        default=None,
        help_text="Id in the source system. A message whose id the conversation already contains is not stored again.",
    )

    def to_internal_value(self, data: Any) -> Any:
        try:
            values = super().to_internal_value(in_own_form(data) if isinstance(data, dict) else data)
        except BadMessage as bad:
            raise serializers.ValidationError(
                {"content": f"{bad.detail[0].upper()}{bad.detail[1:]}."}, code=bad.code
            ) from bad
        return {name: value for name, value in values.items() if name not in ("tool_calls", "tool_call_id")}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        misplaced = [part["kind"] for part in attrs["parts"] if attrs["role"] not in part_rules.ROLES[part["kind"]]]
        if misplaced:
            detail = f"A message with the role {attrs['role']} cannot contain {misplaced[0]}."
            raise serializers.ValidationError({"parts": detail}, code="not_in_this_role")
        if not (attrs["content"].strip() or attrs["parts"]):
            raise serializers.ValidationError({"content": "A message needs content or parts."}, code="empty_message")
        return attrs


class MessageBatchInput(Input):
    """A batch of messages, stored in this order: all or none."""

    messages = serializers.ListField(child=MessageInput(), min_length=1, max_length=MOST_MESSAGES)

    def validate_messages(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if sum(len(message["parts"]) for message in messages) > MOST_PARTS_OF_BATCH:
            detail = f"A batch can have at most {MOST_PARTS_OF_BATCH} parts in total."
            raise serializers.ValidationError(detail, code="max_length")
        return messages


class PartSerializer(OutputSerializer[Any]):
    """A part of a message; fields that are not set are absent."""

    kind = serializers.ChoiceField(choices=PART_KINDS)
    text = serializers.CharField(required=False)
    call_id = serializers.CharField(required=False)
    name = serializers.CharField(required=False)
    summary = serializers.CharField(required=False)
    tokens = serializers.IntegerField(required=False)
    url = serializers.CharField(required=False)
    media_type = serializers.CharField(required=False)
    signature = serializers.CharField(required=False)
    is_error = serializers.BooleanField(required=False)
    is_redacted = serializers.BooleanField(required=False)


class UsageSerializer(OutputSerializer[UsageRecord]):
    """Token usage of a model call."""

    model = serializers.CharField()
    input_tokens = serializers.IntegerField()
    output_tokens = serializers.IntegerField()
    cache_read_tokens = serializers.IntegerField(
        help_text="Tokens that the provider read from its cache, in addition to the input."
    )
    source = serializers.ChoiceField(choices=COUNT_SOURCES)  # type: ignore[assignment]  # a field of this name


class MessageSerializer(OutputSerializer[MessageRecord]):
    id = serializers.UUIDField()
    index = serializers.IntegerField(help_text="Position in the conversation, from 0, without gaps.")
    role = serializers.ChoiceField(choices=MESSAGE_ROLES)
    name = serializers.CharField()
    content = serializers.CharField()
    parts = PartSerializer(many=True)
    status = serializers.ChoiceField(choices=MESSAGE_STATUSES)
    state = serializers.ChoiceField(
        choices=MESSAGE_STATES, help_text="Compacted messages are covered by the summary; deleted ones are empty."
    )
    token_count = serializers.IntegerField()
    tokens_through = serializers.IntegerField(help_text="Tokens of this message and all before it.")
    error_code = serializers.CharField(help_text="Why a reply is partial or failed; otherwise empty.")
    external_id = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    used_count = serializers.IntegerField(help_text="Number of memories and messages retrieved for a reply.")
    usage = UsageSerializer(
        allow_null=True, help_text="Usage of the model call that wrote it, if it is stored; otherwise null."
    )


class AppendedSerializer(OutputSerializer[Any]):
    """The messages in the order of the request; `stored` is the number of new ones."""

    data = MessageSerializer(many=True)  # the framework takes it out of the class
    stored = serializers.IntegerField()


class MessageChanges(Input):
    excluded = Flag(help_text="Exclude the message from packs and compaction.")


class ExclusionsInput(Input):
    message_ids = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=MOST_EXCLUSIONS)
    excluded = Flag(default=True)


class MessageIds(Text):
    """Comma-separated message ids."""

    def run_validation(self, data: Any = empty) -> Any:
        text = super().run_validation(data)
        words = text.split(",") if text else []
        if len(words) > MOST_IDS:
            raise serializers.ValidationError(f"At most {MOST_IDS} ids.", code="max_length")
        return [serializers.UUIDField().run_validation(word) for word in words]


class MessagesQuery(Input):
    from_index = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST_PLACE,
        required=False,
        default=0,
        help_text="Index of the first message; ignored with a cursor.",
    )
    ids = MessageIds(
        required=False,
        default="",
        help_text=f"Comma-separated ids: returns only these messages, at most {MOST_IDS}, on one page.",
    )


class ExclusionsQuery(Input):
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Return the effects without applying them."
    )


class ExclusionSerializer(OutputSerializer[ExclusionRecord]):
    """An excluded message."""

    id = serializers.UUIDField()
    index = serializers.IntegerField()
    role = serializers.ChoiceField(choices=MESSAGE_ROLES)
    name = serializers.CharField()
    excerpt = serializers.CharField(help_text="The first 200 characters.")
    token_count = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class SummaryLineSerializer(OutputSerializer[Any]):
    field = serializers.ChoiceField(choices=FIELDS)
    text = serializers.CharField()


class ExclusionsSerializer(OutputSerializer[Any]):
    """The result of an exclusion; only a dry run returns the last three fields."""

    changed = serializers.ListField(child=serializers.UUIDField(), help_text="Ids of the messages whose state changed.")
    compacted = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="Changed messages covered by the summary; lines derived only from them are removed.",
    )
    frees_tokens = serializers.IntegerField(
        required=False, help_text="Live tokens freed; negative if messages are included again."
    )
    summary_lines = SummaryLineSerializer(many=True, required=False, help_text="Summary lines removed or restored.")
    pins = serializers.IntegerField(required=False, help_text="Number of pins created from these messages; they stay.")


def message_draft(values: dict[str, Any]) -> MessageDraft:
    parts = tuple(Part(**{**part, "kind": PartKind(part["kind"])}) for part in values["parts"])
    drafted = {name: value for name, value in values.items() if name not in ("parts", "speaker")}
    return MessageDraft(**drafted, parts=parts, is_own=values.get("speaker") is not None)


def _fault(code: str, kind: str) -> serializers.ErrorDetail:
    detail = f"A {kind} requires this field." if code == "required" else f"A {kind} does not have this field."
    return serializers.ErrorDetail(detail, code=code)
