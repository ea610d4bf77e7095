"""Request and response serializers of turns."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.conversations.message_serializers import PartInput
from apps.api.conversations.serializers import ExactText
from apps.api.framework.serializers import Choice, Input, OutputSerializer, Text, TokenBudget
from apps.conversations.limits import LONGEST_EXTERNAL_ID, LONGEST_NAME

_ROLES = ("user", "tool")
_BUDGET = "Defaults to the policy's, raised as far as the message requires; limited by the model's context window."


class RetryInput(Input):
    token_budget = TokenBudget(help_text=_BUDGET)


class TurnInput(RetryInput):
    """A message to the model, or a tool's result. Content is stored exactly as sent."""

    role = Choice(choices=_ROLES, required=False, default="user")
    content = ExactText(required=False, allow_blank=True, default="")
    name = Text(max_length=LONGEST_NAME, required=False, allow_blank=True, default="", help_text="The author.")
    parts = serializers.ListField(child=PartInput(), max_length=200, required=False, default=list)
    external_id = Text(max_length=LONGEST_EXTERNAL_ID, required=False, allow_null=True, default=None)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not (attrs["content"].strip() or attrs["parts"]):
            raise serializers.ValidationError({"content": "A message needs content or parts."}, code="empty_message")
        return attrs


class StoppingSerializer(OutputSerializer[Any]):
    reply_id = serializers.UUIDField()
