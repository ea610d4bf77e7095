"""One process runs the server's own models for all others."""

from __future__ import annotations

import os
import stat
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db import connection

from apps.engine.reading.chances import MessageInput
from apps.llm.embedding.model_ids import MINILM
from apps.llm.embedding.sentence_embedders import MINILM_SOURCE, SentenceEmbedder
from apps.llm.embedding.weights import package_folder
from apps.llm.errors import ModelError
from apps.llm.own_models import calls
from apps.llm.own_models.calls import run_model
from apps.llm.own_models.failure import OwnModelError
from apps.llm.reading.installed import ended_chances, read_messages
from apps.llm.relevance.installed import relevance_chances
from config.stack.process import PYTHON, ROOT, poll
from tests.interruption import interrupted_after

MESSAGES = [MessageInput("My sister Ada lives in Lisbon."), MessageInput("thanks!")]
PAIR = ("I live in Berlin.", "I moved to Lisbon.")


@pytest.fixture
def address(tmp_path: Path, settings: Any) -> str:
    settings.OWN_MODELS_SOCKET = str(tmp_path / "models.sock")
    return str(settings.OWN_MODELS_SOCKET)


class Server:
    """The process of the models, and its successors."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.start()

    def start(self) -> None:
        environment = {**os.environ, "CONTINUITY_OWN_MODELS_SOCKET": self.address}
        self.process = subprocess.Popen([PYTHON, "-m", "config.own_models"], cwd=ROOT, env=environment)
        assert poll(lambda: Path(self.address).exists(), 20)

    def start_again(self) -> bool:
        """Start a successor of a process that ended, as the supervisor does; return False."""
        if self.process.poll() is not None:
            self.start()
        return False

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def server(address: str) -> Iterator[Server]:
    started = Server(address)
    yield started
    started.kill()


@pytest.mark.slow("it loads three models")
def test_it_gives_what_the_models_give_here(server: Server, settings: Any) -> None:
    def results() -> tuple[Any, ...]:
        chances = relevance_chances("Where does Ada live?", [one.text for one in MESSAGES])
        vectors = SentenceEmbedder(MINILM, MINILM_SOURCE).embed([one.text for one in MESSAGES])
        return read_messages(MESSAGES), ended_chances([PAIR]), chances, vectors

    *there, their_vectors = results()
    settings.OWN_MODELS_SOCKET = ""
    *here, our_vectors = results()
    assert there == here
    assert np.array_equal(their_vectors, our_vectors)


@pytest.mark.usefixtures("server")
def test_only_our_own_user_may_call_it(address: str) -> None:
    assert stat.S_IMODE(os.stat(address).st_mode) & 0o077 == 0


def test_a_call_waits_for_the_successor_of_a_process_that_was_killed(server: Server) -> None:
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda _: run_model(time.sleep, 0.1), range(8)))
        waiting = pool.submit(run_model, time.sleep, 1)
        time.sleep(0.2)
        server.kill()
        server.start()
        assert waiting.result(15) is None
        assert run_model(len, "abc") == 3


def test_a_call_that_ends_the_process_is_not_repeated_for_ever(server: Server) -> None:
    with ThreadPoolExecutor() as pool:
        ending = pool.submit(run_model, os._exit, 1)
        assert poll(lambda: ending.done() or server.start_again(), 60)
        with pytest.raises(ModelError, match="ended"):
            ending.result()


@pytest.mark.usefixtures("address")
def test_without_the_process_it_says_so(settings: Any) -> None:
    settings.OWN_MODELS_RESTART_S = 0.2
    with pytest.raises(ModelError) as raised:
        read_messages(MESSAGES)
    assert (raised.value.code, raised.value.retryable) == ("unavailable", True)


@pytest.mark.usefixtures("server")
def test_a_failure_arrives_with_its_reason_and_with_no_text() -> None:
    with pytest.raises(ModelError, match="The package missing with the weights") as raised:
        run_model(package_folder, "missing", "minilm")
    assert raised.value.code == "not_configured"
    with pytest.raises(OwnModelError, match=r"^ValueError$"):
        run_model(int, "my address")
    with pytest.raises(MemoryError):
        run_model(bytes, 2**62)
    with pytest.raises(OwnModelError, match="TypeError"):
        run_model(iter, "its result cannot be sent".encode)


@pytest.mark.usefixtures("server")
def test_the_answer_of_a_call_that_was_given_up_is_not_given_to_the_next(settings: Any) -> None:
    settings.OWN_MODELS_TIMEOUT_S = 0.1
    with pytest.raises(ModelError, match="in time"):
        run_model(time.sleep, 0.5)
    settings.OWN_MODELS_TIMEOUT_S = 20
    assert run_model(len, "abc") == 3
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.2, KeyboardInterrupt):
        run_model(time.sleep, 1)
    assert run_model(len, "abcd") == 4


@pytest.mark.usefixtures("server")
def test_calls_at_the_same_time_get_their_own_answers() -> None:
    texts = ["a" * length for length in range(200)]
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(lambda text: run_model(len, text), texts)) == list(range(200))


@pytest.mark.usefixtures("server")
def test_a_process_that_was_forked_has_connections_of_its_own() -> None:
    assert run_model(len, "abc") == 3
    child = os.fork()
    if not child:
        try:
            run_model(time.sleep, 0.3)
            os._exit(0 if run_model(len, "abcd") == 4 else 1)
        finally:
            os._exit(2)
    assert [run_model(len, "a" * length) for length in range(50)] == list(range(50))
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.django_db(transaction=True)
def test_a_thread_that_waits_for_a_model_has_no_database_connection(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen threads that waited with one each left none for other requests and for replies to be stored."""
    while_waiting: list[object] = []
    monkeypatch.setattr(calls, "_exchanged", lambda *_: while_waiting.append(connection.connection))
    settings.OWN_MODELS_SOCKET = "/nowhere"
    connection.ensure_connection()
    run_model(len, "text")
    assert while_waiting == [None]
