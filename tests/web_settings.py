"""Settings of a test's web server: the real ones, with patience measured in seconds."""

from dataclasses import replace

from apps.turns.timeouts import TURN_TIMES as _TURN_TIMES
from config.settings.test import JOB_HANDLERS
from config.settings.test import LIVE_TIMES as _LIVE_TIMES
from config.settings.web import *  # noqa: F403  # a variant of the web settings is all of them with some changed
from config.settings.web import MODEL_TIMES as _TIMES
from tests.process_times import JOB_TIMES

MODEL_TIMES = replace(_TIMES, connect_s=2, first_byte_s=2, idle_s=2, total_s=10, chat_total_s=10, attempts=1)

TURN_TIMES = replace(_TURN_TIMES, keepalive_s=1, access_check_s=1)

LIVE_TIMES = _LIVE_TIMES

REFUSE_EMBEDDING_IN_TRANSACTIONS = True

__all__ = ["JOB_HANDLERS", "JOB_TIMES"]
