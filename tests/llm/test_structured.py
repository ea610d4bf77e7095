"""Parsing and validation of structured answers."""

from __future__ import annotations

import traceback

import pytest
from pydantic import BaseModel

from apps.llm.errors import ModelError
from apps.llm.providers.anthropic import AnthropicProvider
from apps.llm.providers.base import ModelRequest, Prompt, Purpose
from tests.llm.conftest import run
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

REQUEST = ModelRequest(Purpose.MERGE, "claude-test", Prompt("", "Hello"))


class Parsed(BaseModel):
    words: list[str]
    note: str = ""


def parsed(provider: AnthropicProvider, server: ProviderServer, text: str) -> Parsed:
    server.script(Behaviour(text=text))
    return run(provider, provider.complete_structured(REQUEST, Parsed)).value


@pytest.mark.parametrize(
    "text",
    [
        '{"words": ["a", "b"]}',
        'Here it is:\n```json\n{"words": ["a", "b"]}\n```\nAnything else?',
    ],
)
def test_prose_around_the_answer_is_ignored(once: AnthropicProvider, server: ProviderServer, text: str) -> None:
    assert parsed(once, server, text) == Parsed(words=["a", "b"])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"words": "a"}', "words: list_type"),
        ('{"words": ["SECRET", 7]}', "words.1: string_type"),
        ('{"words": ["SECRET",],}', "answer: json_invalid"),
        ('{"words": ["SECRET" "SECRET"]}', "answer: json_invalid"),
        ("{words: ['SECRET']}", "answer: json_invalid"),
        ('{"words": ["SECRET"}', "answer: json_invalid"),
        ("{}", "words: missing"),
        ("SECRET {x}", "answer: json_invalid"),
        ("SECRET", "answer: json_invalid"),
        ('{"words": ' + "[" * 20_000 + "}", "answer: json_invalid"),
    ],
    ids=[
        "type",
        "inner type",
        "trailing comma",
        "missing comma",
        "quotes",
        "bracket",
        "missing",
        "braces",
        "prose",
        "deep",
    ],
)
def test_an_invalid_answer_is_reported_by_location_without_quoting_it(
    once: AnthropicProvider, server: ProviderServer, text: str, place: str
) -> None:
    with pytest.raises(ModelError) as caught:
        parsed(once, server, text)
    assert caught.value.code == "malformed"
    assert place in caught.value.detail
    error: BaseException | None = caught.value
    while error:
        assert "SECRET" not in "".join(traceback.format_exception(error))
        error = error.__context__


def test_a_structured_answer_cut_at_its_limit_is_rejected(once: AnthropicProvider, server: ProviderServer) -> None:
    server.script(Behaviour(text='{"words": ["a"], "note": {"b": 1}', stop_reason="max_tokens"))
    with pytest.raises(ModelError, match="longer than allowed"):
        run(once, once.complete_structured(REQUEST, Parsed))
