"""One table of times for the turns of a process, in seconds."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """What there is of a reply is kept every `keep_s`, far less than the lease of a turn. An end that the database does
    not take is stored again after `again_s`, for `store_s` at most. Who follows hears something every `silence_s`, and
    is asked every `look_s` whether they still may. When the process ends, its replies have `close_s` to be stored."""

    save_every_s: float = 2
    retry_every_s: float = 0.5
    store_s: float = 600
    keepalive_s: float = 15
    access_check_s: float = 15
    close_s: float = 3


TURN_TIMES = TurnTimes()


def times() -> TurnTimes:
    """The table in force: a settings module may bring its own."""
    table: TurnTimes = getattr(settings, "TURN_TIMES", TURN_TIMES)
    return table
