"""The owner of a reply: a task of its own that reads the model and does all writing; whoever listens only follows.

A listener that goes away ends nothing. The reply is kept every other second, so that a crash loses little; it is
complete only by the provider's own word, and otherwise stays partial or failed with the reason.
"""

from __future__ import annotations

import asyncio
import contextvars
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
from apps.conversations.services.announcing import message_announce
from apps.conversations.services.replies import Ending, TurnLost, reply_write
from apps.events.publish import tell
from apps.events.types import TurnProgressed
from apps.llm.providers.base import ModelRequest, Purpose, TextDelta
from apps.turns.services.beginning import Turn
from apps.turns.services.ending import turn_end

KEEP_EVERY_S = 2.0
SILENCE_S = 15.0
# Together less than the lease of a turn.
END_PAUSES_S = (0.5, 2.0, 5.0)
_THREADS = 4
T = TypeVar("T")

_log = structlog.get_logger("continuity.turns")
_writers = ThreadPoolExecutor(_THREADS, thread_name_prefix="turn-writer")
_owners: dict[UUID, Owner] = {}


class Owner:
    """One reply in the making. `text` grows; `ending` is set when nothing more comes, and is stored by then."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.text = ""
        self.ending: Ending | None = None
        self._grown = asyncio.Condition()
        self._loop = asyncio.get_running_loop()
        self._asked_to_stop = False
        self._task = asyncio.create_task(self._own(), context=contextvars.Context())

    async def follow(self) -> AsyncIterator[str]:
        """The text from its beginning, piece by piece as it comes, until the reply has ended; empty after a silence."""
        told = 0
        while self.ending is None or told < len(self.text):
            if told == len(self.text):
                await self._news(told)
            piece, told = self.text[told:], len(self.text)
            if piece or self.ending is None:
                yield piece

    def result(self) -> Ending:
        if self.ending is None:
            raise RuntimeError("the reply is still being written")
        return self.ending

    def stop(self) -> None:
        """End the reply with what it has; from any thread."""
        self._asked_to_stop = True
        self._loop.call_soon_threadsafe(self._task.cancel)

    async def _own(self) -> None:
        reply_id = self.turn.hold.reply_id
        keeper = asyncio.create_task(self._keep())
        try:
            ending = await self._read()
        except asyncio.CancelledError:
            ending = self._short("stopped" if self._asked_to_stop else "interrupted")
        except ContinuityError as error:
            ending = self._short(error.code)
        except Exception as error:
            _log.error("turn.failed", reply_id=str(reply_id), error=type(error).__name__)
            ending = self._short("internal_error")
        keeper.cancel()
        self.ending = await asyncio.shield(self._end(ending))
        _owners.pop(reply_id, None)
        await self._tell()

    async def _read(self) -> Ending:
        turn = self.turn
        request = ModelRequest(purpose=Purpose.CHAT, model=turn.chosen.model, prompt=turn.pack)
        async with aclosing(turn.chosen.provider.stream(request)) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    self.text += event.text
                    await self._tell()
        return Ending(MessageStatus.COMPLETE)

    async def _keep(self) -> None:
        """Store what there is every other second, and heed a wish to stop that came through another process."""
        while True:
            await asyncio.sleep(KEEP_EVERY_S)
            try:
                if await _in_unit(self.turn, self._write):
                    self.stop()
                self._tell_progress()
            except TurnLost:
                self.stop()
            except Exception as error:
                _log.warning("turn.not_kept", reply_id=str(self.turn.hold.reply_id), error=type(error).__name__)

    def _write(self) -> bool:
        hold = self.turn.hold
        stop = reply_write(hold, text=self.text, policy=self.turn.policy)
        message_announce(conversation_id=hold.conversation_id, message_id=hold.reply_id)
        return stop

    def _tell_progress(self) -> None:
        hold, characters = self.turn.hold, len(self.text)
        tell(TurnProgressed(conversation_id=hold.conversation_id, reply_id=hold.reply_id, characters=characters))

    async def _end(self, ending: Ending) -> Ending:
        """Store the end, and again while the database is away; how it really ended.

        After the last try it is left to the watch, which gives the turn back with what was kept.
        """
        for pause_s in (*END_PAUSES_S, None):
            try:
                await _in_unit(self.turn, lambda: self._write_end(ending))
                return ending
            except Exception as error:
                _log.error("turn.not_stored", reply_id=str(self.turn.hold.reply_id), error=type(error).__name__)
                if pause_s is None or not isinstance(error, OperationalError | InterfaceError):
                    break
            await asyncio.sleep(pause_s)
        return self._short("not_stored")

    def _write_end(self, ending: Ending) -> None:
        turn_end(self.turn, text=self.text, ending=ending, reports=self.turn.chosen.provider.reports)

    def _short(self, code: str) -> Ending:
        return Ending(MessageStatus.PARTIAL if self.text else MessageStatus.FAILED, code)

    async def _news(self, told: int) -> None:
        """Wait for more text or the end, but not for ever."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SILENCE_S), self._grown:
                await self._grown.wait_for(lambda: len(self.text) > told or self.ending is not None)

    async def _tell(self) -> None:
        async with self._grown:
            self._grown.notify_all()


async def owner_start(turn: Turn) -> Owner:
    """Begin to write the reply on the running event loop."""
    owner = Owner(turn)
    _owners[turn.hold.reply_id] = owner
    return owner


def owner_of(reply_id: UUID) -> Owner | None:
    """The owner of a reply, if it is in this process."""
    return _owners.get(reply_id)


async def _in_unit(turn: Turn, write: Callable[[], T]) -> T:
    """Do the write in a thread of the writers', which must not keep its connection."""

    def whole() -> T:
        close_old_connections()
        try:
            with workspace(turn.workspace_id):
                return write()
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_writers, whole)
