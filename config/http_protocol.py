"""uvicorn's HTTP protocol with a deadline for the head of a request; the body has its own in `body_limit`."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_S = 10.0


class DeadlineHttpProtocol(HttpToolsProtocol):
    """Closes a connection whose request has begun, or whose first was not sent, for `HEAD_S` seconds."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_deadline()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._set_deadline()

    def on_headers_complete(self) -> None:
        self._clear_deadline()
        super().on_headers_complete()

    def _set_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_S, self.transport.close)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
