"""A model server for real agents, on loopback: it asks for one run of a shell, and says `REPLY` once it has the result.

It speaks the four protocols that they use: Anthropic's Messages, OpenAI's Chat Completions and Responses, and Gemini's
`generateContent`, each as a stream.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
Event = tuple[str, Json | str]
"""The name and the data of a server-sent event."""

WORD = "USETOOL"
"""A prompt with this word makes the model run the shell."""
REPLY = "All done: the total is 42."
SHOWN = "hello-tool"
COMMAND = f"echo {SHOWN}"
_SHELL = {"command": COMMAND, "description": "Say hello"}
_ANTHROPIC_USAGE = {"input_tokens": 10, "output_tokens": 5}
_GEMINI_USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
_OPENAI_USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


@contextmanager
def model_server() -> Iterator[str]:
    """Serve until the block ends; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def wants_tool(body: Json, messages: str, result: str) -> bool:
    """Whether to run the shell: asked for after the last result."""
    return bool(body.get("tools")) and WORD in json.dumps(body.get(messages, [])).rpartition(result)[2]


def anthropic(body: Json) -> Iterator[Event]:
    start = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model"), "content": []}
    yield _named("message_start", message={**start, "stop_reason": None, "usage": _ANTHROPIC_USAGE})
    if wants_tool(body, "messages", '"tool_result"'):
        block: Json = {"type": "tool_use", "id": _id("toolu", body["messages"]), "name": "Bash", "input": {}}
        delta, reason = {"type": "input_json_delta", "partial_json": json.dumps(_SHELL)}, "tool_use"
    else:
        block, delta, reason = {"type": "text", "text": ""}, {"type": "text_delta", "text": REPLY}, "end_turn"
    yield _named("content_block_start", index=0, content_block=block)
    yield _named("content_block_delta", index=0, delta=delta)
    yield _named("content_block_stop", index=0)
    yield _named("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": 5})
    yield _named("message_stop")


def chat_completions(body: Json) -> Iterator[Event]:
    if wants_tool(body, "messages", '"role": "tool"'):
        called = {"name": "bash", "arguments": json.dumps(_SHELL)}
        call = {"index": 0, "id": _id("call", body["messages"]), "type": "function", "function": called}
        delta, reason = {"tool_calls": [call]}, "tool_calls"
    else:
        delta, reason = {"content": REPLY}, "stop"
    head = {"id": "chunk_1", "object": "chat.completion.chunk", "created": 1, "model": body.get("model")}
    yield "", {**head, "choices": [{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}]}
    yield "", {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": _OPENAI_USAGE}
    yield "", "[DONE]"


def responses(body: Json) -> Iterator[Event]:
    if wants_tool(body, "input", '"function_call_output"'):
        called = {"name": "exec_command", "arguments": json.dumps({"cmd": COMMAND})}
        item: Json = {"type": "function_call", "id": "fc_1", "call_id": _id("call", body["input"]), **called}
    else:
        text = {"type": "output_text", "text": REPLY, "annotations": []}
        item = {"type": "message", "id": "msg_1", "role": "assistant", "content": [text]}
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    yield _named("response.created", response={"id": "resp_1"})
    yield _named("response.output_item.done", output_index=0, item=item)
    yield _named("response.completed", response={"id": "resp_1", "output": [item], "usage": usage})


def gemini(body: Json) -> Iterator[Event]:
    uses = wants_tool(body, "contents", '"functionResponse"')
    part: Json = {"functionCall": {"name": "run_shell_command", "args": _SHELL}} if uses else {"text": REPLY}
    content = {"role": "model", "parts": [part]}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    yield "", {"candidates": [candidate], "usageMetadata": _GEMINI_USAGE}


_PROTOCOLS = {
    "/messages": anthropic,
    "/chat/completions": chat_completions,
    "/responses": responses,
    "streamGenerateContent": gemini,
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Write no log."""

    def do_GET(self) -> None:
        self._answer({"data": [{"id": "m", "type": "model", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        path = self.path.partition("?")[0]
        protocol = next((one for end, one in _PROTOCOLS.items() if path.endswith(end)), None)
        if protocol is None or (body.get("stream") is False):
            self._answer({"input_tokens": 10})
        else:
            self._stream(protocol(body))

    def _answer(self, value: Json) -> None:
        text = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _stream(self, events: Iterator[Event]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, data in events:
            text = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write(f"{f'event: {name}' + chr(10) if name else ''}data: {text}\n\n".encode())
        self.close_connection = True


def _named(name: str, **fields: Any) -> Event:
    return name, {"type": name, **fields}


def _id(kind: str, messages: list[Any]) -> str:
    """An id of a call that no earlier one in the conversation has."""
    return f"{kind}_{len(messages)}"
