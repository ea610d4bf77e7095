"""Backends as steps of an address; what is none of them is no address."""

from __future__ import annotations

from apps.llm.backends import KEYED, Backend


class KeyedBackend:
    """One that is asked with a key."""

    regex = "|".join(sorted(KEYED))

    def to_python(self, value: str) -> Backend:
        return Backend(value)

    def to_url(self, value: str) -> str:
        return value
