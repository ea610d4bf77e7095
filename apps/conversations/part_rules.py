"""Fields of each kind of part, and the messages that may contain it: the same for the API and imports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apps.engine.messages.message import PartKind, Role

MOST_PARTS = 200
LONGEST_CALL_ID = 200
# Keeps the token total of a message with all parts within the range of its column.
MOST_REASONING_TOKENS = 10_000_000
LONGEST_URL = 200_000
"""Characters of an address, or of a `data:` URL with the content itself."""
LONGEST_SIGNATURE = 100_000

_NOT_SYSTEM = frozenset({Role.USER.value, Role.ASSISTANT.value, Role.TOOL.value})

FIELDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        PartKind.TEXT.value: frozenset({"text"}),
        PartKind.TOOL_CALL.value: frozenset({"text", "call_id", "name"}),
        PartKind.TOOL_RESULT.value: frozenset({"text", "call_id", "name", "summary", "is_error"}),
        PartKind.REASONING.value: frozenset({"text", "tokens", "signature", "is_redacted"}),
        PartKind.IMAGE.value: frozenset({"url", "media_type", "name", "text"}),
        PartKind.FILE.value: frozenset({"url", "media_type", "name", "text"}),
    }
)
NEEDED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        PartKind.TEXT.value: frozenset({"text"}),
        PartKind.TOOL_CALL.value: frozenset({"call_id", "name"}),
        PartKind.TOOL_RESULT.value: frozenset({"call_id"}),
        PartKind.REASONING.value: frozenset(),
        PartKind.IMAGE.value: frozenset({"url"}),
        PartKind.FILE.value: frozenset(),
    }
)
ROLES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        PartKind.TEXT.value: frozenset(role.value for role in Role),
        PartKind.TOOL_CALL.value: frozenset({Role.ASSISTANT.value}),
        PartKind.TOOL_RESULT.value: frozenset({Role.TOOL.value, Role.USER.value}),
        PartKind.REASONING.value: frozenset({Role.ASSISTANT.value}),
        PartKind.IMAGE.value: _NOT_SYSTEM,
        PartKind.FILE.value: _NOT_SYSTEM,
    }
)
SAME_ROLE: Mapping[str, str] = MappingProxyType({"developer": Role.SYSTEM.value})
"""Roles of other APIs by the role that they are stored as."""
