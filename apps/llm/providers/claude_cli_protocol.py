"""The protocol of `claude -p` without its process: arguments, environment, input, and output lines."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_transcript
from apps.llm.errors import ModelError
from apps.llm.providers.base import (
    MAX_TOKENS,
    Finished,
    ModelRequest,
    StreamEvent,
    TextDelta,
    Usage,
    UsageSource,
)
from apps.llm.providers.http import explained, status_code
from apps.llm.providers.json_access import read_count, read_object, read_part, read_text
from apps.llm.providers.text_sanitizer import Cleaner

_ALWAYS = (
    *("-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"),
    # Ignore everything configured on the machine or in a project: settings, MCP servers, commands, tools, sessions.
    *("--setting-sources=", "--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence"),
    *("--tools", ""),
)
# The command delivers a structured answer as a tool call; the extra turns let the model correct an invalid one.
_TURNS, TURNS_IN_A_FORM = 1, 4

# ANTHROPIC_API_KEY is excluded on purpose: the command would bill it instead of the subscription.
PASSED_VARIABLES = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"),
)
_DEFAULTS = MappingProxyType({"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"})
_FIXED = MappingProxyType(
    {
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        # Otherwise `@` and a path in a message would insert that file of this machine into the prompt.
        "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
        "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
        # We retry ourselves, within the call's deadline.
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "MAX_THINKING_TOKENS": "0",
    }
)

_NOISE_LIMIT = 200
_LATEST = 2**53
_ESCAPES = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]")
_TOO_LONG = frozenset({"max_tokens", "model_context_window_exceeded"})
_FORM_ERRORS = frozenset({"error_max_turns", "error_max_structured_output_retries"})
_CODES_BY_NAME = MappingProxyType(
    {
        "authentication_failed": "unauthorized",
        "oauth_org_not_allowed": "unauthorized",
        "billing_error": "rejected",
        "invalid_request": "rejected",
        "model_not_found": "rejected",
        "rate_limit": "rate_limited",
        "overloaded": "overloaded",
        "server_error": "unavailable",
        "max_output_tokens": "malformed",
    }
)
# Patterns of the command's messages to people; the first match decides.
_CODES_BY_TEXT = tuple(
    (re.compile(pattern, re.IGNORECASE), code)
    for pattern, code in (
        (
            r"/login\b|not logged in|invalid api key|oauth token|authentication_error|api error:? \(?40[13]\b",
            "unauthorized",
        ),
        (
            r"hit your .{0,40}limit|limit reached|rate.limit|temporarily limiting|\(429\)|api error:? \(?429\b",
            "rate_limited",
        ),
        (r"usage policy", "refused"),
        (r"overloaded|at capacity|api error:? \(?529\b", "overloaded"),
        (r"selected model|credit balance|too long|too large|unknown option|api error:? \(?4\d\d\b", "rejected"),
        (r"timed out", "timeout"),
        (r"unable to connect|connection error|api error:? \(?5\d\d\b", "unavailable"),
    )
)


def arguments(request: ModelRequest, system_file: str | None) -> list[str]:
    """The command's arguments, without any message content: other accounts on the machine can read them."""
    in_a_form = request.answer_schema is not None
    turns = TURNS_IN_A_FORM if in_a_form else _TURNS
    # `--name=value`, so that no value is parsed as an option.
    system = f"--system-prompt-file={system_file}" if system_file else "--system-prompt="
    argv = [*_ALWAYS, f"--max-turns={turns}", f"--model={request.model}", system]
    return [*argv, f"--json-schema={json.dumps(request.answer_schema)}"] if in_a_form else argv


