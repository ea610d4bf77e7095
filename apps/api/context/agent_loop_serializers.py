"""What trimming an agent's loop takes and gives."""

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
    """Messages are oldest first. A tool's result may bring its own `summary`; reasoning counts, shown or not."""

    context_limit = Whole(min_value=1, max_value=LARGEST_BUDGET, help_text="In tokens, for all three sections.")
    in_loop = serializers.ListField(
        child=MessageInput(), max_length=MOST_MESSAGES, default=list, help_text="What this request's loop said so far."
    )
    current = serializers.ListField(
        child=MessageInput(), min_length=1, max_length=MOST_MESSAGES, help_text="The newest answer, and its results."
    )
    summary_tokens = Whole(
        min_value=16, max_value=LARGEST_BUDGET, default=SUMMARY_TOKENS, help_text="How long a summary may be."
    )


class TrimInput(LoopInput):
    history = serializers.ListField(
        child=MessageInput(), max_length=MOST_MESSAGES, default=list, help_text="What was said before this request."
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
    in_loop = TrimmedMessageSerializer(many=True, help_text="To send of loop and current message, in their order.")
    summary = serializers.CharField(help_text="To send in the history's place; empty where the history is sent itself.")
    tokens = serializers.IntegerField(help_text="Of all three sections in their forms.")
    costs = LoopCostsSerializer(help_text="Tokens of each section in each form.")
    should_dump_summary = serializers.BooleanField(
        help_text="The history will hardly fit much longer; a conversation kept here is compacted then."
    )
    estimator = serializers.CharField(help_text="How the tokens are counted.")
