"""Pair this machine with a server: by a code that a person confirms in the browser, or with a key."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import Any, Callable, NamedTuple

from continuity_client import __version__
from continuity_client.home import home, write_settings
from continuity_client.hook.detached import RETRY_AT
from continuity_client.http import Connection, ServerError, server_id_of
from continuity_client.terminal import CommandError

SLOWER = 5.0


class Code(NamedTuple):
    """A pairing that waits for a person."""

    device_code: str
    user_code: str
    address: str
    expires_in: float
    interval: float
    server_id: str


def request_code(url: str, client: str, name: str) -> Code:
    """Ask the server for a code."""
    connection = Connection(url)
    made = connection.post("/api/pairings", {"client": client, "name": name, "version": __version__})
    try:
        return Code(
            str(made["device_code"]),
            str(made["user_code"]),
            connection.url + str(made["verification_url"]),
            float(made["expires_in"]),
            float(made["interval"]),
            str(made["server_id"]),
        )
    except (KeyError, TypeError, ValueError):
        raise CommandError(f"{url} is no Continuity server that can pair.") from None


def await_key(url: str, code: Code, sleep: Callable[[float], None] = time.sleep) -> dict[str, Any]:
    """Poll until the person has decided; return the settings."""
    connection, waited, interval = Connection(url), 0.0, code.interval
    while waited < code.expires_in:
        sleep(interval)
        waited += interval
        try:
            answer = connection.post("/api/pairings/token", {"device_code": code.device_code})
        except ServerError as error:
            if error.status == 429:
                interval += SLOWER
            elif not error.may_pass:
                raise
            continue
        if answer.get("status") == "approved":
            return _settings(connection.url, answer)
    raise CommandError("Nobody confirmed the code in time. Run `continuity login` again.")


def check_key(url: str, api_key: str) -> dict[str, Any]:
    """The settings for a key, after the server accepted it."""
    connection = Connection(url, api_key)
    server_id = server_id_of(connection)
    if not server_id:
        raise CommandError(f"{url} does not report its identity. Is it a Continuity server, and is it ready?")
    me = connection.get("/api/me")
    return _settings(
        connection.url,
        {"api_key": api_key, "server_id": server_id, "user": me.get("user"), "workspace": me.get("workspace")},
    )


def store(settings: dict[str, Any]) -> str:
    """Write the settings and return the file's path. What waits may be sent at once."""
    path = write_settings(settings)
    with suppress(FileNotFoundError):
        os.unlink(os.path.join(home(), RETRY_AT))
    return path


def _settings(url: str, answer: dict[str, Any]) -> dict[str, Any]:
    names = ("server_id", "api_key", "key_id")
    settings = {"url": url, **{name: answer[name] for name in names if answer.get(name)}}
    for name, field in (("workspace", "name"), ("user", "email")):
        value = answer.get(name)
        settings[name] = value.get(field) if isinstance(value, dict) else value
        settings[f"{name}_id"] = value.get("id") if isinstance(value, dict) else None
    return {**settings, "recall_on_submit": False}
