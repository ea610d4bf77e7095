"""What the command `claude -p` is given, and what each line of its answer means, apart from the process itself."""

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
    # Nothing of the machine's or a project's own: no settings, no servers, no commands, no tools, no record.
    *("--setting-sources=", "--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence"),
    *("--tools", ""),
)
# The command hands an answer in a form over as a call of a tool, which takes turns: it may mend what it got.
_TURNS, TURNS_IN_A_FORM = 1, 4

# A key (ANTHROPIC_API_KEY) is left out on purpose: with one the command bills it and not the subscription.
HANDED_ON = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"),
)
_USUAL = MappingProxyType({"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"})
_FIXED = MappingProxyType(
    {
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        # Else `@` and a path in somebody's message would put that file of this machine into the prompt.
        "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
        "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
        # We try again ourselves, within the call's deadline.
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "MAX_THINKING_TOKENS": "0",
    }
)

_MOST_NOISE = 200
_LATEST = 2**53
_ESCAPES = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]")
_TOO_LONG = frozenset({"max_tokens", "model_context_window_exceeded"})
_IN_NO_FORM = frozenset({"error_max_turns", "error_max_structured_output_retries"})
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
# The command's own sentences, for people; the first that fits decides.
_CODES_BY_WORDS = tuple(
    (re.compile(words, re.IGNORECASE), code)
    for words, code in (
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
    """All but the command; nothing that was said is among them, for other accounts of the machine can read them."""
    in_a_form = request.answer_schema is not None
    turns = TURNS_IN_A_FORM if in_a_form else _TURNS
    # With a sign of equality no value can pass for an option.
    system = f"--system-prompt-file={system_file}" if system_file else "--system-prompt="
    given = [*_ALWAYS, f"--max-turns={turns}", f"--model={request.model}", system]
    return [*given, f"--json-schema={json.dumps(request.answer_schema)}"] if in_a_form else given


def variables(own: Mapping[str, str], request: ModelRequest, folder: str) -> dict[str, str]:
    """The command's whole environment."""
    handed_on = {name: own[name] for name in HANDED_ON if name in own}
    return {**_USUAL, **handed_on, **_FIXED, "TMPDIR": folder, "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.max_tokens)}


def texts(request: ModelRequest) -> tuple[str, str]:
    """The instructions, and the one text that the command reads."""
    if isinstance(request.prompt, ContextPack):
        return render_transcript(request.prompt)
    return request.prompt.system, request.prompt.text


class AnswerReader:
    """Reads the lines of one answer. `finished` after the result; what it says stands when the command ended well."""

    def __init__(self, in_a_form: bool) -> None:
        self.finished = False
        self.spoken = False
        self._in_a_form = in_a_form
        self._cleaner = Cleaner()
        self._understood, self._noise = 0, 0
        self._stop_reason, self._problem = "", ""
        self._free_at: float | None = None
        self._result: Mapping[str, Any] = {}

    def read(self, line: bytes) -> Iterator[StreamEvent]:
        """Raises `ModelError` for what is no answer."""
        event = self._event(line)
        match event.get("type"):
            case "stream_event":
                yield from self._streamed(read_part(event, "event"))
            case "assistant":
                self._problem = read_text(event, "error") or self._problem
            case "rate_limit_event":
                self._limited(read_part(event, "rate_limit_info"))
            case "result":
                self._end(event)

    def rest(self) -> Iterator[StreamEvent]:
        """What is left to say when the command has ended well."""
        if not self.spoken and (text := self._cleaner.clean(self._whole_text())).strip():
            self.spoken = True
            yield TextDelta(text)
        if not self.spoken:
            raise ModelError("malformed", "The model's answer was empty.")
        if usage := read_part(self._result, "usage"):
            yield _usage(usage)
        yield Finished(MAX_TOKENS if self._stop_reason in _TOO_LONG else self._stop_reason or "end_turn")

    def ended_early(self, exit_code: int | None, complaint: str) -> ModelError:
        """The error of a command that ended without a result; `complaint` is what it wrote for people."""
        if self.spoken:
            return ModelError("cut")
        if exit_code in {126, 127}:
            return ModelError("not_configured")
        if exit_code and (code := _by_words(complaint)):
            return ModelError(code)
        if self._noise and not self._understood:
            return ModelError("malformed", "The command does not speak the protocol.")
        return ModelError("unavailable" if exit_code else "cut")

    def _event(self, line: bytes) -> Mapping[str, Any]:
        """Nothing for a line that is no event: terminals' signs and warnings stand between them at times."""
        line = _ESCAPES.sub(b"", line).strip()
        if not line.startswith(b"{"):
            self._noise += 1
            if self._noise > _MOST_NOISE:
                raise ModelError("malformed", "The command does not speak the protocol.")
            return {}
        self._understood += 1
        return read_object(line)

    def _streamed(self, event: Mapping[str, Any]) -> Iterator[StreamEvent]:
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
            self.spoken = True
            yield TextDelta(text)

    def _limited(self, told: Mapping[str, Any]) -> None:
        free_at = told.get("resetsAt")
        if told.get("status") == "rejected" and isinstance(free_at, int | float) and 0 < free_at < _LATEST:
            self._free_at = free_at

    def _end(self, result: Mapping[str, Any]) -> None:
        self._result = result
        stop_reason, subtype = read_text(result, "stop_reason"), read_text(result, "subtype")
        if "refusal" in {self._stop_reason, stop_reason}:
            raise ModelError("refused")
        if subtype in _IN_NO_FORM:
            raise ModelError("malformed")
        if result.get("is_error") is not False or subtype != "success":
            raise self._failure(result)
        self._stop_reason = stop_reason or self._stop_reason
        self.finished = True

    def _whole_text(self) -> str:
        """The form that the command checked, else what was said."""
        if self._in_a_form and isinstance(form := self._result.get("structured_output"), dict):
            return json.dumps(form)
        return read_text(self._result, "result")

    def _failure(self, result: Mapping[str, Any]) -> ModelError:
        code, status = self._told_code(result), _status(result)
        if code == "malformed":
            return ModelError(code, "The answer was longer than allowed.")
        if code == "unavailable" and self.spoken:
            code = "in_band"
        return ModelError(code, explained(code, None, status), provider_status=status, retry_after=self._wait_s())

    def _told_code(self, result: Mapping[str, Any]) -> str:
        """By the provider's status, else by the words, which say more than the name."""
        status = _status(result)
        if status is not None:
            return status_code(status)
        words = f"{result.get('result')} {result.get('errors')}"
        return _by_words(words) or _CODES_BY_NAME.get(self._problem, "in_band")

    def _wait_s(self) -> float | None:
        return None if self._free_at is None else max(0.0, self._free_at - time.time())


def _by_words(told: str) -> str | None:
    return next((code for words, code in _CODES_BY_WORDS if words.search(told)), None)


def _status(result: Mapping[str, Any]) -> int | None:
    status = result.get("api_error_status")
    return status if type(status) is int and 400 <= status <= 599 else None


def _usage(told: Mapping[str, Any]) -> Usage:
    return Usage(
        UsageSource.REPORTED,
        input_tokens=read_count(told, "input_tokens"),
        output_tokens=read_count(told, "output_tokens"),
        cache_read_tokens=read_count(told, "cache_read_input_tokens"),
        cache_write_tokens=read_count(told, "cache_creation_input_tokens"),
    )
