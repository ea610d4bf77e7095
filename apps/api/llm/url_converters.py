"""Backends as steps of an address; what is none of them is no address."""

from __future__ import annotations

from apps.llm.routing.providers import KEYED_IDS


class KeyedBackend:
    """One that is asked with a key."""

    regex = "|".join(KEYED_IDS)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value
