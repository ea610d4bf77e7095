"""A Redis that stalls for a moment loses no event: subscribers get it after the pause."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import msgpack
import pytest
import redis as redis_client
from pytest_django import Settings

from apps.common.ids import uuid7
from apps.events import pending_events
from apps.events.envelopes import group_of
from apps.events.pending_events import PendingEvent, PendingEvents
from apps.events.publish import emit
from apps.events.redis_publisher import PAUSE_S, PREFIX, redis_publisher_for
from apps.events.state_parts import SummaryState
from apps.events.types import AccessRevoked, Event, SummaryChanged, TurnProgressed
from config.stack.process import launch, stop_all, wait_until
from config.stack.redis import Redis

SOON_S = PAUSE_S + 0.5


class Stalling:
    """A private Redis that the test can suspend and resume, and the events received from it."""

    def __init__(self, home: Path) -> None:
        (home / "logs").mkdir()
        self.server = Redis(home, home, death_signal=signal.SIGKILL)
        self.process: subprocess.Popen[bytes] = launch(self.server.program())
        assert wait_until(self.server.ready, 10)
        self._heard = redis_client.Redis.from_url(self.server.url, protocol=2).pubsub()

    def listen(self, event: Event) -> None:
        self._heard.subscribe(f"{PREFIX}__group__{group_of(event)}")
        assert self._heard.get_message(timeout=5)

    def stall(self, going: bool = False) -> None:
        os.kill(self.process.pid, signal.SIGCONT if going else signal.SIGSTOP)

    def heard(self, seconds: float = SOON_S) -> list[dict[str, Any]]:
        """Return the frames that arrive within some seconds."""
        frames, until = [], time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            found = self._heard.get_message(ignore_subscribe_messages=True, timeout=left)
            if found is not None:
                frames.append(json.loads(msgpack.unpackb(found["data"])["text"]))
        return frames

    def close(self) -> None:
        self._heard.close()
        stop_all([(self.process, signal.SIGKILL)], 5)


@pytest.fixture
def redis(tmp_path: Path, settings: Settings) -> Iterator[Stalling]:
    stalling = Stalling(tmp_path)
    settings.REDIS_URL = stalling.server.url
    assert wait_until(lambda: redis_publisher_for(stalling.server.url).send("nobody", b""), 10)
    yield stalling
    stalling.close()
    redis_publisher_for.cache_clear()


def change(talk: UUID, version: int) -> SummaryChanged:
    return SummaryChanged(conversation_id=talk, version=version, summary=SummaryState(version, 0, 0))


def test_what_a_stall_swallowed_is_hinted_at_when_the_pause_is_over(redis: Stalling) -> None:
    """Without further events, one frame with the newest version is sent."""
    talk = uuid7()
    redis.listen(change(talk, 1))
    redis.stall()
    emit(change(talk, 1))
    redis.stall(going=True)
    emit(change(talk, 3))
    emit(change(talk, 2))
    frames = [frame for frame in redis.heard() if frame["type"] == "version"]
    assert frames == [{"type": "version", "conversation_id": str(talk), "version": 3}]


def test_a_revocation_that_was_lost_comes_after_all(redis: Stalling) -> None:
    revoked = AccessRevoked(workspace_id=uuid7(), user_id=uuid7())
    redis.listen(revoked)
    redis.stall()
    emit(change(uuid7(), 1))
    redis.stall(going=True)
    emit(revoked)
    assert [frame["name"] for frame in redis.heard()] == ["AccessRevoked"]


def test_progress_that_was_lost_stays_lost(redis: Stalling) -> None:
    progress = TurnProgressed(conversation_id=uuid7(), reply_id=uuid7(), characters=7)
    redis.listen(progress)
    redis.stall()
    emit(change(uuid7(), 1))
    redis.stall(going=True)
    emit(progress)
    assert redis.heard() == []


def test_a_longer_absence_is_made_good_at_its_end(redis: Stalling) -> None:
    talk = uuid7()
    redis.listen(change(talk, 1))
    redis.stall()
    emit(change(talk, 1))
    time.sleep(PAUSE_S + 0.5)
    emit(change(talk, 2))
    redis.stall(going=True)
    assert [frame["version"] for frame in redis.heard(2 * SOON_S) if frame["type"] == "version"] == [2]


def test_what_is_owed_has_bounds_in_number_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending_events, "MAX_PENDING", 2)
    kept = PendingEvents()
    for number in range(5):
        kept.add(PendingEvent(f"talk {number}", b"", version=1))
    kept.add(PendingEvent("talk 0", b"newer", version=2))
    kept.add(PendingEvent("old", b"for one person", until=0))
    assert len(kept) == 2
    assert {hint.message for hint in (kept.take(), kept.take()) if hint} == {b"", b"newer"}
    monkeypatch.setattr(pending_events, "MAX_PENDING", 3)
    kept.add(PendingEvent("old", b"for one person", until=0))
    assert kept.take() is None and len(kept) == 0
