"""A simulation of Anthropic's prompt cache and its token counts."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

MOST_BREAKPOINTS = 4
_LIFETIME_S = 300
_SHORTEST_TOKENS = 1_024
_BLOCKS_LOOKED_BACK = 20
_CHARACTERS_IN_TOKEN = 4


class PromptCache:
    """Caches the prefix up to each breakpoint of a request, by model, for five minutes after its last use."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._used: dict[str, float] = {}

    def read(self, body: Mapping[str, Any]) -> dict[str, int]:
        """Process a request: its uncached, cache read and cache write tokens."""
        places = list(_places(body))
        breaks = [number for number, place in enumerate(places) if place.breaks]
        known = max((self._known(places, number) for number in breaks), default=0)
        for number in breaks:
            if places[number].tokens >= _SHORTEST_TOKENS:
                self._used[places[number].key] = self._now()
        cacheable = max((places[number].tokens for number in breaks), default=0)
        written = max(cacheable - known, 0) if cacheable >= _SHORTEST_TOKENS else 0
        total = places[-1].tokens if places else 0
        return {
            "input_tokens": total - known - written,
            "cache_read_input_tokens": known,
            "cache_creation_input_tokens": written,
        }

    def forget(self) -> None:
        self._used.clear()

    def _known(self, places: list[_Place], breakpoint: int) -> int:
        """The tokens of the longest cached prefix that ends at the breakpoint or at a block before it."""
        for place in reversed(places[max(breakpoint + 1 - _BLOCKS_LOOKED_BACK, 0) : breakpoint + 1]):
            used = self._used.get(place.key)
            if used is not None and self._now() - used < _LIFETIME_S:
                self._used[place.key] = self._now()
                return place.tokens
        return 0


class _Place:
    """The end of a block: the prefix up to it as a key, and its tokens."""

    def __init__(self, key: str, characters: int, breaks: bool) -> None:
        self.key, self.tokens, self.breaks = key, characters // _CHARACTERS_IN_TOKEN, breaks


def tokens_of(body: Mapping[str, Any]) -> int:
    return max((place.tokens for place in _places(body)), default=0)


def breakpoints_of(body: Mapping[str, Any]) -> int:
    return sum(place.breaks for place in _places(body))


def _places(body: Mapping[str, Any]) -> Iterator[_Place]:
    so_far, characters = hashlib.sha256(str(body.get("model")).encode()), 0
    for role, block in _blocks(body):
        text = json.dumps([role, {name: value for name, value in block.items() if name != "cache_control"}])
        so_far.update(text.encode())
        characters += len(text)
        yield _Place(so_far.hexdigest(), characters, "cache_control" in block)


def _blocks(body: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The ends of all blocks in order: tools, system prompt, messages."""
    yield from (("tools", tool) for tool in body.get("tools", ()))
    yield from (("system", block) for block in _as_blocks(body.get("system", ())))
    for message in body["messages"]:
        yield from ((message["role"], block) for block in _as_blocks(message["content"]))


def _as_blocks(content: Any) -> Any:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
