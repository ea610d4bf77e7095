"""The command `claude -p` of whoever runs this installation: one child for each call, which is gone when the call is.

Nobody is at its terminal and it may do nothing but answer. It stands in a process group of its own, so that what it
starts ends with it.
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
_LONGEST_COMPLAINT = 16 * 2**10
_GLANCE_S, _WATCH_S = 0.005, 0.05
# Who was killed is gone in a moment; who is not hangs in the system, and nobody can wait for that.
_REAP_S = 1.0


class ClaudeCliProvider(StreamingProvider):
    """Asks once. Of all calls in a process `at_once` run at a time; the others wait their turn.

    `own` are the variables of the operator's account, of which the command gets those that it needs.
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
        self._places = _places(command, at_once)

    async def stream(self, request: ModelRequest) -> Events:
        if sys.platform == "win32":
            raise ModelError("not_supported")
        times, deadline = self._times, _now() + self._times.limit_s(request.purpose, request.timeout_s)
        reader = AnswerReader(in_a_form=request.answer_schema is not None)
        async with self._places.taken(min(deadline, _now() + times.turn_s)), self._running(request) as child:
            limit = min(deadline, _now() + times.first_byte_s)
            while not reader.finished:
                line = await within(child.line(), limit)
                if line is None:
                    code = await within(child.ended(), min(deadline, _now() + times.idle_s))
                    raise reader.ended_early(code, child.complaint)
                for told in reader.read(line):
                    yield told
                limit = min(deadline, _now() + times.idle_s)
            if await within(child.ended(), min(deadline, _now() + times.idle_s)):
                raise ModelError("cut" if reader.spoken else "unavailable")
        for told in reader.rest():
            yield told

    async def aclose(self) -> None:
        """Nothing is held: a child ends with its call."""

    @asynccontextmanager
    async def _running(self, request: ModelRequest) -> AsyncIterator[_Child]:
        with _folder() as folder:
            child = _Child(self._started(request, folder))
            try:
                await child.listen()
                yield child
            finally:
                await child.end()

    def _started(self, request: ModelRequest, folder: Path) -> subprocess.Popen[bytes]:
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
    """A running command. Its number is its group's as long as nobody has asked for its exit code."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._said = asyncio.StreamReader(limit=_LONGEST_LINE)
        self._complaint = _Complaint()
        self._ears: list[asyncio.BaseTransport] = []
        self._watch: asyncio.Task[int] | None = None

    @property
    def complaint(self) -> str:
        return self._complaint.text

    async def listen(self) -> None:
        await self._hear(self._process.stdout, asyncio.StreamReaderProtocol(self._said))
        await self._hear(self._process.stderr, self._complaint)
        # Who is left behind by a command that ended holds its pipes open: without a watch they would never end.
        self._watch = asyncio.create_task(self._over(_WATCH_S))

    async def _hear(self, pipe: IO[bytes] | None, ear: asyncio.BaseProtocol) -> None:
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: ear, pipe)
        self._ears.append(transport)

    async def line(self) -> bytes | None:
        """None at the end; half a line is none."""
        try:
            line = await self._said.readline()
        except ValueError:
            raise ModelError("malformed", "The command's line is too long.") from None
        return line if line.endswith(b"\n") else None

    async def ended(self) -> int:
        """The exit code, as soon as there is one."""
        return await self._over(_GLANCE_S)

    async def end(self) -> None:
        """Kill what is left of it and wait until it is gone."""
        if self._process.returncode is None:
            self._kill()
        if self._watch is not None:
            self._watch.cancel()
        for closed in (*self._ears, self._process.stdout, self._process.stderr):
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

    async def _over(self, between_s: float) -> int:
        while not self._is_over():
            await asyncio.sleep(between_s)
        return self._process.returncode

    def _is_over(self) -> bool:
        """Whoever outlives the command in its group is killed in the same moment: later the number may be another's."""
        if self._process.returncode is None and self._process.poll() is not None:
            self._kill()
        return self._process.returncode is not None

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)


class _Complaint(asyncio.Protocol):
    """The beginning of what a command writes for people; it decides on an error's code and is never shown."""

    def __init__(self) -> None:
        self._heard = bytearray()

    @property
    def text(self) -> str:
        return self._heard.decode("utf-8", "replace")

    def data_received(self, data: bytes) -> None:
        self._heard += data[: _LONGEST_COMPLAINT - len(self._heard)]


class _Places:
    """So many at a time in the whole process, whatever event loop they run on; who came first goes first."""

    def __init__(self, free: int) -> None:
        self._free, self._lock = free, threading.Lock()
        self._waiting: deque[Future[None]] = deque()

    @asynccontextmanager
    async def taken(self, limit: float) -> AsyncIterator[None]:
        """Raises `ModelError`: `busy` where no place was free until then."""
        await self._take(limit)
        try:
            yield
        finally:
            self._give_back()

    async def _take(self, limit: float) -> None:
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
            # It may have become our turn in the moment in which we gave up.
            if not turn.cancel():
                self._give_back()
            if isinstance(error, TimeoutError):
                raise ModelError("busy", sent=False) from None
            raise

    def _give_back(self) -> None:
        with self._lock:
            while self._waiting:
                turn = self._waiting.popleft()
                if turn.set_running_or_notify_cancel():
                    turn.set_result(None)
                    return
            self._free += 1


@cache
def _places(command: str, at_once: int) -> _Places:
    """The same for every provider of the command, however many there are in this process."""
    return _Places(at_once)


def _now() -> float:
    return asyncio.get_running_loop().time()


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder for one call, readable by this account alone, with an empty one in it to stand in."""
    with TemporaryDirectory(prefix="continuity-claude-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "empty").mkdir()
        yield folder


@contextmanager
def _as_model_errors() -> Iterator[None]:
    """A command that cannot be started, without its path or its arguments."""
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
