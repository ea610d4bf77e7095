"""`continuity doctor`: check everything between an agent and its memory."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.request import ProxyHandler, build_opener

from continuity_client.home import LOG_FILE, fallback_home, home, is_private, read_settings
from continuity_client.hook.events import CLIENTS
from continuity_client.hook.spool import FULL_COUNT, LOST_COUNT, REASON, REFUSED, files_in, time_of
from continuity_client.http import Connection, ServerError, check_identity
from continuity_client.install.plans import installed_hooks, is_outdated
from continuity_client.terminal import (
    DIM,
    GREEN,
    RED,
    YELLOW,
    CommandError,
    counted,
    show,
    show_json,
    style,
    without_escapes,
)

OK, WARNING, PROBLEM = "ok", "warning", "problem"
SECONDS = 5.0
OLD_SECONDS = 3_600
MOST_SKEW = 120
MOST_REASONS, LONGEST_REASON = 3, 150
_SYMBOLS = {OK: ("✓", GREEN), WARNING: ("!", YELLOW), PROBLEM: ("✗", RED)}


class Check(NamedTuple):
    """A result, with the next step if there is one."""

    name: str
    state: str
    detail: str
    step: str = ""


def doctor(options: argparse.Namespace) -> int:
    """Show all checks; the exit code is 1 if there is a problem."""
    checks = list(_checks())
    if options.json:
        show_json({"checks": [one._asdict() for one in checks]})
    else:
        for one in checks:
            symbol, color = _SYMBOLS[one.state]
            show(f"{style(symbol, color)} {one.name:<8} {one.detail}")
            if one.step:
                show(style(f"           {one.step}", DIM))
    return int(any(one.state == PROBLEM for one in checks))


def _checks() -> Iterator[Check]:
    settings = read_settings()
    if settings is None:
        yield Check("pairing", PROBLEM, "No server is paired.", "Run `continuity login URL`.")
    else:
        yield from _server_checks(settings)
    yield from _spool_checks()
    yield _hooks_check()
    yield _log_check()


def _server_checks(settings: dict[str, Any]) -> Iterator[Check]:
    connection = Connection(settings["url"], settings["api_key"], timeout=SECONDS)
    try:
        check_identity(connection, settings)
    except ServerError as error:
        yield Check("server", PROBLEM, str(error))
        return
    yield Check("server", OK, f"{connection.url} is the paired one.")
    yield _key_check(connection)
    yield _clock_check(connection)


def _key_check(connection: Connection) -> Check:
    try:
        me = connection.get("/api/me")
    except ServerError as error:
        return Check("key", PROBLEM, str(error))
    workspace = (me.get("workspace") or {}).get("name", "no workspace")
    return Check("key", OK, f"valid for {me['user']['email']} in {workspace}")


def _clock_check(connection: Connection) -> Check:
    """Compare with the server's clock: times of events order a session."""
    try:
        with build_opener(ProxyHandler({})).open(f"{connection.url}/api/health", timeout=SECONDS) as response:
            server = parsedate_to_datetime(response.headers["Date"]).timestamp()
    except (OSError, TypeError, ValueError):
        return Check("clock", WARNING, "The server does not report its time.")
    skew = round(time.time() - server)
    if abs(skew) > MOST_SKEW:
        return Check(
            "clock", WARNING, f"This machine's clock differs from the server's by {skew} s.", "Correct the time."
        )
    return Check("clock", OK, "agrees with the server's")


def _spool_checks() -> Iterator[Check]:
    for root in (home(), fallback_home()):
        if root == fallback_home() and not (is_private(root) and _names(root)):
            continue
        if root == home() or files_in(root):
            yield _spool_check(root)
        yield from _refused_check(os.path.join(root, REFUSED))
        if full := _size(os.path.join(root, FULL_COUNT)):
            yield Check("full", PROBLEM, f"{counted(full, 'event')} not stored because the spool was full")
        if lost := _size(os.path.join(root, LOST_COUNT)):
            detail = f"{counted(lost, 'event')} not stored because of an error or a deadline"
            yield Check("lost", PROBLEM, detail, f"The reasons are in {os.path.join(root, LOG_FILE)}.")


def _refused_check(folder: str) -> Iterator[Check]:
    reasons = Counter(_reason_in(os.path.join(folder, name)) for name in _names(folder))
    if reasons:
        shown = "; ".join(f"{counted(count, 'event')}: {reason}" for reason, count in reasons.most_common(MOST_REASONS))
        yield Check("refused", WARNING, shown, f"They are in {folder}.")


def _reason_in(path: str) -> str:
    """Why an event was refused, on one line."""
    try:
        with open(path, encoding="utf-8") as file:
            reason = str(json.load(file).get(REASON) or "no reason is known")
    except (OSError, ValueError, AttributeError):
        reason = "no reason is known"
    return without_escapes(" ".join(reason.split()))[:LONGEST_REASON]


def _spool_check(root: str) -> Check:
    names = files_in(root)
    if not names:
        return Check("spool", OK, "empty")
    age = round(time.time() - time_of(names[0]))
    state = WARNING if age > OLD_SECONDS else OK
    return Check(
        "spool",
        state,
        f"{counted(len(names), 'event')} in it, the oldest for {age} s.",
        "Send them with `continuity flush`.",
    )


def _hooks_check() -> Check:
    places, problems, older = [], [], []
    for client in CLIENTS:
        for scope in ("user", "project"):
            try:
                count = installed_hooks(client, scope)
                is_older = bool(count) and is_outdated(client, scope)
            except CommandError as error:
                problems.append(str(error))
                continue
            places += [f"{client} ({scope}, {count} events)"] if count else []
            older += [f"`continuity install --client {client} --scope {scope}`"] if is_older else []
    if problems:
        return Check("hooks", WARNING, problems[0])
    if not places:
        return Check(
            "hooks", PROBLEM, "No agent runs the hooks.", "Run `continuity install`, `--client` names the agent."
        )
    if older:
        detail = f"{', '.join(places)}; some lose what an agent does last"
        return Check("hooks", WARNING, detail, f"Run {' and '.join(older)}.")
    return Check("hooks", OK, ", ".join(places))


def _log_check() -> Check:
    path = os.path.join(home(), LOG_FILE)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().strip().splitlines()
    except OSError:
        lines = []
    if not lines:
        return Check("log", OK, "no errors")
    return Check("log", WARNING, f"last line: {lines[-1][:200]}", path)


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
