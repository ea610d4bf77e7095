"""The `claude -p` adapter with a real child process: input, answers, failures, and cleanup."""

from __future__ import annotations

import asyncio
import logging
import os
import time
import traceback
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import BaseModel

from apps.llm.errors import ModelError
from apps.llm.providers.base import Finished, ModelRequest, Prompt, Purpose, StreamEvent, TextDelta, Usage, UsageSource
from apps.llm.providers.claude_cli import ClaudeCliProvider
from apps.llm.timeouts import ModelTimes
from tests.llm.claude_cli_adapter import ClaudeCliAdapter, is_alive
from tests.llm.conftest import events_of, pack_of, question, run, said, text_of
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour

PATIENT = ModelTimes()
# A child of Python's needs a moment until its first words, on a busy machine seconds.
ENDED = replace(PATIENT, chat_total_s=5)
GONE_S = 10


class Note(BaseModel):
    overview: str
    points: list[str]
    decisions: list[str]
    open_questions: list[str]


@pytest.fixture
def claude() -> Iterator[ClaudeCliAdapter]:
    with ClaudeCliAdapter.running() as running:
        yield running


@pytest.fixture
def provider(claude: ClaudeCliAdapter) -> ClaudeCliProvider:
    return claude.provider(PATIENT)


def events_from(provider: ClaudeCliProvider, request: ModelRequest | None = None) -> list[StreamEvent]:
    return run(provider, events_of(provider, request or question()))


def failure(provider: ClaudeCliProvider, request: ModelRequest | None = None) -> tuple[ModelError, list[StreamEvent]]:
    seen: list[StreamEvent] = []
    with pytest.raises(ModelError) as caught:
        run(provider, events_of(provider, request or question(), seen))
    return caught.value, seen


def have_died(pids: list[int]) -> bool:
    """Within the time that they have; the system itself takes a moment."""
    limit = time.monotonic() + GONE_S
    while any(map(is_alive, pids)) and time.monotonic() < limit:
        time.sleep(0.005)
    return not any(map(is_alive, pids))


def test_an_answer_streams_in_chunks_with_usage_and_an_end(provider: ClaudeCliProvider) -> None:
    events = events_from(provider)
    assert text_of(events) == DEFAULT_TEXT
    assert sum(isinstance(event, TextDelta) for event in events) > 5
    usage = [event for event in events if isinstance(event, Usage)][-1]
    assert usage.source is UsageSource.REPORTED
    assert (usage.cache_read_tokens, usage.cache_write_tokens) == (7, 3)
    assert usage.output_tokens > 5
    assert events[-1] == Finished("end_turn")


def test_an_answer_that_arrives_at_once_is_emitted_once(claude: ClaudeCliAdapter, provider: ClaudeCliProvider) -> None:
    claude.script_default({"kind": "answer", "whole": True})
    events = events_from(provider)
    assert [event.text for event in events if isinstance(event, TextDelta)] == [DEFAULT_TEXT]
    assert events[-1] == Finished("end_turn")


def test_the_command_runs_without_tools_and_settings(claude: ClaudeCliAdapter, provider: ClaudeCliProvider) -> None:
    events_from(provider)
    (call,) = claude.calls
    options = call["options"]
    assert (options["--tools"], options["--setting-sources"], options["--max-turns"]) == ("", "", "1")
    assert options["--strict-mcp-config"] and options["--disable-slash-commands"]
    assert options["--no-session-persistence"] and "--mcp-config" not in call["argv"]
    assert (call["beside"], Path(call["folder"]).exists()) == ([], False)
    assert call["pid"] == call["group"] == call["session"] != os.getpid()


def test_message_content_is_never_an_argument(claude: ClaudeCliAdapter, provider: ClaudeCliProvider) -> None:
    pack = pack_of(said(0, "SECRET-WORDS"), system_prompt="SECRET-ORDERS")
    events_from(provider, replace(question(), prompt=pack))
    (call,) = claude.calls
    assert "SECRET" not in " ".join(call["argv"])
    assert "SECRET-WORDS" in call["prompt"]
    assert call["system"] == "SECRET-ORDERS"


