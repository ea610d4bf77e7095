"""Discovery of local models: caching, background refresh, and short waits."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from apps.llm.routing.local_discovery import PATIENCE_S, LocalModels, program_of
from config.stack.process import poll
from tests.api.callers import at_once
from tests.providers import openai_server
from tests.providers.openai_server import OLLAMA, OPENAI
from tests.providers.plain import Plain, plain_server

NOBODY = "http://127.0.0.1:9"
TAGS = {"models": [{"name": "llama3.2:latest"}, {"name": "x" * 200}, {"name": "a\nb"}, {"name": 5}]}


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_an_ollama_server_lists_its_models() -> None:
    with openai_server.running_server(OLLAMA) as server:
        assert LocalModels().at(server.url) == openai_server.MODELS


def test_another_server_at_the_address_is_not_ollama() -> None:
    with openai_server.running_server(OPENAI) as server:
        assert LocalModels().at(server.url) is None
    assert LocalModels().at(NOBODY) is None


def test_invalid_model_names_are_skipped() -> None:
    with plain_server(api_tags=Plain(TAGS)) as server:
        assert LocalModels().at(server.url) == ("llama3.2:latest",)


@pytest.mark.parametrize(
    "answer",
    [
        Plain(b"not json"),
        Plain([]),
        Plain({"models": None}),
        Plain({"models": ["a"]}),
        Plain(TAGS, status=500),
        Plain(None, status=302, headers={"Location": "/elsewhere"}),
    ],
)
def test_a_malformed_list_is_ignored(answer: Plain) -> None:
    with plain_server(api_tags=answer, elsewhere=Plain(TAGS)) as server:
        assert LocalModels().at(server.url) is None
        assert server.paths == ["/api/tags"], "a redirect is not followed"


@pytest.mark.parametrize(("answer", "seconds"), [(Plain(TAGS), 60), (Plain({}), 15)], ids=["available", "missing"])
def test_models_are_cached_for_a_minute_and_failures_for_fifteen_seconds(answer: Plain, seconds: int) -> None:
    clock = Clock()
    local_models = LocalModels(clock)
    with plain_server(api_tags=answer) as server:
        for later, asked in ((0, 1), (seconds - 1, 1), (seconds + 1, 2)):
            clock.now = 1_000 + later
            local_models.at(server.url)
            assert poll(lambda: len(server.asked) == asked, 5)  # noqa: B023  # awaited here


def test_an_expired_entry_is_served_while_it_is_refreshed() -> None:
    clock = Clock()
    local_models = LocalModels(clock)
    with plain_server(api_tags=Plain(TAGS)) as server:
        assert local_models.at(server.url) == ("llama3.2:latest",)
        server.answers["/api/tags"] = Plain({"models": [{"name": "qwen3:8b"}]}, after_s=0.8 * PATIENCE_S)
        clock.now += 100
        begin = time.monotonic()
        assert {local_models.at(server.url) for _ in range(50)} == {("llama3.2:latest",)}
        assert time.monotonic() - begin < PATIENCE_S / 2
        assert poll(lambda: local_models.at(server.url) == ("qwen3:8b",), 5)
        assert len(server.asked) == 2


def test_a_forced_refresh_returns_current_models() -> None:
    local_models = LocalModels()
    with plain_server() as server:
        assert local_models.at(server.url) is None
        server.answers["/api/tags"] = Plain(TAGS)
        assert local_models.at(server.url) is None
        assert local_models.look(server.url) == local_models.at(server.url) == ("llama3.2:latest",)


def test_a_slow_server_delays_no_request_and_its_late_answer_is_cached() -> None:
    local_models = LocalModels()
    with plain_server(api_tags=Plain(TAGS, after_s=1.5 * PATIENCE_S)) as server:
        begin = time.monotonic()
        assert local_models.at(server.url) is None
        assert time.monotonic() - begin < 1.4 * PATIENCE_S
        assert poll(lambda: local_models.at(server.url) is not None, 5)
        assert len(server.asked) == 1


def test_concurrent_refreshes_share_one_request() -> None:
    local_models = LocalModels()
    with plain_server(api_tags=Plain(TAGS, after_s=0.1)) as server:
        assert at_once(lambda: local_models.at(server.url), times=8) == [("llama3.2:latest",)] * 8
        assert len(server.asked) == 1


def test_a_command_is_found_on_the_path(tmp_path: Path) -> None:
    command = tmp_path / "claude"
    command.write_text("#!/bin/sh\n")
    assert program_of(str(command)) is None
    os.chmod(command, 0o700)
    assert program_of(str(command)) == str(command)
    assert program_of("no-such-program-anywhere") is None
    assert program_of("") is None
