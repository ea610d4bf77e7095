"""URL path converters for model providers; unknown providers do not match."""

from __future__ import annotations

from apps.llm.routing.providers import KEYED_IDS


class KeyedBackend:
    """A provider that requires a key."""

    regex = "|".join(KEYED_IDS)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value
