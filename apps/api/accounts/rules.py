"""Message limits and memory categories, served so that clients need not duplicate them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.framework.serializers import OutputSerializer
from apps.conversations.limits import LONGEST_CONTENT
from apps.engine.memory.categories import RULES, Category, CategoryRules, Merging, Owner, Writer, may_rewrite
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN, ROLE_TOKENS
from apps.engine.tokens.scripts import RANGES

CATEGORIES = tuple(category.value for category in Category)
OWNERS = tuple(owner.value for owner in Owner)
MERGING = tuple(merging.value for merging in Merging)
WRITERS = tuple(writer.value for writer in Writer)


class MessageLimitsSerializer(OutputSerializer[Any]):
    """Estimate a message as the sizes of its characters, in hundredths of a token, plus `message_overhead_tokens`.

    Its stored count is `ceil(characters / characters_per_token) + message_overhead_tokens`.
    """

    message_characters = serializers.IntegerField(help_text="The longest content of a message, in code points.")
    characters_per_token = serializers.IntegerField()
    message_overhead_tokens = serializers.IntegerField()
    character_sizes = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2),
        help_text="Ranges of code points: the first one, and the size of a character from there to the next range.",
    )


class CategorySerializer(OutputSerializer[Any]):
    """One category of the memory tree."""

    name = serializers.ChoiceField(choices=CATEGORIES)
    uri = serializers.CharField(help_text="The address that its memories are below.")
    owner = serializers.ChoiceField(
        choices=OWNERS, help_text="Owner of its memories: a user, the workspace's agents or a session."
    )
    names = serializers.IntegerField(
        help_text="Number of path segments between `uri` and a memory; 2 for `whose/what`."
    )
    directories = serializers.ListField(
        child=serializers.CharField(), help_text="Its fixed folders, from the root of the tree to `uri`."
    )
    merging = serializers.ChoiceField(
        choices=MERGING, help_text="When extraction adds to a stored memory: always, only to a similar one, or never."
    )
    rewritten_by = serializers.ListField(
        child=serializers.ChoiceField(choices=WRITERS), help_text="Who may change what a stored memory says."
    )


def limits() -> dict[str, Any]:
    return {
        "message_characters": LONGEST_CONTENT,
        "characters_per_token": CHARACTERS_PER_TOKEN,
        "message_overhead_tokens": ROLE_TOKENS,
        "character_sizes": RANGES,
    }


def categories() -> list[dict[str, Any]]:
    """Every category in the order in which clients list them."""
    return [_category(category, rules) for category, rules in RULES.items()]


def _category(category: Category, rules: CategoryRules) -> dict[str, Any]:
    return {
        "name": category.value,
        "uri": rules.root.text,
        "owner": rules.owner.value,
        "names": rules.names,
        "directories": [directory.text for directory in rules.directories],
        "merging": rules.merging.value,
        "rewritten_by": [writer.value for writer in Writer if may_rewrite(category, writer)],
    }
