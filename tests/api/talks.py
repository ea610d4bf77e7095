"""Talks that tests of the API begin with."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from tests.api.callers import Caller
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import long_talk
from tests.jobs.requests import make_late


def read_talk(actor: Actor) -> UUID:
    """A talk whose messages were read for memories, so that a compaction has nothing to extract."""
    talk = long_talk(actor, messages=60, tokens=80)
    Caller(actor).post(f"/conversations/{talk}/extraction", status=202)
    run_due_jobs()
    make_late()
    return talk
