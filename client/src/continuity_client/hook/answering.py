"""Wait for the server's answer to a hook, no longer than a deadline, whatever the network does."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any


def answer_of(settings: dict[str, Any], client: str, envelope: dict[str, Any], *, recall: bool, seconds: float) -> Any:
    """The server's answer to one event; None if there is none before the deadline."""
    answers: list[Any] = []

    def exchange() -> None:
        # The event is in the spool; a sender reports what fails again.
        with suppress(Exception):
            answers.append(_post(settings, client, envelope, recall, seconds))

    # Not even a resolver of names that hangs may delay the agent.
    thread = threading.Thread(target=exchange, daemon=True)
    thread.start()
    thread.join(seconds)
    return answers[0] if answers else None


def _post(settings: dict[str, Any], client: str, envelope: dict[str, Any], recall: bool, seconds: float) -> Any:
    from continuity_client.http import Connection, check_identity

    connection = Connection(settings["url"], settings["api_key"], timeout=seconds)
    check_identity(connection, settings)
    headers = {"X-Continuity-Event-Id": envelope["id"], "X-Continuity-Recorded-At": envelope["recorded_at"]}
    path = f"/api/hooks/{client}" + ("?recall=true" if recall else "")
    return connection.post(path, envelope["payload"], headers=headers)
