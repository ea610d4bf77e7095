"""The reply writer: a task that reads the model's stream and stores the reply, while clients only follow.

A client that disconnects does not end the reply. The text is stored every two seconds, so that a crash loses little.
A reply is complete only if the provider ended it; otherwise it is partial or failed, with the reason.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import TypeVar
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, close_old_connections

from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.conversations.models import MessageStatus
from apps.conversations.services.events import reply_announce
from apps.conversations.services.replies import Ending, TurnLost, reply_write
from apps.events.publish import publish
from apps.events.types import TurnProgressed
from apps.llm.middleware.metering import require_no_transaction
from apps.llm.providers.base import MAX_TOKENS, Finished, ModelRequest, Purpose, Reasoning, TextDelta
from apps.turns.records import Turn
from apps.turns.services.finish import turn_account, turn_end
from apps.turns.services.first_token_priority import yield_to_beginning_turns
from apps.turns.timeouts import times

_THREADS = 4
T = TypeVar("T")

_log = structlog.get_logger("continuity.turns")
_threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="turn-writer")
_writers: dict[UUID, ReplyWriter] = {}
_closing = threading.Event()


class ReplyWriter:
    """A reply that is being written. `text` grows; `ending` is set once the ending is stored.

    `detail` describes the error, if any.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn, self.message, self.built = turn, turn.message, turn.built
        self.reply_id, self.reply_index = turn.lease.reply_id, turn.lease.index
        self.text = self.reasoning = ""
        self.detail = ""
        self.ending: Ending | None = None
        self._answered: Ending | None = None
        self._cut_by = ""
        self._grown = asyncio.Event()
        self._loop, self._times = asyncio.get_running_loop(), times()
        self._reading = asyncio.create_task(self._read(), context=contextvars.Context())
        self.task = asyncio.create_task(self._own(), context=contextvars.Context())

    async def follow(self) -> AsyncIterator[str]:
        """Yield the text from its beginning as it arrives, until the reply ends; an empty piece after a silence."""
        told = 0
        while self.ending is None or told < len(self.text):
            if told == len(self.text):
                await self._news()
            piece, told = self.text[told:], len(self.text)
            if piece or self.ending is None:
                yield piece

    def result(self) -> Ending:
        if self.ending is None:
            raise RuntimeError("the reply is still being written")
        return self.ending

    def stop(self, code: str = "stopped") -> None:
        """End the reply with its present text; from any thread. Only the first call before the ending counts."""
        self._loop.call_soon_threadsafe(self._cut, code)

    def _cut(self, code: str) -> None:
        if not (self._cut_by or self._answered):
            self._cut_by = code
            self._reading.cancel()

    async def _own(self) -> None:
        keeper = asyncio.create_task(self._keep())
        ending: Ending | None = None
        try:
            ending = await self._stored(await self._outcome())
        finally:
            keeper.cancel()
            self.ending = ending or self._short("not_stored")
            _writers.pop(self.reply_id, None)
            self._tell()

    async def _outcome(self) -> Ending:
        """Return the ending, whatever the cause. An ending by the provider takes precedence."""
        code = "cut"
        try:
            await self._reading
        except asyncio.CancelledError:
            code = self._cut_by or "interrupted"
        except ContinuityError as error:
            code, self.detail = error.code, error.detail
        except Exception as error:
            self._log("turn.failed", error)
            code = "internal_error"
        return self._answered or self._short(code)

    async def _read(self) -> None:
        turn, chosen = self.turn, self.turn.chosen
        request = ModelRequest(
            Purpose.CHAT,
            chosen.model,
            turn.pack,
            max_tokens=chosen.answer_budget,
            matches=turn.built.matches,
            notice=turn.notice,
        )
        async with aclosing(chosen.provider.stream(request)) as events:
            async for event in events:
                match event:
                    case TextDelta(text):
                        self.text += text
                        self._tell()
                    case Reasoning(text):
                        self.reasoning = text
                    case Finished(reason):
                        self._answered = self._short(reason) if reason == MAX_TOKENS else Ending(MessageStatus.COMPLETE)

    async def _keep(self) -> None:
        """Store the text every two seconds, and stop if another process requested it.

        Runs until the ending is stored, because it also renews the turn's lease.
        """
        while True:
            await asyncio.sleep(times().save_every_s)
            try:
                if await _in_unit(self.turn, self._write):
                    self.stop()
            except TurnLost:
                self.stop("turn_lost")
            except Exception as error:
                self._log("turn.not_kept", error)

    def _write(self) -> bool:
        """Store the text, and return whether a stop was requested."""
        lease, text = self.turn.lease, self.text
        written = reply_write(lease, text=text, policy=self.turn.policy, reasoning=self.reasoning)
        reply_announce(written)
        publish(TurnProgressed(conversation_id=lease.conversation_id, reply_id=lease.reply_id, characters=len(text)))
        return written.conversation.turn_stop

    async def _stored(self, ending: Ending) -> Ending:
        """Store the ending, with retries while the database is unavailable, and return the stored one.

        If it can't be stored at all, the orphan job releases the turn with the text stored before.
        """
        until = self._loop.time() + times().store_s
        while self._loop.time() < until:
            try:
                return await _in_unit(self.turn, lambda: self._end(ending))
            except (OperationalError, InterfaceError) as error:
                self._log("turn.not_yet_stored", error)
            except Exception as error:
                self._log("turn.not_stored", error)
                break
            await asyncio.sleep(times().retry_every_s)
        with suppress(Exception):
            await _in_unit(self.turn, lambda: turn_account(self.turn))
        return self._short("not_stored")

    def _end(self, ending: Ending) -> Ending:
        return turn_end(self.turn, text=self.text, ending=ending, reasoning=self.reasoning)

    def _short(self, code: str) -> Ending:
        return Ending(MessageStatus.PARTIAL if self.text else MessageStatus.FAILED, code)

    def _log(self, event: str, error: Exception) -> None:
        _log.error(event, reply_id=str(self.reply_id), error=type(error).__name__)

    async def _news(self) -> None:
        """Wait for more text or the ending, at most until a silence times out."""
        silence = self._loop.call_later(self._times.keepalive_s, self._tell)
        try:
            await self._grown.wait()
        finally:
            silence.cancel()

    def _tell(self) -> None:
        """Wake all followers that wait for news."""
        self._grown.set()
        self._grown = asyncio.Event()


