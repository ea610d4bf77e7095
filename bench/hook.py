"""Time of the whole process of `continuity hook submit` and `hook tool`, relative to that of importing an HTTP client.

The command is installed with pip into an empty environment, as a person installs it. Runs alternate with those of
`python -c "import json, urllib.request"` by the same interpreter, with a server that is up, down, and hanging. Up is
the running stack, else a temporary one, with a paired key; a fake server hangs. The ratio is that of the slowest of
the three.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from config.stack.client import Client
from config.stack.errors import StackError
from config.stack.throwaway_stack import running_stack
from tests.client.fake_server import KEY, SERVER_ID, FakeServer
from tests.client.installed import installed_client

ROUNDS = 15
DELIVERY_S = 30
IMPORTS = "import json, urllib.request"
STATES = ("up", "down", "hanging")
EVENTS = {
    "submit": {"hook_event_name": "UserPromptSubmit", "prompt": "Fix the test of the token's expiry, please. " * 5},
    "tool": {
        "hook_event_name": "PostToolUse",
        "tool_name": "Read",
        "tool_use_id": "toolu_01",
        "tool_input": {"file_path": __file__},
        "tool_response": {"file": {"content": Path(__file__).read_text("utf-8")}},
    },
}


def measure() -> list[dict[str, Any]]:
    folder = Path(tempfile.mkdtemp(prefix="continuity-"))
    try:
        print("Installing the client into an empty environment.", file=sys.stderr)
        commands = installed_client(folder / "venv")
        times = {state: _measured_at(commands, folder / state, state) for state in STATES}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return [_line(event, times) for event in EVENTS]


def _measured_at(commands: Path, home: Path, state: str) -> dict[str, list[float]]:
    home.mkdir(mode=0o700)
    if state == "up":
        with running_stack() as client:
            _pair(commands, home, client)
            times = _measured(commands, home)
            _check_delivered(home)
        return times
    with _server(state) as url:
        (home / "client.json").write_text(json.dumps({"url": url, "server_id": SERVER_ID, "api_key": KEY}))
        return _measured(commands, home)


def _measured(commands: Path, home: Path) -> dict[str, list[float]]:
    """The milliseconds of the floor and of each event, in alternating runs."""
    times: dict[str, list[float]] = {name: [] for name in ("floor", *EVENTS)}
    for number in range(ROUNDS * len(times)):
        # In another order each time: a sender that runs slows what comes next.
        name = list(times)[(number + number // len(times)) % len(times)]
        times[name].append(_run(*_command(commands, name), home))
    return times


def _pair(commands: Path, home: Path, client: Client) -> None:
    """Pair the home with the server, as a person does who has a key."""
    command = [commands / "continuity", "login", client.base, "--key", client.api_key]
    environment = {**os.environ, "CONTINUITY_HOME": str(home)}
    subprocess.run(command, check=True, env=environment, stdout=sys.stderr)  # noqa: S603  # our own command


def _check_delivered(home: Path) -> None:
    """Raise an error unless the server takes every event: a hook that only fills the spool was not measured."""
    deadline = time.monotonic() + DELIVERY_S
    while list((home / "spool").glob("*.json")) and time.monotonic() < deadline:
        time.sleep(0.2)
    left = len(list((home / "spool").glob("*.json"))) + len(list((home / "refused").glob("*")))
    if left:
        raise StackError(f"The server did not take {left} of the events; see {home / 'client.log'}.")


@contextmanager
def _server(state: str) -> Iterator[str]:
    if state == "down":
        with socket.create_server(("127.0.0.1", 0)) as closed:
            url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        yield url
        return
    server = FakeServer()
    server.mode = state
    yield server.url
    server.stop()


def _command(commands: Path, name: str) -> tuple[list[Path | str], bytes]:
    if name == "floor":
        return [commands / "python", "-c", IMPORTS], b""
    given = json.dumps({"session_id": "bench", "cwd": "/work/app", **EVENTS[name]}).encode()
    return [commands / "continuity", "hook", name], given


def _run(command: list[Path | str], given: bytes, home: Path) -> float:
    environment = {**os.environ, "CONTINUITY_HOME": str(home)}
    begin = time.perf_counter()
    done = subprocess.run(command, input=given, env=environment, capture_output=True, check=False)  # noqa: S603  # ours
    took = (time.perf_counter() - begin) * 1_000
    if done.returncode or done.stdout:
        raise StackError(f"{command[-1]} ended with {done.returncode} and printed {done.stdout!r}: {done.stderr!r}")
    return took


def _line(event: str, times: dict[str, dict[str, list[float]]]) -> dict[str, Any]:
    ratios = {
        state: round(statistics.median(of[event]) / statistics.median(of["floor"]), 3) for state, of in times.items()
    }
    every = [took for of in times.values() for took in of[event]]
    floors = [took for of in times.values() for took in of["floor"]]
    return {
        "bench": f"hook_{event}",
        "ratio": max(ratios.values()),
        "ratios": ratios,
        "median_ms": round(statistics.median(every), 1),
        "floor_ms": round(statistics.median(floors), 1),
        "rounds": ROUNDS,
    }
