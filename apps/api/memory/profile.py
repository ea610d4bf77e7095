"""Endpoint of the profile: what the memory tree and user memory say about the user."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import OutputSerializer
from apps.api.framework.views import WorkspaceView
from apps.api.memory.node_serializers import TRUSTS, MemorySourceNameSerializer
from apps.engine.summary.rendering import MemoryItem
from apps.memory.records import USER_MEMORY_TYPES
from apps.memory.selectors.profile import ProfileMemory, ProfileRecord, profile_get


class ProfileItemSerializer(OutputSerializer[MemoryItem]):
    """An item of user memory."""

    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=USER_MEMORY_TYPES)
    key = serializers.CharField()
    content = serializers.CharField()


class ProfileMemorySerializer(OutputSerializer[ProfileMemory]):
    """A memory of the profile."""

    id = serializers.UUIDField()
    uri = serializers.CharField()
    abstract = serializers.CharField()
    overview = serializers.CharField()
    trust = serializers.ChoiceField(choices=TRUSTS)
    inferred = serializers.BooleanField(help_text="Whether a model or a rule inferred it.")
    relevance = serializers.FloatField()
    occurred_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    sources = MemorySourceNameSerializer(many=True)


class ProfileSerializer(OutputSerializer[ProfileRecord]):
    user_memory = ProfileItemSerializer(
        many=True, help_text="Active items: constraints, preferences, definitions, facts; the newest of each first."
    )
    memories = ProfileMemorySerializer(
        many=True, help_text="Those that hold now: ways of communicating first, then those that were used last."
    )


class ProfileView(WorkspaceView):
    @extend_schema(responses=ProfileSerializer)
    def get(self, request: ApiRequest) -> Response:
        """Get your profile

        Returns what you wrote about yourself and the memories below `mem://user/profile` with their sources, at most
        100 of each. Reading them does not count as a use.
        """
        return Response(ProfileSerializer(profile_get(request.actor)).data)
