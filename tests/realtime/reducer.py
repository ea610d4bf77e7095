"""A model of the client's reducer: a state, and its change by every frame. The browser's reducer does the same.

- `snapshot` replaces everything, unless it is older than the present state.
- An event with a version: one more than ours is applied, an older one is dropped, a later one means `stale`.
- HealthChanged: applied unless it is older than the present health; ahead of our version it means `stale`.
- `version`: ahead of our version, or of the health's, it means `stale`.
- A stale client fetches the snapshot.
"""

from __future__ import annotations

from typing import Any

Frame = dict[str, Any]
NEWEST = 50
PARTS = ("conversation", "counts", "summary", "compaction", "turn", "pins", "health")


class View:
    """A client's state of one conversation."""

    def __init__(self, snapshot: Frame) -> None:
        self.state: dict[str, Any] = {}
        self.version = self.health_version = -1
        self.stale = False
        self.apply(snapshot)

    def apply(self, frame: Frame) -> None:
        if frame["type"] == "snapshot":
            self._replace(frame)
        elif frame["type"] == "version":
            self.stale = self.stale or frame["version"] > min(self.version, self.health_version)
        elif frame["type"] == "event" and "version" in frame:
            (self._take_health if frame["name"] == "HealthChanged" else self._change)(frame)

    def _replace(self, frame: Frame) -> None:
        if frame["version"] < self.version:
            return
        self.state = dict(frame["state"])
        self.version = self.health_version = frame["version"]
        self.stale = False

    def _take_health(self, frame: Frame) -> None:
        if frame["version"] >= self.health_version:
            self.state["health"] = frame["data"]["health"]
            self.health_version = frame["version"]
        self.stale = self.stale or frame["version"] > self.version

    def _change(self, frame: Frame) -> None:
        if frame["version"] > self.version + 1:
            self.stale = True
        elif frame["version"] == self.version + 1:
            self.version = frame["version"]
            data = frame["data"]
            self.state |= {part: data[part] for part in PARTS if part in data}
            self._put_in(data.get("messages", []))

    def _put_in(self, messages: list[dict[str, Any]]) -> None:
        known = {message["id"]: message for message in self.state["messages"]}
        known |= {message["id"]: message for message in messages}
        self.state["messages"] = sorted(known.values(), key=lambda message: message["index"])[-NEWEST:]
