"""The shared event loop: limited open connections, none closed in use, and interruptible callers."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress

import pytest

from apps.llm.errors import ModelError
from apps.llm.providers.base import Provider
from apps.llm.providers.openai import OpenAIProvider
from apps.llm.routing.providers import provider_spec
from apps.llm.runtime.shared_event_loop import CALLER_LIMIT, run_on_shared_loop
from apps.llm.runtime.sync_bridge import in_database
from tests.interruption import interrupted_after
from tests.llm.spending import ONCE
from tests.processes import eventually
from tests.providers.behaviours import Behaviour
from tests.providers.openai_server import ProviderServer, running_server

MODEL = "text-embedding-test"


class Left(Exception):  # no error: a client disconnects
    pass


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    with running_server() as running:
        yield running


def adapter_of(server: ProviderServer, key: str = "sk-test") -> Provider:
    return OpenAIProvider("openai", key, f"{server.url}/v1", ONCE, provider_spec("openai").dialect)


def ask(caller: object, adapter: Provider, text: str = "tea") -> int:
    return len(run_on_shared_loop(caller, adapter, lambda: adapter.embed([text], MODEL)).vectors)


def test_the_number_of_open_connections_is_limited(server: ProviderServer) -> None:
    adapters = [adapter_of(server, f"sk-{number}") for number in range(CALLER_LIMIT + 3)]
    for number, adapter in enumerate(adapters):
        ask(("bounded", number), adapter)
    assert server.connections_made == CALLER_LIMIT + 3
    assert eventually(lambda: server.open_connections == CALLER_LIMIT)
    ask("bounded", adapters[-1])
    ask("bounded", adapters[0])
    assert server.connections_made == CALLER_LIMIT + 4


def test_a_connection_in_use_is_not_closed(server: ProviderServer) -> None:
    slow, quick = adapter_of(server, "sk-slow"), adapter_of(server, "sk-quick")
    server.script(Behaviour(first_byte_s=0.5))
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(ask, "used", slow)
        assert eventually(lambda: len(server.requests) == 1)
        ask("used", quick)
        assert not waiting.done()
        assert waiting.result(5) == 1
    assert eventually(lambda: server.open_connections == 1)
    ask("used", quick)
    assert server.connections_made == 2


def test_several_callers_can_call_concurrently(server: ProviderServer) -> None:
    server.script(*[Behaviour(first_byte_s=0.5)] * 4)
    adapter = adapter_of(server)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda number: ask(number, adapter), range(4))) == [1] * 4
    assert server.most_open_streams == 4


def test_database_work_runs_in_the_calling_thread(server: ProviderServer) -> None:
    adapter = adapter_of(server)

    async def names() -> tuple[str, str]:
        there = await in_database(lambda: threading.current_thread().name, undo=print)
        return there, threading.current_thread().name

    assert run_on_shared_loop("names", adapter, names) == (threading.current_thread().name, "model-connections")


def test_errors_reach_the_caller(server: ProviderServer) -> None:
    server.script(Behaviour("status", status=400, error_type="invalid_request_error"))
    with pytest.raises(ModelError) as refused:
        ask("errors", adapter_of(server))
    assert refused.value.code == "rejected"


def test_an_interrupted_caller_releases_the_provider(server: ProviderServer) -> None:
    server.script(Behaviour("hang"))
    with pytest.raises(Left), interrupted_after(0.3, Left):
        ask("leaving", adapter_of(server))
    assert eventually(lambda: server.closed_early == 1)
    assert ask("leaving", adapter_of(server)) == 1


def test_an_interrupted_caller_undoes_its_database_work(server: ProviderServer) -> None:
    taken_back: list[str] = []

    async def asks() -> None:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task

        def work() -> str:
            stopped = threading.Event()
            loop.call_soon_threadsafe(task.cancel)
            loop.call_soon_threadsafe(stopped.set)
            assert stopped.wait(5)
            return "held"

        await in_database(work, undo=taken_back.append)

    with pytest.raises(CancelledError):
        run_on_shared_loop("stopped", adapter_of(server), asks)
    assert taken_back == ["held"]


def test_a_forked_process_has_its_own_loop(server: ProviderServer) -> None:
    adapter = adapter_of(server)
    ask("forked", adapter)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        with suppress(BaseException):
            ask("forked", adapter)
            os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    ask("forked", adapter)
    assert server.connections_made == 2
