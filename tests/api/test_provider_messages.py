"""Messages as the providers' SDKs write them are stored whole, and packs give them back in either provider's form."""

from __future__ import annotations

import json
from typing import Any

import pytest
from anthropic.types import Message, TextBlock, ThinkingBlock, ToolUseBlock, Usage
from openai.types.chat import ChatCompletionMessage
from openai.types.chat.chat_completion_message_function_tool_call import ChatCompletionMessageFunctionToolCall, Function
from rest_framework.test import APIClient

from apps.accounts.actors import Actor
from tests.people import client_of

pytestmark = pytest.mark.django_db
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
DATA_URL = f"data:image/png;base64,{PIXEL}"
CALL = ChatCompletionMessageFunctionToolCall(
    id="call_1", type="function", function=Function(name="list_files", arguments='{"path":"."}')
)


class Chat:
    """A conversation to which messages are sent."""

    def __init__(self, alice: Actor) -> None:
        self.client: APIClient = client_of(alice)
        self.api = f"/api/conversations/{self.client.post('/api/conversations', {}).json()['id']}"

    def send(self, *messages: Any) -> Any:
        return self.client.post(f"{self.api}/messages", {"messages": list(messages)})

    def stored(self, *messages: Any) -> list[dict[str, Any]]:
        answer = self.send(*messages)
        assert answer.status_code == 201, answer.content
        data: list[dict[str, Any]] = answer.json()["data"]
        return data

    def rendered(self, form: str) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.client.get(f"{self.api}/context?format={form}").json()["rendered"][
            "messages"
        ]
        return messages


@pytest.fixture
def chat(alice: Actor) -> Chat:
    return Chat(alice)


def image(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def openai_loop() -> list[dict[str, Any]]:
    """A question with an image, a call by the SDK's own object, its result, and the reply."""
    question = [
        {"type": "text", "text": "What is in this picture, and in my folder?"},
        {"type": "image_url", "image_url": {"url": "https://example.org/cat.png", "detail": "low"}},
    ]
    return [
        {"role": "user", "content": question},
        ChatCompletionMessage(role="assistant", content=None, tool_calls=[CALL]).model_dump(),
        {"role": "tool", "tool_call_id": "call_1", "content": [{"type": "text", "text": "cat.png"}]},
        ChatCompletionMessage(role="assistant", content="A cat, and its picture.").model_dump(),
    ]


def anthropic_loop() -> list[dict[str, Any]]:
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    reply = Message(
        id="msg_1",
        type="message",
        role="assistant",
        model="claude-sonnet-4-5",
        stop_reason="tool_use",
        usage=Usage(input_tokens=10, output_tokens=5),
        content=[
            ThinkingBlock(type="thinking", thinking="I should look.", signature="c2lnbmVk"),
            TextBlock(type="text", text="I look."),
            ToolUseBlock(type="tool_use", id="toolu_1", name="list_files", input={"path": "."}),
        ],
    )
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "is_error": True, "content": "no such folder"}
    return [
        {"role": "user", "content": [{"type": "image", "source": source}, {"type": "text", "text": "What is it?"}]},
        reply.model_dump(),
        {"role": "user", "content": [result]},
    ]


def test_a_loop_of_openai_s_sdk_is_stored_with_its_parts(chat: Chat) -> None:
    question, call, result, reply = chat.stored(*openai_loop())
    assert question["content"] == "What is in this picture, and in my folder?"
    assert question["parts"] == [{"kind": "image", "url": "https://example.org/cat.png"}]
    assert call["parts"] == [{"kind": "tool_call", "call_id": "call_1", "name": "list_files", "text": '{"path":"."}'}]
    assert result["parts"] == [{"kind": "tool_result", "call_id": "call_1", "text": "cat.png"}]
    assert (reply["content"], reply["parts"]) == ("A cat, and its picture.", [])


