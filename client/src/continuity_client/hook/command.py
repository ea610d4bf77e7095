"""`continuity hook <event>`: never slow, never loud, and always with exit code 0."""

from __future__ import annotations

import json
import os
import time
from typing import Any, NoReturn

from continuity_client.home import WINDOWS, home, read_settings, write_log
from continuity_client.hook.detached import start_sender
from continuity_client.hook.events import (
    CLIENTS,
    END,
    EVENTS,
    GENERIC,
    INSTRUCTIONS,
    START,
    STOP,
    SUBMIT,
    client_of,
    event_name,
    event_of,
    name_in,
)
from continuity_client.hook.outputs import output
from continuity_client.hook.recording import envelope_of, skeleton_envelope, store_event
from continuity_client.hook.spool import Stored, count_lost, files_in, release

LONGEST_INPUT = 32_000_000
# The deadlines; waiting for the server ends a little earlier.
START_SECONDS, OTHER_SECONDS = 5.0, 2.0
SPARE_SECONDS = 0.3
# The part of the time after which an event is recorded without its texts.
RECORDING_PART = 0.6


class NoEvent(ValueError):
    """Standard input has no event."""


class TooSlow(Exception):
    """Recording the whole event takes too long."""


class _Progress:
    """What a deadline must know."""

    deadline = 0.0
    is_recording = is_recorded = False


def run(arguments: list[str]) -> NoReturn:
    """Handle one event and end the process. Errors go to the log."""
    try:
        printed = handle(*parse(arguments))
        if printed:
            os.write(1, printed)
    except BaseException as error:  # a hook must not fail, whatever happens
        write_log(home(), f"hook {' '.join(arguments[:1])}: {type(error).__name__}: {error}")
        if not _Progress.is_recorded and not isinstance(error, NoEvent):
            count_lost()
    finally:
        os._exit(0)


def parse(arguments: list[str]) -> tuple[str, str]:
    """The event and the client on the command line.

    >>> parse(["submit", "--client", "codex"]), parse(["--client=cursor", "stop"]), parse(["tool"])
    (('submit', 'codex'), ('stop', 'cursor'), ('tool', 'claude-code'))
    """
    event, client, rest = GENERIC, CLIENTS[0], list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--client" and rest:
            client = rest.pop(0)
        elif word.startswith("--client="):
            client = word.partition("=")[2]
        elif not word.startswith("-"):
            event = word
    return event if event in EVENTS else GENERIC, client if client in CLIENTS else CLIENTS[0]


def handle(event: str, client: str) -> bytes:
    """Store the event from standard input, have it sent, and return what to print."""
    _end_after(START_SECONDS if event in (START, GENERIC) else OTHER_SECONDS)
    settings = read_settings()
    if settings is None:
        return b""
    payload = _payload()
    client = client_of(payload, client)
    event = event_of(payload) if event == GENERIC else event
    if not name_in(payload) and (name := event_name(client, event)):
        payload["hook_event_name"] = name
    payload = _with_files(client, payload)
    seconds = _seconds_to_wait(event, settings)
    envelope = _envelope(settings, client, payload)
    stored = store_event(envelope, waiting=seconds > 0)
    # What cannot be stored was counted.
    _Progress.is_recorded = True
    answer = _answer(settings, event, client, envelope, seconds) if seconds else None
    if stored and seconds:
        _settle(stored, is_delivered=answer is not None)
    root = stored.root if stored else home()
    if not seconds or files_in(root):
        start_sender(root, now=event in (START, END), may_fork=not seconds)
    return output(client, event, name_in(payload), answer)


def _envelope(settings: dict[str, Any], client: str, payload: dict[str, Any]) -> dict[str, Any]:
    try:
        _Progress.is_recording = True
        envelope = envelope_of(settings, client, payload)
        _Progress.is_recording = False
        return envelope
    except TooSlow:
        write_log(home(), f"hook: {name_in(payload)} took too long, so its texts were not recorded")
        return skeleton_envelope(settings, client, payload)


def _payload() -> dict[str, Any]:
    parts, size = [], 0
    while size <= LONGEST_INPUT and (part := os.read(0, 1 << 20)):
        parts.append(part)
        size += len(part)
    if size > LONGEST_INPUT:
        raise ValueError("The event is longer than 32 MB.")
    try:
        # JSON has no NaN, and the server takes none.
        payload = json.loads(_text_of(b"".join(parts)), parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        # The parser's message may quote the input.
        raise NoEvent("Standard input is not JSON.") from None
    if not isinstance(payload, dict):
        raise NoEvent("Standard input is not a JSON object.")
    return payload


def _text_of(given: bytes) -> str:
    """Decode standard input; a byte that is no text costs one character, not the event."""
    encoding = json.detect_encoding(given)
    try:
        return given.decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        write_log(home(), f"hook: standard input is not valid {encoding.upper()}, so some characters were replaced")
        return given.decode(encoding, "replace")


def _with_files(client: str, payload: dict[str, Any]) -> dict[str, Any]:
    """The event with what only a file says that it names."""
    name = name_in(payload)
    if name == INSTRUCTIONS:
        from continuity_client.hook.instructions import with_file

        return with_file(payload)
    if client == "vscode" and name == event_name(client, STOP):
        from continuity_client.hook.replies import with_reply

        return with_reply(payload)
    return payload


def _seconds_to_wait(event: str, settings: dict[str, Any]) -> float:
    if event == START:
        return START_SECONDS - SPARE_SECONDS
    return OTHER_SECONDS - SPARE_SECONDS if event == SUBMIT and settings.get("recall_on_submit") is True else 0.0


def _answer(settings: dict[str, Any], event: str, client: str, envelope: dict[str, Any], seconds: float) -> Any:
    from continuity_client.hook.answering import answer_of

    return answer_of(settings, client, envelope, recall=event == SUBMIT, seconds=seconds)


def _settle(stored: Stored, is_delivered: bool) -> None:
    """Remove what was delivered; leave the rest to the sender."""
    if is_delivered:
        os.unlink(stored.path)
    else:
        release(stored)


def _end_after(seconds: float) -> None:
    """End the process in time even if a disk or an agent's pipe hangs; before that, end a long search for secrets."""
    if WINDOWS:
        _end_by_thread(seconds)
        return
    import signal

    _Progress.deadline = time.monotonic() + seconds
    signal.signal(signal.SIGALRM, _alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds * RECORDING_PART, seconds * (1 - RECORDING_PART))


def _end_by_thread(seconds: float) -> None:
    """The same where no signal interrupts: a thread ends the process. A long search is not ended earlier."""
    import _thread

    def wait() -> None:
        time.sleep(seconds)
        _give_up()

    _thread.start_new_thread(wait, ())


def _alarm(*_: Any) -> None:
    if time.monotonic() < _Progress.deadline - SPARE_SECONDS / 2:
        if _Progress.is_recording:
            _Progress.is_recording = False
            raise TooSlow
        return
    _give_up()


def _give_up() -> None:
    """End the process, and count the event if it was not stored."""
    if not _Progress.is_recorded:
        count_lost()
        write_log(home(), "hook: an event was not stored before the deadline")
    os._exit(0)
