"""An answer in a form: what around it is ignored, and what in it is refused."""

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


class Told(BaseModel):
    words: list[str]
    note: str = ""


def told(provider: AnthropicProvider, server: ProviderServer, text: str) -> Told:
    server.script(Behaviour(text=text))
    return run(provider, provider.complete_structured(REQUEST, Told)).value


@pytest.mark.parametrize(
    "text",
    [
        '{"words": ["a", "b"]}',
        'Here it is:\n```json\n{"words": ["a", "b"]}\n```\nAnything else?',
    ],
)
def test_words_around_the_answer_are_ignored(once: AnthropicProvider, server: ProviderServer, text: str) -> None:
    assert told(once, server, text) == Told(words=["a", "b"])


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
def test_what_is_another_form_is_refused_by_place_and_without_a_quote(
    once: AnthropicProvider, server: ProviderServer, text: str, place: str
) -> None:
    with pytest.raises(ModelError) as caught:
        told(once, server, text)
    assert caught.value.code == "malformed"
    assert place in caught.value.detail
    error: BaseException | None = caught.value
    while error:
        assert "SECRET" not in "".join(traceback.format_exception(error))
        error = error.__context__


def test_what_was_cut_at_the_allowed_length_is_refused(once: AnthropicProvider, server: ProviderServer) -> None:
    server.script(Behaviour(text='{"words": ["a"], "note": {"b": 1}', stop_reason="max_tokens"))
    with pytest.raises(ModelError, match="longer than allowed"):
        run(once, once.complete_structured(REQUEST, Told))