def variables(own: Mapping[str, str], request: ModelRequest, folder: str) -> dict[str, str]:
    """The command's complete environment."""
    passed = {name: own[name] for name in PASSED_VARIABLES if name in own}
    return {**_DEFAULTS, **passed, **_FIXED, "TMPDIR": folder, "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.max_tokens)}


def texts(request: ModelRequest) -> tuple[str, str]:
    """The system prompt and the text for standard input."""
    if isinstance(request.prompt, ContextPack):
        return render_transcript(request.prompt)
    return request.prompt.system, request.prompt.text


class AnswerReader:
    """Parses the lines of one answer. It is complete once `finished` is true and the command exited successfully."""

    def __init__(self, in_a_form: bool) -> None:
        self.finished = False
        self.has_text = False
        self._in_a_form = in_a_form
        self._cleaner = Cleaner()
        self._event_count, self._noise_count = 0, 0
        self._stop_reason, self._problem = "", ""
        self._retry_at: float | None = None
        self._result: Mapping[str, Any] = {}

    def read(self, line: bytes) -> Iterator[StreamEvent]:
        """Parse a line; raises `ModelError` for errors and for output that is not the protocol."""
        event = self._event(line)
        match event.get("type"):
            case "stream_event":
                yield from self._stream_event(read_part(event, "event"))
            case "assistant":
                self._problem = read_text(event, "error") or self._problem
            case "rate_limit_event":
                self._note_limit(read_part(event, "rate_limit_info"))
            case "result":
                self._end(event)

    def rest(self) -> Iterator[StreamEvent]:
        """The final events, after the command exited successfully."""
        if not self.has_text and (text := self._cleaner.clean(self._whole_text())).strip():
            self.has_text = True
            yield TextDelta(text)
        if not self.has_text:
            raise ModelError("malformed", "The model's answer was empty.")
        if usage := read_part(self._result, "usage"):
            yield _usage(usage)
        yield Finished(MAX_TOKENS if self._stop_reason in _TOO_LONG else self._stop_reason or "end_turn")

    def ended_early(self, exit_code: int | None, stderr: str) -> ModelError:
        """The error of a command that exited without a result; `stderr` is its error output."""
        if self.has_text:
            return ModelError("cut")
        if exit_code in {126, 127}:
            return ModelError("not_configured")
        if exit_code and (code := _code_by_text(stderr)):
            return ModelError(code)
        if self._noise_count and not self._event_count:
            return ModelError("malformed", "The command sent an unexpected response.")
        return ModelError("unavailable" if exit_code else "cut")

    def _event(self, line: bytes) -> Mapping[str, Any]:
        """Parse a line as an event; empty for terminal escapes and warnings, which may occur between events."""
        line = _ESCAPES.sub(b"", line).strip()
        if not line.startswith(b"{"):
            self._noise_count += 1
            if self._noise_count > _NOISE_LIMIT:
                raise ModelError("malformed", "The command sent an unexpected response.")
            return {}
        self._event_count += 1
        return read_object(line)

    def _stream_event(self, event: Mapping[str, Any]) -> Iterator[StreamEvent]:
        match event.get("type"):
            case "message_start":
                yield _usage(read_part(read_part(event, "message"), "usage"))
            case "content_block_delta" if not self._in_a_form:
                yield from self._text(read_part(event, "delta"))
            case "message_delta":
                self._stop_reason = read_text(read_part(event, "delta"), "stop_reason")

    def _text(self, delta: Mapping[str, Any]) -> Iterator[StreamEvent]:
        if delta.get("type") != "text_delta":
            return
        if text := self._cleaner.clean(read_text(delta, "text")):
            self.has_text = True
            yield TextDelta(text)

    def _note_limit(self, info: Mapping[str, Any]) -> None:
        retry_at = info.get("resetsAt")
        if info.get("status") == "rejected" and isinstance(retry_at, int | float) and 0 < retry_at < _LATEST:
            self._retry_at = retry_at

    def _end(self, result: Mapping[str, Any]) -> None:
        self._result = result
        stop_reason, subtype = read_text(result, "stop_reason"), read_text(result, "subtype")
        if "refusal" in {self._stop_reason, stop_reason}:
            raise ModelError("refused")
        if subtype in _FORM_ERRORS:
            raise ModelError("malformed")
        if result.get("is_error") is not False or subtype != "success":
            raise self._failure(result)
        self._stop_reason = stop_reason or self._stop_reason
        self.finished = True

    def _whole_text(self) -> str:
        """The structured output that the command validated; otherwise the plain result."""
        if self._in_a_form and isinstance(value := self._result.get("structured_output"), dict):
            return json.dumps(value)
        return read_text(self._result, "result")

    def _failure(self, result: Mapping[str, Any]) -> ModelError:
        code, status = self._result_code(result), _status(result)
        if code == "malformed":
            return ModelError(code, "The answer was longer than allowed.")
        if code == "unavailable" and self.has_text:
            code = "in_band"
        return ModelError(code, explained(code, None, status), provider_status=status, retry_after=self._wait_s())

    def _result_code(self, result: Mapping[str, Any]) -> str:
        """The error code by HTTP status, else by the message, which is more specific than the error's name."""
        status = _status(result)
        if status is not None:
            return status_code(status)
        text = f"{result.get('result')} {result.get('errors')}"
        return _code_by_text(text) or _CODES_BY_NAME.get(self._problem, "in_band")

    def _wait_s(self) -> float | None:
        return None if self._retry_at is None else max(0.0, self._retry_at - time.time())


def _code_by_text(text: str) -> str | None:
    return next((code for pattern, code in _CODES_BY_TEXT if pattern.search(text)), None)


def _status(result: Mapping[str, Any]) -> int | None:
    status = result.get("api_error_status")
    return status if type(status) is int and 400 <= status <= 599 else None


def _usage(reported: Mapping[str, Any]) -> Usage:
    return Usage(
        UsageSource.REPORTED,
        input_tokens=read_count(reported, "input_tokens"),
        output_tokens=read_count(reported, "output_tokens"),
        cache_read_tokens=read_count(reported, "cache_read_input_tokens"),
        cache_write_tokens=read_count(reported, "cache_creation_input_tokens"),
    )
