"""Response serializers of sessions."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.agents.selectors.sessions import AGENT, CHAT
from apps.api.agents.serializers import AgentSerializer
from apps.api.conversations.serializers import ConversationQuery
from apps.api.framework.serializers import Choice, OutputSerializer
from apps.api.memory.node_serializers import TRUSTS
from apps.context.selectors.sessions import MOST_MEMORIES, ArchiveRecord
from apps.conversations.records import ACCESS
from apps.extraction.records import MEMORY_STATES, ExtractedMemory


class SessionQuery(ConversationQuery):
    kind = Choice(
        choices=(AGENT, CHAT),
        required=False,
        default=None,
        help_text="Return only sessions of agents, or only other conversations.",
    )


class SessionArchiveSerializer(OutputSerializer[ArchiveRecord]):
    """The summary of a session in the memory tree."""

    id = serializers.UUIDField()
    uri = serializers.CharField()
    abstract = serializers.CharField()
    trust = serializers.ChoiceField(choices=TRUSTS, help_text="Low where it quotes an assistant.")
    updated_at = serializers.DateTimeField()


class SessionArchiveDetailSerializer(SessionArchiveSerializer):
    """The summary of a session with its overview."""

    overview = serializers.CharField()


class SessionSerializer(OutputSerializer[Any]):
    """A conversation, or an agent's session, as a session of yours."""

    id = serializers.UUIDField(help_text="The conversation's.")
    external_id = serializers.CharField(allow_null=True, help_text="Its id where it came from, such as an agent's.")
    title = serializers.CharField()
    message_count = serializers.IntegerField()
    token_total = serializers.IntegerField(help_text="Tokens of all messages ever stored.")
    temporary = serializers.BooleanField()
    access = serializers.ChoiceField(choices=ACCESS)
    archived_at = serializers.DateTimeField(allow_null=True)
    active_at = serializers.DateTimeField(help_text="Time of the last message.")
    created_at = serializers.DateTimeField()
    agent = AgentSerializer(allow_null=True, help_text="Null for a conversation that is no agent's session.")
    archive = SessionArchiveSerializer(
        allow_null=True, help_text="Null until the conversation pauses, and where no memories are made from it."
    )


class SessionMemorySerializer(OutputSerializer[ExtractedMemory]):
    """A memory that was found in a message of the session."""

    memory_id = serializers.UUIDField()
    uri = serializers.CharField()
    statement = serializers.CharField(help_text="What the memory says.")
    state = serializers.ChoiceField(choices=MEMORY_STATES)
    message_id = serializers.UUIDField()
    index = serializers.IntegerField(help_text="Index of the message.")
    url = serializers.CharField(help_text="The memory's.")


class SessionLinksSerializer(OutputSerializer[Any]):
    conversation = serializers.CharField()
    messages = serializers.CharField()
    memories = serializers.CharField()
    session_context = serializers.CharField()
    observations = serializers.CharField()


class SessionDetailSerializer(SessionSerializer):
    """A session with its summary and the memories that came from it."""

    archive = SessionArchiveDetailSerializer(
        allow_null=True, help_text="Null until the conversation pauses, and where no memories are made from it."
    )
    memories = SessionMemorySerializer(
        many=True, help_text=f"In the order of the messages, at most {MOST_MEMORIES}; only for the owner."
    )
    has_more_memories = serializers.BooleanField()
    links = SessionLinksSerializer()