def test_a_loop_of_anthropic_s_sdk_is_stored_with_its_parts(chat: Chat) -> None:
    question, reply, result = chat.stored(*anthropic_loop())
    assert question["parts"] == [{"kind": "image", "url": DATA_URL, "media_type": "image/png"}]
    assert (reply["content"], reply["external_id"]) == ("I look.", "msg_1")
    assert reply["parts"] == [
        {"kind": "reasoning", "text": "I should look.", "signature": "c2lnbmVk"},
        {"kind": "tool_call", "call_id": "toolu_1", "name": "list_files", "text": '{"path":"."}'},
    ]
    assert result["parts"] == [
        {"kind": "tool_result", "call_id": "toolu_1", "text": "no such folder", "is_error": True}
    ]


def test_packs_give_an_image_back_in_both_forms(chat: Chat) -> None:
    chat.stored(*anthropic_loop())
    words, picture = chat.rendered("anthropic")[0]["content"]
    assert words["text"] == "What is it?"
    assert picture["source"] == {"type": "base64", "media_type": "image/png", "data": PIXEL}
    assert chat.rendered("openai")[0]["content"] == [
        {"type": "text", "text": "What is it?"},
        {"type": "image_url", "image_url": {"url": DATA_URL}},
    ]


def test_packs_give_calls_and_failed_results_back_in_both_forms(chat: Chat) -> None:
    chat.stored(*anthropic_loop(), {"role": "user", "content": "Try again."})
    _, call, result = chat.rendered("anthropic")[:3]
    assert [block["type"] for block in call["content"]] == ["text", "tool_use"]
    assert (result["content"][0]["type"], result["content"][0]["is_error"]) == ("tool_result", True)
    messages = chat.rendered("openai")
    assert messages[1]["tool_calls"][0]["function"] == {"name": "list_files", "arguments": '{"path":"."}'}
    assert messages[2] == {"role": "tool", "tool_call_id": "toolu_1", "content": "no such folder"}


@pytest.mark.parametrize(
    ("block", "anthropic", "openai"),
    [
        (
            {"type": "document", "title": "terms", "source": {"type": "url", "url": "https://example.org/terms.pdf"}},
            {"type": "document", "source": {"type": "url", "url": "https://example.org/terms.pdf"}, "title": "terms"},
            None,
        ),
        (
            {"type": "file", "file": {"file_id": "file-7", "filename": "terms.pdf"}},
            None,
            {"type": "file", "file": {"file_id": "file-7"}},
        ),
        (
            {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
            None,
            {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
        ),
    ],
    ids=["document", "file", "audio"],
)
def test_what_a_provider_cannot_read_is_named_in_the_text(
    chat: Chat, block: dict[str, Any], anthropic: dict[str, Any] | None, openai: dict[str, Any] | None
) -> None:
    chat.stored({"role": "user", "content": [{"type": "text", "text": "Read this."}, block]})
    for form, expected in (("anthropic", anthropic), ("openai", openai)):
        content = chat.rendered(form)[0]["content"]
        blocks = [one for one in content if one["type"] != "text"] if isinstance(content, list) else []
        assert [{k: v for k, v in one.items() if k != "cache_control"} for one in blocks] == (
            [expected] if expected else []
        )
        assert expected or "[file" in str(content)


def test_each_text_stays_with_its_image(chat: Chat) -> None:
    cat, dog = image("https://example.org/cat.png"), image("https://example.org/dog.png")
    chat.stored({"role": "user", "content": [text("First:"), cat, text("Second:"), dog]})
    assert chat.rendered("openai")[0]["content"] == [text("First:"), cat, text("Second:"), dog]
    kinds = [block["type"] for block in chat.rendered("anthropic")[0]["content"]]
    assert kinds == ["text", "image", "text", "image"]


def test_a_text_after_its_image_is_the_content(chat: Chat) -> None:
    (stored,) = chat.stored({"role": "user", "content": [image("https://example.org/cat.png"), text("What is it?")]})
    assert stored["content"] == "What is it?"


def test_reasoning_that_its_provider_keeps_is_told_from_reasoning_without_text(chat: Chat) -> None:
    redacted, empty = {"type": "redacted_thinking", "data": "S"}, {"type": "thinking", "thinking": "", "signature": "S"}
    (stored,) = chat.stored({"role": "assistant", "content": [redacted, empty, text("Done.")]})
    assert stored["parts"] == [
        {"kind": "reasoning", "signature": "S", "is_redacted": True},
        {"kind": "reasoning", "signature": "S"},
    ]


def test_a_reply_is_stored_as_the_sdk_dumps_it_without_empty_fields(chat: Chat) -> None:
    sent = {"role": "assistant", "content": "Hi", "annotations": [], "reasoning_content": "A greeting."}
    (stored,) = chat.stored(sent)
    assert (stored["content"], stored["parts"]) == ("Hi", [{"kind": "reasoning", "text": "A greeting."}])


def test_a_search_of_the_provider_is_kept_whole(chat: Chat) -> None:
    found = {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": [{"url": "https://example.org"}]}
    (stored,) = chat.stored({"role": "assistant", "content": [found, text("It is sunny.")]})
    assert stored["content"] == "It is sunny."
    assert json.loads(stored["parts"][0]["text"]) == found


def test_an_image_in_a_tool_s_result_is_shown(chat: Chat) -> None:
    source = {"type": "url", "url": "https://example.org/plot.png"}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "image", "source": source}]}
    question, reply = anthropic_loop()[:2]
    chat.stored(question, reply, {"role": "user", "content": [result]}, {"role": "user", "content": "And now?"})
    assert [block["type"] for block in chat.rendered("anthropic")[2]["content"]][:2] == ["tool_result", "image"]