async def reply_writer_start(turn: Turn) -> ReplyWriter:
    """Start to write the reply on the running event loop, after the beginning of the turn was committed."""
    require_no_transaction()
    writer = ReplyWriter(turn)
    _writers[writer.reply_id] = writer
    if _closing.is_set():
        writer.stop("interrupted")
    return writer


def reply_writer_of(reply_id: UUID) -> ReplyWriter | None:
    """Return the writer of a reply if it is in this process."""
    return _writers.get(reply_id)


def reply_writers_stop() -> None:
    """End all replies of this process with their present text, including those that begin later."""
    _closing.set()
    for writer in list(_writers.values()):
        writer.stop("interrupted")


async def reply_writers_close() -> None:
    """Stop all replies and wait, up to a timeout, until they are stored."""
    reply_writers_stop()
    if tasks := [writer.task for writer in _writers.values()]:
        await asyncio.wait(tasks, timeout=times().close_s)


async def _in_unit(turn: Turn, write: Callable[[], T]) -> T:
    """Run the write in the writers' thread pool, without keeping a connection, after turns that begin."""

    def whole() -> T:
        close_old_connections()
        try:
            with workspace(turn.workspace_id):
                return write()
        finally:
            close_old_connections()

    if not _closing.is_set():
        await yield_to_beginning_turns()
    return await asyncio.get_running_loop().run_in_executor(_threads, whole)
