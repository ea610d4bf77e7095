"""The sender: deliver the spool's events in the order of time, then end. Runs detached from the agent."""

from __future__ import annotations

import json
import os
import sys
import time
from itertools import groupby
from typing import Any, NamedTuple

from continuity_client.home import fallback_home, home, is_private, make_private, read_settings, write_log
from continuity_client.hook.detached import RETRY_AT, release_lock, take_lock
from continuity_client.hook.recording import is_of_another
from continuity_client.hook.spool import (
    READY,
    REASON,
    REFUSED,
    SPOOL,
    WAITING,
    files_in,
    size_of,
    time_of,
    write_private,
)
from continuity_client.http import Connection, ServerError, WrongServer, check_identity

MOST_EVENTS, MOST_BYTES = 100, 1_000_000
MOST_REFUSED = 500
ADOPT_AFTER, ABANDONED_AFTER = 30.0, 3_600.0
TIMEOUT = 20.0
LOW_PRIORITY = 10
LOCK_PAUSE = 0.2
# Pauses within one sender; then the process ends, and later ones wait longer and longer.
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
FIRST_PAUSE, LONGEST_PAUSE = 30.0, 600.0
WRONG_SERVER_PAUSE = 300.0


class Event(NamedTuple):
    """A spooled event."""

    name: str
    client: str
    id: str
    document: dict[str, Any]


class Sent(NamedTuple):
    """What became of the spool: `error` is the reason why events are left."""

    delivered: int
    refused: int
    left: int
    error: str = ""


def main(arguments: list[str]) -> None:
    """Run as the detached process: the home, and the lock's descriptor if the hook took it."""
    root, lock = arguments[0], int(arguments[1]) if len(arguments) > 1 else None
    if hasattr(os, "nice"):
        # The agent and its hooks come first.
        os.nice(LOW_PRIORITY)
    try:
        send_all(root, lock)
    except Exception as error:  # there is nobody to show it to
        write_log(root, f"sender: {type(error).__name__}: {error}")


def send_all(root: str, lock: int | None = None, *, patience: float = 0, pauses: tuple[float, ...] = PAUSES) -> Sent:
    """Deliver the home's spool, and the fallback's. Events that arrive during the last look are delivered too.

    `patience` is how long to wait for the lock, `pauses` are those between tries.
    """
    sent = Sent(0, 0, 0)
    for place in dict.fromkeys((root, home(), fallback_home())):
        if not os.path.isdir(place) or (place == fallback_home() and not is_private(place)):
            continue
        if place != root or lock is None:
            lock = _lock_in_time(place, patience) if os.access(place, os.W_OK) else None
            if lock is None and patience and os.access(place, os.W_OK):
                return Sent(sent.delivered, sent.refused, len(files_in(place)), "Another process is sending the spool.")
        while lock is not None:
            sent = _sum(sent, _send(place, pauses))
            release_lock(lock)
            # A hook that saw the lock left its event to this process.
            lock = take_lock(place) if not sent.error and _ready_files(place) else None
    return sent


def _lock_in_time(root: str, patience: float) -> int | None:
    deadline = time.monotonic() + patience
    while (lock := take_lock(root)) is None and time.monotonic() < deadline:
        time.sleep(LOCK_PAUSE)
    return lock


def _sum(first: Sent, second: Sent) -> Sent:
    return Sent(
        first.delivered + second.delivered,
        first.refused + second.refused,
        second.left if second.error or not first.error else first.left,
        second.error or first.error,
    )


def _send(root: str, pauses: tuple[float, ...]) -> Sent:
    settings = read_settings()
    if settings is None:
        return Sent(0, 0, len(files_in(root)), "No server is paired.")
    return _Run(root, settings).drain(pauses)


