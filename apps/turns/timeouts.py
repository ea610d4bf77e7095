"""One table of times for the turns of a process, in seconds."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """The text of a reply is stored every `keep_s`, far less than the lease of a turn. Storing the ending is retried
    every `again_s`, for `store_s` at most. Followers get a sign of life every `silence_s`, and their access is checked
    every `look_s`. When the process exits, its replies have `close_s` to be stored."""

    save_every_s: float = 2
    retry_every_s: float = 0.5
    store_s: float = 600
    keepalive_s: float = 15
    access_check_s: float = 15
    close_s: float = 3


TURN_TIMES = TurnTimes()


def times() -> TurnTimes:
    """Return the timeouts in force: a settings module may replace them."""
    table: TurnTimes = getattr(settings, "TURN_TIMES", TURN_TIMES)
    return table