def test_the_command_receives_none_of_our_secrets(claude: ClaudeCliAdapter, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SECRET_KEY", "DATABASE_URL", "ANTHROPIC_API_KEY", "CLAUDECODE"):
        monkeypatch.setenv(name, "secret")
    own = {**os.environ, "CLAUDE_CODE_OAUTH_TOKEN": "its own"}
    events_from(ClaudeCliProvider(str(claude.command), PATIENT, own))
    (call,) = claude.calls
    assert not {"SECRET_KEY", "DATABASE_URL", "ANTHROPIC_API_KEY", "CLAUDECODE"} & set(call["variables"])
    assert {"PATH", "HOME", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_DISABLE_ATTACHMENTS"} <= set(call["variables"])


def test_a_model_s_name_never_becomes_an_option(claude: ClaudeCliAdapter, provider: ClaudeCliProvider) -> None:
    events_from(provider, replace(question(), model="--dangerously-skip-permissions"))
    assert claude.calls[0]["options"]["--model"] == "--dangerously-skip-permissions"
    assert failure(provider, replace(question(), model="nul\0"))[0].code == "rejected"


def test_empty_instructions_replace_the_command_s_own(claude: ClaudeCliAdapter, provider: ClaudeCliProvider) -> None:
    events_from(provider, ModelRequest(Purpose.MERGE, "claude-test", Prompt("", "Merge these.")))
    (call,) = claude.calls
    assert (call["options"]["--system-prompt"], call["prompt"]) == ("", "Merge these.")


@pytest.mark.parametrize("kind", ["chatter", "loud", "left_behind"])
def test_noise_in_the_output_does_not_change_the_answer(
    claude: ClaudeCliAdapter, provider: ClaudeCliProvider, kind: str
) -> None:
    claude.script_default({"kind": kind})
    assert text_of(events_from(provider)) == DEFAULT_TEXT
    assert have_died(claude.grandchildren)
    assert len(claude.grandchildren) == (kind == "left_behind")


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
def test_an_answer_cut_at_its_limit_reports_max_tokens(
    claude: ClaudeCliAdapter, provider: ClaudeCliProvider, reason: str
) -> None:
    claude.usual = Behaviour(stop_reason=reason)
    assert events_from(provider)[-1] == Finished("max_tokens")


@pytest.mark.parametrize(
    ("behaviour", "code", "speaks"),
    [
        (Behaviour("reset", after=0), "unavailable", False),
        (Behaviour("refusal"), "refused", True),
        (Behaviour("in_band"), "in_band", True),
        (Behaviour("in_band", after=0), "unavailable", False),
        (Behaviour("status", status=404), "rejected", False),
        (Behaviour("status", status=504), "timeout", False),
    ],
    ids=lambda value: f"{value.kind}-{value.status}" if isinstance(value, Behaviour) else str(value),
)
def test_each_failure_has_its_code_and_preserves_the_text_before_it(
    claude: ClaudeCliAdapter, provider: ClaudeCliProvider, behaviour: Behaviour, code: str, speaks: bool
) -> None:
    claude.usual = behaviour
    error, seen = failure(provider)
    assert (error.code, bool(text_of(seen))) == (code, speaks)
    assert DEFAULT_TEXT.startswith(text_of(seen))
    assert not any(isinstance(event, Finished) for event in seen)
    assert claude.open_calls() == 0


def test_signs_of_life_without_an_end_are_a_timeout_that_preserves_the_text(claude: ClaudeCliAdapter) -> None:
    claude.usual = Behaviour("trickle")
    error, seen = failure(claude.provider(ENDED))
    assert error.code == "timeout" and text_of(seen)
    assert DEFAULT_TEXT.startswith(text_of(seen))
    assert claude.open_calls() == 0


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"kind": "said", "text": "Not logged in · Please run /login"}, "unauthorized"),
        ({"kind": "said", "text": "Invalid API key · Fix external API key"}, "unauthorized"),
        ({"kind": "said", "text": "You've hit your session limit · resets 3pm"}, "rate_limited"),
        ({"kind": "said", "text": "Claude AI usage limit reached|1762952400"}, "rate_limited"),
        ({"kind": "said", "text": "API Error: Repeated 529 Overloaded errors"}, "overloaded"),
        ({"kind": "said", "text": "There's an issue with the selected model (x). It may not exist"}, "rejected"),
        ({"kind": "said", "text": "Credit balance is too low"}, "rejected"),
        ({"kind": "said", "text": "Unable to connect to API"}, "unavailable"),
        ({"kind": "said", "text": "Something new", "name": "rate_limit"}, "rate_limited"),
        ({"kind": "said", "text": "Something new", "name": "max_output_tokens"}, "malformed"),
        ({"kind": "said", "text": "Something new"}, "in_band"),
        ({"kind": "exit", "exit_code": 1}, "unavailable"),
        ({"kind": "exit", "exit_code": 1, "complaint": "error: unknown option '--tools'"}, "rejected"),
        ({"kind": "exit", "exit_code": 1, "complaint": "Invalid API key · Please run /login"}, "unauthorized"),
        ({"kind": "exit", "exit_code": 127, "complaint": "env: node: No such file"}, "not_configured"),
        ({"kind": "answer", "exit_code": 3}, "cut"),
        ({"kind": "answer", "exit_code": 3, "whole": True}, "unavailable"),
        ({"kind": "linger"}, "timeout"),
        ({"kind": "noise"}, "malformed"),
        ({"kind": "long_line"}, "malformed"),
    ],
    ids=str,
)
def test_error_messages_of_the_command_map_to_codes(
    claude: ClaudeCliAdapter, provider: ClaudeCliProvider, wish: dict[str, object], code: str
) -> None:
    claude.script_default(wish)
    error, seen = failure(provider)
    assert error.code == code
    assert not any(isinstance(event, Finished) for event in seen)


def test_the_reset_time_of_a_limit_becomes_retry_after(claude: ClaudeCliAdapter, provider: ClaudeCliProvider) -> None:
    claude.usual = Behaviour("status", status=429, retry_after="3600")
    error, _ = failure(provider)
    assert error.provider_status == 429
    assert error.retry_after == pytest.approx(3600, abs=5)