class _Run:
    """One pass over a spool."""

    def __init__(self, root: str, settings: dict[str, Any]) -> None:
        self.root = root
        self.delivered = self.refused = 0
        self._connect(settings)

    def _connect(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.connection = Connection(settings["url"], settings["api_key"], timeout=TIMEOUT)

    def drain(self, pauses: tuple[float, ...]) -> Sent:
        """Send batch after batch; after a failure, try again with pauses."""
        _remove_abandoned(self.root)
        for pause in (*pauses, None):
            try:
                check_identity(self.connection, self.settings)
                self._send_batches()
            except ServerError as error:
                if not os.path.isdir(self.root):
                    # A person removed the home.
                    return Sent(self.delivered, self.refused, 0, str(error))
                if pause is not None and error.may_pass and not isinstance(error, WrongServer):
                    time.sleep(pause)
                    # A person may have paired again.
                    self._connect(read_settings() or self.settings)
                    continue
                return self._stop(error)
            _forget_failures(self.root)
            return Sent(self.delivered, self.refused, len(files_in(self.root)))
        raise AssertionError

    def _stop(self, error: ServerError) -> Sent:
        left = len(files_in(self.root))
        seconds = _pause_senders(self.root, isinstance(error, WrongServer))
        write_log(self.root, f"sender: {error} {left} in the spool; the next try is in {seconds:.0f} s or later.")
        return Sent(self.delivered, self.refused, left, str(error))

    def _send_batches(self) -> None:
        while batch := self._next_batch():
            for client, events in groupby(batch, key=lambda event: event.client):
                self._send_batch(client, list(events))

    def _follow_settings(self) -> None:
        """Use the settings that a person wrote in the meantime: newer events were recorded for them."""
        settings = read_settings()
        if settings is not None and settings != self.settings:
            self._connect(settings)
            check_identity(self.connection, settings)

    def _next_batch(self) -> list[Event]:
        self._follow_settings()
        batch: list[Event] = []
        size = 0
        for name in _ready_files(self.root):
            size += size_of(name)
            if len(batch) == MOST_EVENTS or (batch and size > MOST_BYTES):
                break
            if (event := self._read(name)) is not None:
                batch.append(event)
        return batch

    def _read(self, name: str) -> Event | None:
        try:
            with open(os.path.join(self.root, SPOOL, name), encoding="utf-8") as file:
                stored = json.load(file)
            if reason := is_of_another(stored, self.settings):
                self._refuse(name, reason)
                return None
            document = {key: stored[key] for key in ("id", "recorded_at", "payload")}
            return Event(name, str(stored["client"]), str(stored["id"]), document)
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            self._refuse(name, f"its file is damaged ({type(error).__name__})")
            return None

    def _send_batch(self, client: str, events: list[Event]) -> None:
        """Send events of one client; if the server refuses the batch, send them one by one."""
        try:
            answer = self.connection.post(
                f"/api/hooks/{client}/batch", {"events": [event.document for event in events]}
            )
        except ServerError as error:
            if not _is_refusal(error):
                raise
            if len(events) == 1:
                self._refuse(events[0].name, str(error))
                return
            for event in events:
                self._send_batch(client, [event])
            return
        self._settle(events, answer)

    def _settle(self, events: list[Event], answer: Any) -> None:
        results = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(results, list):
            raise ServerError(f"{self.connection.url} answered with something else than results.", 502)
        by_id = {str(result.get("id")): result for result in results if isinstance(result, dict)}
        for event in events:
            result = by_id.get(event.id, {"status": "refused", "problem": {"detail": "The server gave no result."}})
            if result.get("status") == "refused":
                problem = result.get("problem") or {}
                self._refuse(event.name, str(problem.get("detail") or problem.get("title") or "refused"))
            else:
                _unlink(os.path.join(self.root, SPOOL, event.name))
                self.delivered += 1

    def _refuse(self, name: str, reason: str) -> None:
        """Move an event that cannot be sent out of the spool, with the reason; the newest 500 are stored."""
        folder = os.path.join(self.root, REFUSED)
        make_private(folder)
        path = os.path.join(self.root, SPOOL, name)
        with open(path, encoding="utf-8", errors="replace") as file:
            document = {REASON: reason, "event": file.read()}
        # A sender that was killed here may have written it.
        _unlink(os.path.join(folder, name))
        write_private(os.path.join(folder, name), json.dumps(document).encode())
        _unlink(path)
        for old in sorted(os.listdir(folder))[:-MOST_REFUSED]:
            _unlink(os.path.join(folder, old))
        self.refused += 1
        write_log(self.root, f"sender: an event was refused: {reason}")


def _is_refusal(error: ServerError) -> bool:
    """Whether the server will never accept the events: neither a bad key nor an older server is their fault."""
    return 400 <= error.status < 500 and not error.may_pass and error.status not in (401, 403, 404, 405)


def _ready_files(root: str) -> list[str]:
    """Files to send: not those that a hook is sending right now."""
    latest = time.time() - ADOPT_AFTER
    return [
        name for name in files_in(root) if name.endswith(READY) or (name.endswith(WAITING) and time_of(name) < latest)
    ]


def _remove_abandoned(root: str) -> None:
    """Remove what a hook that was killed left half-written."""
    folder, latest = os.path.join(root, SPOOL), time.time() - ABANDONED_AFTER
    names = os.listdir(folder) if os.path.isdir(folder) else []
    for name in names:
        if name.startswith(".") and time_of(name[1:]) < latest:
            _unlink(os.path.join(folder, name))


def _pause_senders(root: str, wrong_server: bool) -> float:
    """Set the time of the next try, later after each failure; return the seconds until then."""
    path = os.path.join(root, RETRY_AT)
    failures = os.stat(path).st_size if os.path.exists(path) else 0
    seconds = WRONG_SERVER_PAUSE if wrong_server else min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(failures, 10))
    with open(path, "ab") as file:
        file.write(b".")
    until = time.time() + seconds
    os.utime(path, (until, until))
    return seconds


def _forget_failures(root: str) -> None:
    _unlink(os.path.join(root, RETRY_AT))


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


if __name__ == "__main__":
    main(sys.argv[1:])
