"""Adapter for the operator's `claude -p` command: one child process per call, which ends with the call.

The child runs without a terminal or tools, and in its own process group, so that its descendants are killed with it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from types import MappingProxyType
from typing import IO

from apps.llm.errors import ModelError
from apps.llm.providers.base import Capabilities, Events, ModelRequest, StreamingProvider
from apps.llm.providers.claude_cli_protocol import TURNS_IN_A_FORM, AnswerReader, arguments, texts, variables
from apps.llm.providers.http import within
from apps.llm.timeouts import MODEL_TIMES, ModelTimes

_NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
_LONGEST_LINE = 4 * 2**20
_LONGEST_STDERR = 16 * 2**10
_FAST_POLL_S, _SLOW_POLL_S = 0.005, 0.05
# A killed process exits at once, unless it hangs in the kernel, which is not worth waiting for.
_REAP_S = 1.0


class ClaudeCliProvider(StreamingProvider):
    """An adapter without retries. At most `at_once` calls of a process run concurrently; the others queue.

    `own` is the environment of the operator's account; the command receives the variables that it needs.
    """

    name = "claude-cli"
    capabilities = Capabilities(supports_schema=True, turns_in_a_form=TURNS_IN_A_FORM)

    def __init__(
        self,
        command: str,
        times: ModelTimes = MODEL_TIMES,
        own: Mapping[str, str] = _NO_VARIABLES,
        at_once: int = 1,
    ) -> None:
        self._command, self._times, self._own = command, times, own
        self._slots = _slots(command, at_once)

    async def stream(self, request: ModelRequest) -> Events:
        if sys.platform == "win32":
            raise ModelError("not_supported")
        times, deadline = self._times, _now() + self._times.limit_s(request.purpose, request.timeout_s)
        reader = AnswerReader(in_a_form=request.answer_schema is not None)
        async with self._slots.acquired(min(deadline, _now() + times.turn_s)), self._running(request) as child:
            limit = min(deadline, _now() + times.first_byte_s)
            while not reader.finished:
                line = await within(child.line(), limit)
                if line is None:
                    code = await within(child.ended(), min(deadline, _now() + times.idle_s))
                    raise reader.ended_early(code, child.stderr)
                for event in reader.read(line):
                    yield event
                limit = min(deadline, _now() + times.idle_s)
            if await within(child.ended(), min(deadline, _now() + times.idle_s)):
                raise ModelError("cut" if reader.has_text else "unavailable")
        for event in reader.rest():
            yield event

    async def aclose(self) -> None:
        """Do nothing: a child process ends with its call."""

    @asynccontextmanager
    async def _running(self, request: ModelRequest) -> AsyncIterator[_Child]:
        with _temporary_folder() as folder:
            child = _Child(self._start(request, folder))
            try:
                await child.listen()
                yield child
            finally:
                await child.end()

    def _start(self, request: ModelRequest, folder: Path) -> subprocess.Popen[bytes]:
        system, prompt = texts(request)
        system_file = folder / "system"
        argv = [self._command, *arguments(request, str(system_file) if system else None)]
        environment = variables(self._own, request, str(folder))
        with _as_model_errors(), TemporaryFile() as stdin:
            system_file.write_text(system, encoding="utf-8", errors="replace")
            stdin.write(prompt.encode("utf-8", "replace"))
            stdin.seek(0)
            return subprocess.Popen(  # noqa: S603  # the operator's command, without a shell, with fixed arguments
                argv,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder / "empty",
                env=environment,
                start_new_session=True,
            )


class _Child:
    """A running command. Its process id is also its group's, and stays valid until the exit code is collected."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._stdout = asyncio.StreamReader(limit=_LONGEST_LINE)
        self._stderr = _ErrorOutput()
        self._transports: list[asyncio.BaseTransport] = []
        self._watch: asyncio.Task[int] | None = None

    @property
    def stderr(self) -> str:
        return self._stderr.text

    async def listen(self) -> None:
        await self._connect(self._process.stdout, asyncio.StreamReaderProtocol(self._stdout))
        await self._connect(self._process.stderr, self._stderr)
        # Descendants that outlive the command hold its pipes open; without the watch they would never close.
        self._watch = asyncio.create_task(self._wait(_SLOW_POLL_S))

    async def _connect(self, pipe: IO[bytes] | None, protocol: asyncio.BaseProtocol) -> None:
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, pipe)
        self._transports.append(transport)

    async def line(self) -> bytes | None:
        """The next complete line; None at the end of the output."""
        try:
            line = await self._stdout.readline()
        except ValueError:
            raise ModelError("malformed", "The command sent a line that is too long.") from None
        return line if line.endswith(b"\n") else None

    async def ended(self) -> int:
        """Wait for the exit code."""
        return await self._wait(_FAST_POLL_S)

    async def end(self) -> None:
        """Kill the process group if it still runs, close the pipes, and reap the process."""
        if self._process.returncode is None:
            self._kill()
        if self._watch is not None:
            self._watch.cancel()
        for closed in (*self._transports, self._process.stdout, self._process.stderr):
            if closed is not None:
                closed.close()
        try:
            async with asyncio.timeout(_REAP_S):
                await self.ended()
        except TimeoutError:
            return
        except asyncio.CancelledError:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_REAP_S)
            raise

    async def _wait(self, interval_s: float) -> int:
        while not self._has_exited():
            await asyncio.sleep(interval_s)
        return self._process.returncode

    def _has_exited(self) -> bool:
        """Poll the exit code; on exit kill the rest of the group at once, before the group id can be reused."""
        if self._process.returncode is None and self._process.poll() is not None:
            self._kill()
        return self._process.returncode is not None

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)


