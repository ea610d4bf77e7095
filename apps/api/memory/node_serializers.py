"""What the endpoints of the memory tree give."""

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
OPERATIONS = ("create", "edit", "move", "merge", "archive", "restore", "share", "approve", "import", "undo")
TIERS = ("abstract", "overview", "full")
ITEM_STATES = ("created", "updated", "unchanged", "refused")
_TRUST = "From the most trusted to the least: `direct_user`, `model_inference`, `tool`, `imported`."


class MemorySourceNameSerializer(OutputSerializer[Any]):
    kind = serializers.ChoiceField(choices=SOURCE_KINDS)
    reference = serializers.CharField(help_text="The id of a message, a hook's event, a memory or a person, or a name.")


class MemorySourceSerializer(MemorySourceNameSerializer):
    """Where it comes from; of a message that you may read, also where that stands."""

    conversation_id = serializers.UUIDField(allow_null=True)
    index = serializers.IntegerField(allow_null=True)
    role = serializers.ChoiceField(choices=MESSAGE_ROLES, allow_null=True)


class TierTokensSerializer(OutputSerializer[Any]):
    """What each tier would cost in a prompt, by the stored estimate."""

    abstract = serializers.IntegerField()
    overview = serializers.IntegerField()
    content = serializers.IntegerField()


class DecayPointSerializer(OutputSerializer[DecayPoint]):
    """One point of a memory's curve of relevance."""

    day = serializers.FloatField(help_text="Days from now; negative in the past.")
    relevance = serializers.FloatField()


class DecaySerializer(OutputSerializer[DecayRecord]):
    """relevance(t) = max(floor, base_relevance × 0.5 ^ (days since last_access / half_life_days)); 1 where exempt."""

    half_life_days = serializers.IntegerField()
    floor = serializers.FloatField()
    exempt = serializers.BooleanField()
    age_days = serializers.FloatField(help_text="Days since the last access, or else since the date of the fact.")
    curve = DecayPointSerializer(
        many=True,
        help_text="From the last access, but at most 180 days ago, to 180 days ahead if nothing accesses it; day 0 is "
        "among them. Empty where exempt.",
    )


class MemoryLineSerializer(OutputSerializer[NodeLine]):
    """One row of a listing."""

    id = serializers.UUIDField(allow_null=True, help_text="Null for a fixed directory that holds nothing yet.")
    uri = serializers.CharField()
    name = serializers.CharField()
    node_type = serializers.ChoiceField(choices=NODE_TYPES)
    category = serializers.CharField(help_text=f"One of {', '.join(CATEGORIES)}; empty above them.")
    abstract = serializers.CharField()
    owner_id = serializers.UUIDField(allow_null=True, help_text="Who alone sees it; null where all of you do.")
    shared = serializers.BooleanField()
    trust = serializers.ChoiceField(choices=TRUSTS, help_text=_TRUST)
    arrival = serializers.ChoiceField(choices=ARRIVALS)
    relevance = serializers.FloatField()
    archived_at = serializers.DateTimeField(allow_null=True)
    child_count = serializers.IntegerField()
    depth = serializers.IntegerField(help_text="How far below the address that was asked for.")
    version = serializers.IntegerField()
    updated_at = serializers.DateTimeField(allow_null=True)