@pytest.mark.parametrize(
    "url",
    ["data:image/svg+xml;base64,AAAA", "data:image/png,AA", "s3://bucket/cat.png", "anthropic:file_1", "AAAA"],
)
def test_an_address_that_a_provider_refuses_is_named_instead(chat: Chat, url: str) -> None:
    chat.stored({"role": "user", "content": "Look.", "parts": [{"kind": "image", "url": url, "name": "cat"}]})
    assert "[image cat]" in str(chat.rendered("openai")[0]["content"])
    if not url.startswith("anthropic:"):
        assert "[image cat]" in str(chat.rendered("anthropic")[0]["content"])


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"role": "user", "content": [{"type": "hologram"}]}, "unknown_block"),
        ({"role": "user", "content": [{"type": "image", "source": "cat.png"}]}, "wrong_type"),
        ({"role": "user", "content": ["Hello"]}, "wrong_type"),
        ({"role": "user", "content": [{"type": "text"}]}, "missing_field"),
        ({"role": "assistant", "function_call": {"name": "f"}, "content": None}, "unknown_block"),
        (
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:" + "x" * 200_000}}]},
            "max_length",
        ),
        (
            {"role": "system", "content": [{"type": "image_url", "image_url": {"url": "https://x.org"}}]},
            "not_in_this_role",
        ),
        ({"role": "user", "content": "Hi", "model": "gpt-5"}, "unknown_field"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_the_reason(chat: Chat, message: dict[str, Any], code: str) -> None:
    answer = chat.send({"role": "user", "content": "First"}, message)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == code
    assert chat.client.get(f"{chat.api}/messages").json()["data"] == []


def test_a_pack_counts_an_image_and_stays_within_its_budget(chat: Chat) -> None:
    images = [{"type": "image_url", "image_url": {"url": f"https://example.org/{number}.png"}} for number in range(5)]
    (stored,) = chat.stored({"role": "user", "content": [{"type": "text", "text": "Compare these."}, *images]})
    assert stored["token_count"] > 5_000
    answer = chat.client.get(f"{chat.api}/context?token_budget=4000")
    assert (answer.status_code, answer.json()["code"]) == (422, "budget_exceeded")
