"""Request and response serializers of the context for a new session."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.context.pack_serializers import ENGINE, PRIVATE_MEMORY_HELP, PRIVATE_OMISSIONS
from apps.api.framework.serializers import Choice, Input, OutputSerializer
from apps.api.memory.node_serializers import TRUSTS, MemorySourceNameSerializer
from apps.context.injection_records import InjectedKind
from apps.engine.pack.injection import OmissionReason, Tier
from apps.engine.pack.injection_shares import Section

JSON, TEXT = "json", "text"
DEFAULT_BUDGET, LARGEST_SESSION_BUDGET = 4_000, 20_000
TEXT_BYTES, LARGEST_BYTES = 9_500, 200_000
SECTIONS = tuple(section.value for section in Section)
KINDS = tuple(kind.value for kind in InjectedKind)


class SessionContextQuery(Input):
    token_budget = serializers.IntegerField(
        min_value=100, max_value=LARGEST_SESSION_BUDGET, required=False, default=DEFAULT_BUDGET
    )
    max_bytes = serializers.IntegerField(
        min_value=200,
        max_value=LARGEST_BYTES,
        required=False,
        default=None,
        help_text=f"Cut the text at the end of a line. Plain text has at most {TEXT_BYTES:,} bytes by default.",
    )
    format = Choice(
        choices=(JSON, TEXT),
        required=False,
        default=None,
        help_text="`text` returns the bare text, as `Accept: text/plain` does.",
    )


class InjectedItemSerializer(OutputSerializer[Any]):
    """A memory in the text."""

    id = serializers.UUIDField(allow_null=True, help_text="Null for a folder that is compiled when it is read.")
    kind = serializers.ChoiceField(choices=KINDS)
    uri = serializers.CharField(help_text="Empty for user memory.")
    origin = serializers.CharField(help_text="The line above the quote.")
    tier = serializers.ChoiceField(
        choices=[tier.value for tier in Tier], help_text="`overview_part` is the beginning of an overview."
    )
    text = serializers.CharField()
    tokens = serializers.IntegerField()
    relevance = serializers.FloatField()
    trust = serializers.ChoiceField(choices=TRUSTS, help_text="The lowest of the memories that a folder lists.")
    memory_ids = serializers.ListField(
        child=serializers.UUIDField(), help_text="The memory itself, or those that a folder lists."
    )
    sources = MemorySourceNameSerializer(many=True, help_text="Where the memories come from; at most ten.")


class InjectedSectionSerializer(OutputSerializer[Any]):
    """A section of the text with its tokens."""

    section = serializers.ChoiceField(choices=SECTIONS)
    heading = serializers.CharField()
    share = serializers.IntegerField(help_text="Its own share of the budget without the first line.")
    needed = serializers.IntegerField(help_text="What all of its memories would need.")
    granted = serializers.IntegerField(help_text="With what the other sections cannot use.")
    used = serializers.IntegerField()
    items = InjectedItemSerializer(many=True)


class OmittedMemorySerializer(OutputSerializer[Any]):
    """A memory that was considered and is not in the text."""

    id = serializers.UUIDField(allow_null=True)
    kind = serializers.ChoiceField(choices=KINDS)
    section = serializers.ChoiceField(choices=SECTIONS)
    uri = serializers.CharField()
    origin = serializers.CharField()
    relevance = serializers.FloatField()
    trust = serializers.ChoiceField(choices=TRUSTS)
    reason = serializers.ChoiceField(
        choices=[reason.value for reason in OmissionReason],
        help_text="`proposed` waits for a decision, `superseded` no longer holds, `low_trust` comes from a tool or an"
        " import, `low_relevance` is 0.3 or less, `no_room` did not fit into the budget, `byte_limit` was cut"
        " off. `current_session` is the session's own archive, `already_read` is in a file that the session's agent"
        " has read.",
    )


class SessionContextSerializer(OutputSerializer[Any]):
    conversation_id = serializers.UUIDField(allow_null=True)
    engine = serializers.ChoiceField(choices=ENGINE)
    text = serializers.CharField(help_text="Empty if nothing is known.")
    tokens = serializers.IntegerField()
    bytes = serializers.IntegerField(help_text="Of the text in UTF-8.")
    token_budget = serializers.IntegerField()
    max_bytes = serializers.IntegerField(allow_null=True)
    sections = InjectedSectionSerializer(many=True)
    private_memory = serializers.ChoiceField(choices=PRIVATE_OMISSIONS, allow_null=True, help_text=PRIVATE_MEMORY_HELP)
    omitted = OmittedMemorySerializer(many=True)