@pytest.mark.parametrize("command", ["/nowhere/claude", "no-such-command-anywhere", "a-folder-and-no-program"])
def test_a_missing_command_is_not_configured(command: str, tmp_path: Path) -> None:
    if command.startswith("a-folder"):
        command = str(tmp_path)
    error, _ = failure(ClaudeCliProvider(command, PATIENT))
    assert error.code == "not_configured"
    assert command not in "".join(traceback.format_exception(error))


def test_a_structured_answer_is_the_command_s_validated_output(
    claude: ClaudeCliAdapter, provider: ClaudeCliProvider
) -> None:
    answer = run(provider, provider.complete_structured(question(), Note))
    assert answer.value.decisions == ["Go on"]
    assert provider.capabilities.supports_schema
    assert int(claude.calls[0]["options"]["--max-turns"]) > 1


@pytest.mark.parametrize("kind", ["wrong_schema", "not_json", "empty"])
def test_an_answer_that_violates_the_schema_is_malformed(
    claude: ClaudeCliAdapter, provider: ClaudeCliProvider, kind: str
) -> None:
    claude.script_default({"kind": "prose" if kind == "empty" else kind, "text": " " if kind == "empty" else None})
    with pytest.raises(ModelError) as caught:
        run(provider, provider.complete_structured(question(), Note))
    assert caught.value.code == "malformed"


def test_all_processes_are_killed_when_a_grandchild_holds_the_pipes_open(claude: ClaudeCliAdapter) -> None:
    claude.script_default({"kind": "grandchild"})
    error, seen = failure(claude.provider(ENDED))
    assert error.code == "timeout" and text_of(seen)
    assert have_died([claude.calls[0]["pid"], *claude.grandchildren])
    assert len(claude.grandchildren) == 1
    assert not Path(claude.calls[0]["folder"]).parent.exists()


def test_a_dead_command_has_ended_although_a_child_holds_its_pipes_open(
    claude: ClaudeCliAdapter, provider: ClaudeCliProvider
) -> None:
    claude.script_default({"kind": "orphan"})
    assert failure(provider)[0].code == "cut"
    assert have_died(claude.grandchildren)
    assert len(claude.grandchildren) == 1


def test_closing_the_stream_kills_the_command_and_its_children(claude: ClaudeCliAdapter) -> None:
    claude.script_default({"kind": "grandchild"})
    provider = claude.provider(PATIENT)

    async def stop_after_a_word() -> bool:
        async with aclosing(provider.stream(question())) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    break
        return have_died([claude.calls[0]["pid"], *claude.grandchildren])

    assert run(provider, stop_after_a_word())


def test_cancelling_the_task_kills_the_command_and_its_children(claude: ClaudeCliAdapter) -> None:
    claude.script_default({"kind": "grandchild"})
    provider = claude.provider(PATIENT)

    async def cancel() -> bool:
        seen: list[StreamEvent] = []
        task = asyncio.create_task(events_of(provider, question(), seen))
        while not text_of(seen):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return have_died([claude.calls[0]["pid"], *claude.grandchildren])

    assert run(provider, cancel())


def test_fifty_calls_leak_no_processes_or_files(claude: ClaudeCliAdapter) -> None:
    provider = claude.provider(replace(PATIENT, turn_s=600))
    kinds = ("answer", "reset", "garbage", "left_behind", "refusal")
    for number in range(50):
        claude.script_next({"kind": kinds[number % len(kinds)]})

    async def ask() -> tuple[int, int]:
        await provider.complete(question())
        before = len(os.listdir("/dev/fd"))
        await asyncio.gather(*(provider.complete(question()) for _ in range(49)), return_exceptions=True)
        return before, len(os.listdir("/dev/fd"))

    before, after = run(provider, ask())
    assert after == before
    assert claude.requests_made() == 50
    assert claude.open_calls() == 0
    assert have_died(claude.grandchildren)
    assert not any(Path(call["folder"]).parent.exists() for call in claude.calls)
    with pytest.raises(ChildProcessError):
        os.waitpid(claude.calls[-1]["pid"], os.WNOHANG)


@pytest.mark.parametrize(
    "wish",
    [
        Behaviour("status", status=400, error_type="SECRET WORDS").as_json(),
        Behaviour("in_band", error_type="SECRET WORDS").as_json(),
        {"kind": "said", "text": "SECRET"},
        {"kind": "exit", "exit_code": 2, "complaint": "SECRET"},
        {"kind": "garbage"},
    ],
    ids=lambda wish: wish["kind"],
)
def test_errors_and_logs_contain_neither_messages_nor_command_output(
    claude: ClaudeCliAdapter, provider: ClaudeCliProvider, wish: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    claude.script_default(wish)
    with caplog.at_level(logging.DEBUG):
        error, _ = failure(provider, question("SECRET words of a person"))
    told = caplog.text + "".join(traceback.format_exception(error)) + repr(error) + repr(provider)
    assert "SECRET" not in told
