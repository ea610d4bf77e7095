"""Response serializers of the memory tree."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.framework.serializers import OutputSerializer
from apps.conversations.records import MESSAGE_ROLES
from apps.engine.memory.categories import Category
from apps.engine.memory.tree import DiffLine, LineKind
from apps.engine.memory.trust import Arrival, Trust
from apps.memory.records.tree import (
    CreatePreview,
    DecayPoint,
    DecayRecord,
    ErasePreview,
    FactValue,
    ItemResult,
    MergePreview,
    NodeLine,
    RevisionRecord,
)

NODE_TYPES = ("dir", "leaf")
CATEGORIES = tuple(category.value for category in Category)
TRUSTS = tuple(trust.value for trust in Trust)
ARRIVALS = tuple(arrival.value for arrival in Arrival)
SOURCE_KINDS = ("message", "hook", "import", "node", "person")
OPERATIONS = (
    "create",
    "edit",
    "move",
    "merge",
    "archive",
    "restore",
    "share",
    "approve",
    "supersede",
    "import",
    "undo",
)
TIERS = ("abstract", "overview", "full")
ITEM_STATES = ("created", "updated", "unchanged", "refused")
_VALID_TO = "Since when it no longer holds, or until when it does; null if it has no end."
_TRUST = "Trust, highest first: `direct_user`, `model_inference`, `tool`, `imported`."


class MemorySourceNameSerializer(OutputSerializer[Any]):
    kind = serializers.ChoiceField(choices=SOURCE_KINDS)
    reference = serializers.CharField(help_text="Id of a message, hook event, memory or user, or a name.")


class MemorySourceSerializer(MemorySourceNameSerializer):
    """A source of a memory; for a message that you may read, with its position and beginning."""

    conversation_id = serializers.UUIDField(allow_null=True)
    index = serializers.IntegerField(allow_null=True)
    role = serializers.ChoiceField(choices=MESSAGE_ROLES, allow_null=True)
    name = serializers.CharField(allow_null=True, help_text="The author of the message, if known.")
    quote = serializers.CharField(allow_null=True, help_text="The beginning of the message.")
    conversation_title = serializers.CharField(allow_null=True)


class TierTokensSerializer(OutputSerializer[Any]):
    """Stored token estimates of each tier."""

    abstract = serializers.IntegerField()
    overview = serializers.IntegerField()
    content = serializers.IntegerField()


class DecayPointSerializer(OutputSerializer[DecayPoint]):
    """One point of a memory's relevance curve."""

    day = serializers.FloatField(help_text="Days from now; negative in the past.")
    relevance = serializers.FloatField()


class DecaySerializer(OutputSerializer[DecayRecord]):
    """relevance(t) = max(floor, base_relevance × 0.5 ^ (days since last_access / half_life_days)); 1 where exempt."""

    half_life_days = serializers.IntegerField()
    floor = serializers.FloatField()
    exempt = serializers.BooleanField()
    age_days = serializers.FloatField(
        help_text="Days since the last access or, if never accessed, since the date of the fact."
    )
    curve = DecayPointSerializer(
        many=True,
        help_text="From the last access, at most 180 days ago, to 180 days ahead without further access; includes "
        "day 0. Empty if exempt.",
    )


class MemoryLineSerializer(OutputSerializer[NodeLine]):
    """One row of a tree listing."""

    id = serializers.UUIDField(allow_null=True, help_text="Null for a fixed folder without content.")
    uri = serializers.CharField()
    name = serializers.CharField()
    node_type = serializers.ChoiceField(choices=NODE_TYPES)
    category = serializers.CharField(help_text=f"One of {', '.join(CATEGORIES)}; empty above category level.")
    abstract = serializers.CharField()
    owner_id = serializers.UUIDField(
        allow_null=True, help_text="The only user who sees it; null if the workspace does."
    )
    shared = serializers.BooleanField()
    trust = serializers.ChoiceField(choices=TRUSTS, help_text=_TRUST)
    arrival = serializers.ChoiceField(choices=ARRIVALS)
    relevance = serializers.FloatField()
    archived_at = serializers.DateTimeField(allow_null=True)
    valid_to = serializers.DateTimeField(allow_null=True, help_text=_VALID_TO)
    child_count = serializers.IntegerField()
    depth = serializers.IntegerField(help_text="Number of levels below the requested address.")
    version = serializers.IntegerField()
    updated_at = serializers.DateTimeField(allow_null=True)


class FactValueSerializer(OutputSerializer[FactValue]):
    """An earlier or later value of the same fact."""

    id = serializers.UUIDField()
    uri = serializers.CharField()
    abstract = serializers.CharField()
    value = serializers.CharField()
    valid_from = serializers.DateTimeField(allow_null=True)
    valid_to = serializers.DateTimeField(allow_null=True)