class _ErrorOutput(asyncio.Protocol):
    """Collects the beginning of standard error. It selects an error code and is never shown."""

    def __init__(self) -> None:
        self._data = bytearray()

    @property
    def text(self) -> str:
        return self._data.decode("utf-8", "replace")

    def data_received(self, data: bytes) -> None:
        self._data += data[: _LONGEST_STDERR - len(self._data)]


class _Slots:
    """A first-in, first-out semaphore for the whole process, across event loops."""

    def __init__(self, free: int) -> None:
        self._free, self._lock = free, threading.Lock()
        self._waiting: deque[Future[None]] = deque()

    @asynccontextmanager
    async def acquired(self, limit: float) -> AsyncIterator[None]:
        """Hold a slot; raises `ModelError` (`busy`) if none becomes free before `limit`."""
        await self._acquire(limit)
        try:
            yield
        finally:
            self._release()

    async def _acquire(self, limit: float) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn: Future[None] = Future()
            self._waiting.append(turn)
        try:
            async with asyncio.timeout_at(limit):
                await asyncio.wrap_future(turn)
        except BaseException as error:
            # The slot may have been assigned at the moment of the timeout.
            if not turn.cancel():
                self._release()
            if isinstance(error, TimeoutError):
                raise ModelError("busy", sent=False) from None
            raise

    def _release(self) -> None:
        with self._lock:
            while self._waiting:
                turn = self._waiting.popleft()
                if turn.set_running_or_notify_cancel():
                    turn.set_result(None)
                    return
            self._free += 1


@cache
def _slots(command: str, at_once: int) -> _Slots:
    """The slots that all adapters of the command share in this process."""
    return _Slots(at_once)


def _now() -> float:
    return asyncio.get_running_loop().time()


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """A temporary folder for one call, private to this account, with an empty working directory inside."""
    with TemporaryDirectory(prefix="continuity-claude-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "empty").mkdir()
        yield folder


@contextmanager
def _as_model_errors() -> Iterator[None]:
    """Translate errors of starting the command, without its path or arguments."""
    try:
        yield
        return
    except (FileNotFoundError, PermissionError, NotADirectoryError):
        error = ModelError("not_configured")
    except OSError:
        error = ModelError("unavailable", sent=False)
    except ValueError:
        error = ModelError("rejected")
    raise error from None
