"""Serializers of imports from other stores."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.framework.serializers import Flag, Input, OutputSerializer
from apps.api.memory.export_serializers import CONFIRMED
from apps.transfer.formats.items import LONGEST_KEY, ImportSource
from apps.transfer.formats.readers import KINDS
from apps.transfer.records import ImportedResult, ImportReport, ItemProblem, KindCounts

MOST_ITEMS = 500
SOURCES = tuple(source.value for source in ImportSource)
STATUSES = ("created", "existing", "skipped", "refused")


class AnyImportItem(serializers.JSONField):
    """An item that is validated separately, so that an error affects only that item."""


class ImportId(serializers.UUIDField):
    """A UUID as text: a number or a boolean is none."""

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(data) if isinstance(data, str) else self.fail("invalid", value=data)


class ImportItemsInput(Input):
    import_id = ImportId()
    dry_run = Flag(required=False, default=False)
    confirmed = Flag(required=False, default=False)
    items = serializers.ListField(child=AnyImportItem(), min_length=1, max_length=MOST_ITEMS)


class ImportItemSerializer(serializers.Serializer[Any]):
    """An item. Its other fields depend on its kind."""

    key = serializers.CharField(max_length=LONGEST_KEY, help_text="Unique in the source, and the same every time.")
    kind = serializers.ChoiceField(choices=KINDS)

    def to_internal_value(self, data: Any) -> Any:
        return data


class ImportItemsBodySerializer(serializers.Serializer[Any]):
    """A batch of items. Items that cannot be stored are reported and do not affect the others."""

    import_id = serializers.UUIDField(help_text="Chosen by the client, the same for all batches of an import.")
    dry_run = serializers.BooleanField(default=False, help_text="Report what would happen, and store nothing.")
    confirmed = serializers.BooleanField(default=False, help_text=CONFIRMED)
    items = serializers.ListField(child=ImportItemSerializer(), min_length=1, max_length=MOST_ITEMS)


class ImportProblemSerializer(OutputSerializer[ItemProblem]):
    """A damaged line of a transcript, or message of a conversation."""

    line = serializers.IntegerField(help_text="Its number in the file or conversation, from 1.")
    code = serializers.CharField()
    detail = serializers.CharField()


class ImportedItemSerializer(OutputSerializer[ImportedResult]):
    """`existing` if an earlier import created it, or what it says is known already."""

    key = serializers.CharField(allow_blank=True)
    kind = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(choices=STATUSES)
    reason = serializers.CharField(allow_blank=True, help_text="A code.")
    detail = serializers.CharField(allow_blank=True, help_text="Human-readable reason for a rejection.")
    address = serializers.CharField(allow_blank=True, help_text="Of the memory that it became.")
    node_id = serializers.UUIDField(allow_null=True)
    conversation_id = serializers.UUIDField(allow_null=True)
    session_id = serializers.UUIDField(allow_null=True)
    messages = serializers.IntegerField(help_text="Messages that this import stored.")
    problems = ImportProblemSerializer(many=True)


class ImportResultsSerializer(OutputSerializer[Any]):
    import_id = serializers.UUIDField()
    dry_run = serializers.BooleanField()
    results = ImportedItemSerializer(many=True, help_text="One for each item, in request order.")


class ImportCountsSerializer(OutputSerializer[KindCounts]):
    kind = serializers.CharField()
    created = serializers.IntegerField()
    existing = serializers.IntegerField()
    skipped = serializers.IntegerField()
    refused = serializers.IntegerField()


class ImportReportSerializer(OutputSerializer[ImportReport]):
    id = serializers.UUIDField()
    source = serializers.ChoiceField(choices=SOURCES)  # type: ignore[assignment]  # named like an attribute of fields
    started_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    counts = ImportCountsSerializer(many=True, help_text="Items by kind and status.")
    messages = serializers.IntegerField(help_text="Messages stored of the items that it created.")
    items = ImportedItemSerializer(
        many=True, help_text="Items that were skipped or refused, or have problems; at most 1,000."
    )
