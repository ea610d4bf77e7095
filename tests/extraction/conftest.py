"""A fake model server whose answers about memories are scripted, and a reader that takes every sentence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apps.engine.language.sentences import sentence_spans
from apps.engine.memory.categories import Category
from apps.engine.reading.chances import MessageInput, MessageRead, SpanRead
from apps.extraction.services import plan
from apps.llm.providers.anthropic import sdk_load
from tests.engine.extraction.talk import read_of, span_of
from tests.providers.fixtures import provider, server
from tests.providers.server import ProviderServer

__all__ = ["every_sentence", "model", "provider", "server"]


@pytest.fixture
def model(provider: ProviderServer) -> ProviderServer:
    # Short timeouts must not include the first import of the SDK.
    sdk_load()
    provider.scripts_memories = True
    return provider


@pytest.fixture
def every_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what surrounds the reading: every sentence of a message is an event."""

    def read(messages: Sequence[MessageInput]) -> list[MessageRead]:
        return [read_of(*_sentences(message.text)) for message in messages]

    monkeypatch.setattr(plan, "read_messages", read)


def _sentences(text: str) -> list[SpanRead]:
    quotes = [text[start:end].strip().rstrip(".") for start, end in sentence_spans(text)]
    return [span_of(text, quote, category=Category.EVENTS) for quote in quotes if quote]
