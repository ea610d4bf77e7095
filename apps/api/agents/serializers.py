"""Request and response serializers of agents' events, sessions and observations."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.agents.records import CLIENT_KINDS, OBSERVATION_KINDS, STATUSES, AgentRecord, BatchResult, ObservationRecord
from apps.api.framework.serializers import Input, OutputSerializer

MOST_EVENTS = 100


class HookQuery(Input):
    recall = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Answer a prompt with what a search retrieves for it, where the client takes it.",
    )


class HookEventSerializer(serializers.Serializer[Any]):
    """One event as the client's hook received it, with whatever else the client sends."""

    hook_event_name = serializers.CharField(max_length=100, help_text="VS Code names it `hookEventName`.")


class AnyEvent(serializers.JSONField):
    """An event that is read separately, so that an error affects only that event."""


class HookBatchInput(Input):
    events = serializers.ListField(child=AnyEvent(), min_length=1, max_length=MOST_EVENTS)


class SpooledEventSerializer(serializers.Serializer[Any]):
    """An event that waited on the client's disk."""

    id = serializers.UUIDField(help_text="Of the event in the spool; a repeated one is stored once.")
    recorded_at = serializers.DateTimeField(required=False, help_text="When it happened.")
    payload = HookEventSerializer()


class HookBatchBodySerializer(serializers.Serializer[Any]):
    """Events in the order in which they happened. Invalid ones are reported and do not affect the others."""

    events = serializers.ListField(child=SpooledEventSerializer(), min_length=1, max_length=MOST_EVENTS)


class EventProblemSerializer(serializers.Serializer[Any]):
    """Why an event was refused. Sending it again would not help."""

    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    pointer = serializers.CharField(allow_blank=True, help_text="A JSON pointer into the payload or the body.")


class EventResultSerializer(OutputSerializer[BatchResult]):
    """The result of an event, in the order of the request."""

    id = serializers.UUIDField(allow_null=True)
    status = serializers.ChoiceField(
        choices=STATUSES,
        help_text="`repeated` was stored before; `ignored` has a name that is not known, or belongs to a session that"
        " you deleted.",
    )
    problem = EventProblemSerializer(allow_null=True)


class HookBatchSerializer(OutputSerializer[Any]):
    results = EventResultSerializer(many=True)


class AgentSerializer(OutputSerializer[AgentRecord]):
    """A coding agent's session."""

    client = serializers.ChoiceField(choices=CLIENT_KINDS)
    project = serializers.CharField(help_text="Name of the directory that it works in.")
    cwd = serializers.CharField()
    model = serializers.CharField()
    started_at = serializers.DateTimeField()
    last_event_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    end_reason = serializers.CharField(
        help_text="As the agent reported it, or `inactive` if no event arrived for 15 minutes."
    )
    prompt_count = serializers.IntegerField()
    tool_count = serializers.IntegerField()


class ObservationSerializer(OutputSerializer[ObservationRecord]):
    """Something that happened in an agent's session and is no message."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=OBSERVATION_KINDS)
    tool_name = serializers.CharField()
    title = serializers.CharField(help_text="One line, such as `Edit apps/x.py`.")
    digest = serializers.CharField(help_text="An excerpt of the result.")
    files = serializers.ListField(child=serializers.CharField())
    is_error = serializers.BooleanField()
    agent_id = serializers.CharField(help_text="Of the subagent that it happened in, if any.")
    message_id = serializers.UUIDField(allow_null=True, help_text="The message with the result.")
    details = serializers.JSONField(
        help_text="Of a compaction: the agent's `summary`, how many lines of ours were `compared`, and those `lost`."
    )
    occurred_at = serializers.DateTimeField()
