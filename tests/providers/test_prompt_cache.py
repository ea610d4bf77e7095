"""The simulated prompt cache: prefixes, models, expiry, and lookback."""

from __future__ import annotations

from typing import Any

import pytest

from tests.providers.prompt_cache import PromptCache, tokens_of

LONG = "The harbour was built in the year of the great flood. " * 100


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(clock: Clock) -> PromptCache:
    return PromptCache(clock)


def text(words: str, breaks: bool = False) -> dict[str, Any]:
    return {"type": "text", "text": words} | ({"cache_control": {"type": "ephemeral"}} if breaks else {})


def body(*blocks: dict[str, Any], system: str = LONG, model: str = "m") -> dict[str, Any]:
    return {"model": model, "system": [text(system, True)], "messages": [{"role": "user", "content": list(blocks)}]}


def counts(cache: PromptCache, request: dict[str, Any]) -> tuple[int, int, int]:
    """Uncached, cache read and cache write tokens, which add up to all tokens."""
    usage = cache.read(request)
    assert sum(usage.values()) == tokens_of(request)
    return usage["input_tokens"], usage["cache_read_input_tokens"], usage["cache_creation_input_tokens"]


def test_a_prefix_is_written_once_and_then_read(cache: PromptCache) -> None:
    new, read, written = counts(cache, body(text("Hi")))
    assert (read, written > 1_024, new < 50) == (0, True, True)
    assert counts(cache, body(text("Ho"))) == (new, written, 0)


def test_content_after_the_last_breakpoint_is_never_cached(cache: PromptCache) -> None:
    for _ in range(2):
        new, _, _ = counts(cache, body(text(LONG)))
        assert new > 1_024


def test_a_longer_conversation_writes_only_the_new_part(cache: PromptCache) -> None:
    _, _, first = counts(cache, body(text("One " + LONG, True)))
    _, read, written = counts(cache, body(text("One " + LONG), text("Two", True)))
    assert (read, 0 < written < 50) == (first, True)


def test_a_prefix_below_the_minimum_is_not_cached(cache: PromptCache) -> None:
    for _ in range(2):
        assert counts(cache, body(text("Hi"), system="Be brief."))[1:] == (0, 0)


@pytest.mark.parametrize("change", [{"model": "another"}, {"system": LONG + "!"}], ids=["model", "beginning"])
def test_another_model_or_prefix_misses_the_cache(cache: PromptCache, change: dict[str, Any]) -> None:
    counts(cache, body(text("Hi")))
    assert counts(cache, body(text("Hi"), **change))[1] == 0


def test_the_role_is_part_of_the_prefix(cache: PromptCache) -> None:
    original = body(text(LONG, True), system="s")
    counts(cache, original)
    other = {**original, "messages": [{"role": "assistant", "content": original["messages"][0]["content"]}]}
    assert counts(cache, other)[1] == 0


def test_a_prefix_expires_five_minutes_after_its_last_use(cache: PromptCache, clock: Clock) -> None:
    seen = []
    for clock.now in (0, 299, 597, 898):
        seen.append(counts(cache, body(text("Hi")))[1] > 0)
    assert seen == [False, True, True, False]


@pytest.mark.parametrize(("added", "known"), [(19, True), (20, False)])
def test_a_lookup_goes_back_at_most_twenty_blocks(cache: PromptCache, added: int, known: bool) -> None:
    def conversation(*blocks: dict[str, Any]) -> dict[str, Any]:
        return {"model": "m", "messages": [{"role": "user", "content": list(blocks)}]}

    counts(cache, conversation(text(LONG, True)))
    more = [text(f"More {number}", number == added - 1) for number in range(added)]
    assert (counts(cache, conversation(text(LONG), *more))[1] > 0) is known
