"""Request and response serializers of agent-loop trimming."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.conversations.message_serializers import MessageInput, PartSerializer
from apps.api.framework.serializers import Input, OutputSerializer, Whole
from apps.conversations.records import MESSAGE_ROLES
from apps.engine.pack.agent_loop_layouts import SUMMARY_TOKENS, Form
from apps.engine.pack.negotiation import LARGEST_BUDGET

MOST_MESSAGES = 2_000
FORMS = tuple(form.value for form in Form)


class LoopInput(Input):
    """Messages, oldest first. A tool result may have its own `summary`; reasoning counts even if it is hidden."""

    context_limit = Whole(
        min_value=1, max_value=LARGEST_BUDGET, help_text="Token limit for all three sections together."
    )
    in_loop = serializers.ListField(
        child=MessageInput(),
        max_length=MOST_MESSAGES,
        default=list,
        help_text="Messages of the current agent loop so far.",
    )
    current = serializers.ListField(
        child=MessageInput(),
        min_length=1,
        max_length=MOST_MESSAGES,
        help_text="The newest model message and its tool results.",
    )
    summary_tokens = Whole(
        min_value=16, max_value=LARGEST_BUDGET, default=SUMMARY_TOKENS, help_text="Maximum tokens of a summary."
    )


class TrimInput(LoopInput):
    history = serializers.ListField(
        child=MessageInput(),
        max_length=MOST_MESSAGES,
        default=list,
        help_text="Messages before the current agent loop.",
    )


class LayoutSerializer(OutputSerializer[Any]):
    history = serializers.ChoiceField(choices=FORMS)
    in_loop = serializers.ChoiceField(choices=FORMS)
    current = serializers.ChoiceField(choices=FORMS)


class FormCostsSerializer(OutputSerializer[Any]):
    full = serializers.IntegerField()
    tool_summary = serializers.IntegerField()
    summary = serializers.IntegerField()


class LoopCostsSerializer(OutputSerializer[Any]):
    history = FormCostsSerializer()
    in_loop = FormCostsSerializer()
    current = FormCostsSerializer()


class TrimmedMessageSerializer(OutputSerializer[Any]):
    role = serializers.ChoiceField(choices=MESSAGE_ROLES)
    name = serializers.CharField()
    content = serializers.CharField()
    parts = PartSerializer(many=True)


class TrimmedSerializer(OutputSerializer[Any]):
    layout = LayoutSerializer()
    in_loop = TrimmedMessageSerializer(
        many=True, help_text="Messages of the loop and the current message to send, in order."
    )
    summary = serializers.CharField(help_text="Sent instead of the history; empty if the history is sent in full.")
    tokens = serializers.IntegerField(help_text="Tokens of all three sections in their chosen forms.")
    costs = LoopCostsSerializer(help_text="Tokens of each section in each form.")
    should_dump_summary = serializers.BooleanField(
        help_text="Whether the history will soon no longer fit; a stored conversation is then compacted."
    )
    estimator = serializers.CharField(help_text="Name of the estimator that counted the tokens.")