class MemorySerializer(OutputSerializer[Any]):
    """One memory or folder, with the requested tiers."""

    id = serializers.UUIDField()
    uri = serializers.CharField()
    name = serializers.CharField(help_text="The last segment of its address.")
    node_type = serializers.ChoiceField(choices=NODE_TYPES)
    fixed = serializers.BooleanField(
        help_text="Whether it is a root of the tree or of a category, which cannot be changed."
    )
    category = serializers.CharField(help_text=f"One of {', '.join(CATEGORIES)}; empty above category level.")
    owner_id = serializers.UUIDField(
        allow_null=True, help_text="The only user who sees it; null if the workspace does."
    )
    shared = serializers.BooleanField()
    tier = serializers.ChoiceField(choices=TIERS, help_text="The tier that this response contains.")
    abstract = serializers.CharField(help_text="One line, at most 100 tokens.")
    overview = serializers.CharField(allow_null=True, help_text="At most 2,000 tokens; null in a lower tier.")
    content = serializers.CharField(allow_null=True, help_text="The full text; null in a lower tier.")
    tokens = TierTokensSerializer()
    tags = serializers.ListField(child=serializers.CharField())
    trust = serializers.ChoiceField(choices=TRUSTS, help_text=_TRUST)
    inferred = serializers.BooleanField(help_text="Whether it was inferred rather than stated.")
    arrival = serializers.ChoiceField(choices=ARRIVALS, help_text="A proposed memory waits for a person's decision.")
    author_id = serializers.UUIDField(allow_null=True)
    occurred_at = serializers.DateTimeField(help_text="The date of the fact, from which relevance decays.")
    subject = serializers.CharField(help_text="Whom or what a fact is about: `user`, or the name of an entity.")
    attribute = serializers.CharField(help_text="What the fact tells of it; empty if the memory has no such form.")
    value = serializers.CharField()
    many_values = serializers.BooleanField(
        source="many", help_text="Whether the attribute can have several values at once."
    )
    valid_from = serializers.DateTimeField(allow_null=True, help_text="The date of the words that state it.")
    valid_to = serializers.DateTimeField(allow_null=True, help_text=_VALID_TO)
    superseded_by = FactValueSerializer(source="later", allow_null=True, help_text="What holds instead.")
    supersedes = FactValueSerializer(source="earlier", many=True, help_text="What held before it, newest first.")
    archived_at = serializers.DateTimeField(allow_null=True)
    merged_into = serializers.UUIDField(allow_null=True)
    merged_from = serializers.ListField(child=serializers.CharField())
    relevance = serializers.FloatField(help_text="Current relevance.")
    base_relevance = serializers.FloatField()
    last_access = serializers.DateTimeField(allow_null=True)
    access_count = serializers.IntegerField()
    decay = DecaySerializer()
    tiers_by = serializers.CharField(help_text="Author of abstract and overview: a person, the engine or a model.")
    tiers_stale = serializers.BooleanField(help_text="Whether abstract and overview are about to be regenerated.")
    sources = MemorySourceSerializer(many=True)
    child_count = serializers.IntegerField()
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class DiffLineSerializer(OutputSerializer[DiffLine]):
    kind = serializers.ChoiceField(choices=tuple(kind.value for kind in LineKind))
    text = serializers.CharField()
    old = serializers.IntegerField(help_text="Line number in the old text, from 1; 0 if the line is new.")
    new = serializers.IntegerField()


class MemoryRevisionSerializer(OutputSerializer[RevisionRecord]):
    id = serializers.UUIDField()
    change_id = serializers.UUIDField(help_text="Shared by all revisions of one operation; the unit of an undo.")
    number = serializers.IntegerField(help_text="The version that it created.")
    operation = serializers.ChoiceField(choices=OPERATIONS)
    actor_id = serializers.UUIDField(allow_null=True)
    actor_name = serializers.CharField()
    made_by = serializers.CharField(help_text="The model or program, if no person made the change.")
    reason = serializers.CharField()
    undoes = serializers.UUIDField(allow_null=True, help_text="The change that it undid.")
    undone = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    fields = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]  # the metaclass takes it
    before = serializers.JSONField(help_text="Only fields that differ.")
    after = serializers.JSONField()
    hunks = serializers.ListField(
        child=DiffLineSerializer(many=True),
        help_text="Line-by-line diff of the content with context lines.",
    )
    cut = serializers.ListField(
        child=serializers.CharField(),
        help_text="Fields, or `hunks`, that are shortened here; get the single revision for the full texts.",
    )


class ErasePreviewSerializer(OutputSerializer[ErasePreview]):
    count = serializers.IntegerField(help_text="Number of memories and folders that would be deleted permanently.")
    examples = serializers.ListField(child=serializers.CharField(), help_text="Some of their addresses.")


class StoredMemorySerializer(MemorySerializer):
    """A memory as it was stored, or the one with the same text that exists already."""

    existing = serializers.BooleanField(help_text="Whether the memory existed already, so that none was created.")


class CreatePreviewSerializer(OutputSerializer[CreatePreview]):
    """The result of a dry run of creating a memory."""

    uri = serializers.CharField(help_text="The address that it would get.")
    category = serializers.CharField()
    taken = serializers.BooleanField(
        help_text="Whether another memory has the address derived from the name: `uri` then ends with a number. If you "
        "chose the address, creating the memory is rejected."
    )
    existing = serializers.BooleanField(
        help_text="Whether a memory in use has the same text: `uri` is its address, and none is created."
    )


class MergePreviewSerializer(OutputSerializer[MergePreview]):
    """The result of a dry run of a merge."""

    content = serializers.CharField(help_text="The distinct lines of all of them.")
    trust = serializers.ChoiceField(choices=TRUSTS, help_text="The lowest of all of them.")


class ItemResultSerializer(OutputSerializer[ItemResult]):
    position = serializers.IntegerField(help_text="Index of the item in the request, from 0.")
    state = serializers.ChoiceField(choices=ITEM_STATES)
    id = serializers.UUIDField(source="node_id", allow_null=True)
    uri = serializers.CharField(allow_blank=True)
    code = serializers.CharField(allow_blank=True, help_text="Machine-readable reason for a rejection.")
    detail = serializers.CharField(allow_blank=True, help_text="Human-readable reason for a rejection.")


class ItemResultsSerializer(OutputSerializer[Any]):
    created = serializers.IntegerField()
    updated = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    refused = serializers.IntegerField()
    items = ItemResultSerializer(many=True, help_text="One result for each item, in request order.")