class MemorySerializer(OutputSerializer[Any]):
    """One address of the tree, in as many tiers as were asked for."""

    id = serializers.UUIDField()
    uri = serializers.CharField()
    name = serializers.CharField(help_text="The last part of its address.")
    node_type = serializers.ChoiceField(choices=NODE_TYPES)
    fixed = serializers.BooleanField(help_text="A root of the tree or of a category, which cannot be changed.")
    category = serializers.CharField(help_text=f"One of {', '.join(CATEGORIES)}; empty above them.")
    owner_id = serializers.UUIDField(allow_null=True, help_text="Who alone sees it; null where all of you do.")
    shared = serializers.BooleanField()
    tier = serializers.ChoiceField(choices=TIERS, help_text="How much of it this answer holds.")
    abstract = serializers.CharField(help_text="One line, at most 100 tokens.")
    overview = serializers.CharField(allow_null=True, help_text="At most 2,000 tokens; null in a lower tier.")
    content = serializers.CharField(allow_null=True, help_text="All of it; null in a lower tier.")
    tokens = TierTokensSerializer()
    tags = serializers.ListField(child=serializers.CharField())
    trust = serializers.ChoiceField(choices=TRUSTS, help_text=_TRUST)
    inferred = serializers.BooleanField(help_text="It was concluded, not said.")
    arrival = serializers.ChoiceField(choices=ARRIVALS, help_text="What is proposed waits for a person.")
    author_id = serializers.UUIDField(allow_null=True)
    occurred_at = serializers.DateTimeField(help_text="The date of the fact, from which it fades.")
    archived_at = serializers.DateTimeField(allow_null=True)
    merged_into = serializers.UUIDField(allow_null=True)
    merged_from = serializers.ListField(child=serializers.CharField())
    relevance = serializers.FloatField(help_text="Now.")
    base_relevance = serializers.FloatField()
    last_access = serializers.DateTimeField(allow_null=True)
    access_count = serializers.IntegerField()
    decay = DecaySerializer()
    tiers_by = serializers.CharField(help_text="Who wrote abstract and overview: a person, the engine or a model.")
    tiers_stale = serializers.BooleanField(help_text="They are about to be made anew.")
    sources = MemorySourceSerializer(many=True)
    child_count = serializers.IntegerField()
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class DiffLineSerializer(OutputSerializer[DiffLine]):
    kind = serializers.ChoiceField(choices=tuple(kind.value for kind in LineKind))
    text = serializers.CharField()
    old = serializers.IntegerField(help_text="Its number in the old text, from one on; zero where it is not in there.")
    new = serializers.IntegerField()


class MemoryRevisionSerializer(OutputSerializer[RevisionRecord]):
    id = serializers.UUIDField()
    change_id = serializers.UUIDField(help_text="Shared by all that one operation did; what an undo takes back.")
    number = serializers.IntegerField(help_text="The version that it made.")
    operation = serializers.ChoiceField(choices=OPERATIONS)
    actor_id = serializers.UUIDField(allow_null=True)
    actor_name = serializers.CharField()
    made_by = serializers.CharField(help_text="The model or program, where no person wrote.")
    reason = serializers.CharField()
    undoes = serializers.UUIDField(allow_null=True, help_text="The change that it took back.")
    undone = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    fields = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]  # the metaclass takes it
    before = serializers.JSONField(help_text="Only what differs.")
    after = serializers.JSONField()
    hunks = serializers.ListField(
        child=DiffLineSerializer(many=True),
        help_text="What differs in the content, line by line, with lines around it.",
    )
    cut = serializers.ListField(
        child=serializers.CharField(),
        help_text="Of which fields, or of `hunks`, only the beginning is told; one revision alone is told whole.",
    )


class ErasePreviewSerializer(OutputSerializer[ErasePreview]):
    count = serializers.IntegerField(help_text="How many memories and directories would be gone for good.")
    examples = serializers.ListField(child=serializers.CharField(), help_text="Some of their addresses.")


class CreatePreviewSerializer(OutputSerializer[CreatePreview]):
    """The answer to a dry run of writing a memory."""

    uri = serializers.CharField(help_text="The address that it would get.")
    category = serializers.CharField()
    taken = serializers.BooleanField(
        help_text="Another memory has the address that the name makes: `uri` then ends with a number, or, where you "
        "chose the address, writing it is refused."
    )


class MergePreviewSerializer(OutputSerializer[MergePreview]):
    """The answer to a dry run of a merge."""

    content = serializers.CharField(help_text="Every line of all of them, each once.")
    trust = serializers.ChoiceField(choices=TRUSTS, help_text="The lowest of all of them.")


class ItemResultSerializer(OutputSerializer[ItemResult]):
    position = serializers.IntegerField(help_text="Its place among what was sent, from zero on.")
    state = serializers.ChoiceField(choices=ITEM_STATES)
    node_id = serializers.UUIDField(allow_null=True)
    uri = serializers.CharField(allow_blank=True)
    code = serializers.CharField(allow_blank=True, help_text="Why it was refused; for programs.")
    detail = serializers.CharField(allow_blank=True, help_text="The same for people.")


class ItemResultsSerializer(OutputSerializer[Any]):
    created = serializers.IntegerField()
    updated = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    refused = serializers.IntegerField()
    items = ItemResultSerializer(many=True, help_text="One for each that was sent, in its order.")
