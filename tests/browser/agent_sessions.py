"""A coding agent of the browser tests: paired, and sending its events by plain HTTP."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

from config.stack.client import Client, Json
from tests.browser.people import Person

_numbers = count(1)


def new_pairing(url: str, name: str = "laptop") -> Json:
    """Request a pairing as a client does."""
    return Client(url).post("/api/pairings", {"client": "claude-code", "name": name, "version": "1.2.0"})


def paired(person: Person, name: str = "laptop") -> Client:
    """Pair a client of the person, and return its own HTTP client."""
    made = new_pairing(person.url, name)
    person.session.post(f"/api/pairings/{made['user_code']}/approve", {})
    answer = Client(person.url).post("/api/pairings/token", {"device_code": made["device_code"]})
    return Client(person.url, answer["api_key"])


@dataclass
class CodingAgent:
    """A session of Claude Code in the directory `shop`."""

    client: Client
    session: str = field(default_factory=lambda: f"browser-session-{next(_numbers)}")
    _turns: Any = field(default_factory=lambda: count(1))

    def send(self, event: str, **fields: Any) -> Json:
        common = {"session_id": self.session, "transcript_path": "/t.jsonl", "cwd": "/home/alice/shop"}
        return self.client.post("/api/hooks/claude-code", {**common, "hook_event_name": event, **fields})

    def begin(self) -> None:
        self.send("SessionStart", source="startup", model="claude-opus-5")

    def turn(self, prompt: str, *edited: str, reply: str = "Done.") -> None:
        """A prompt, an edit of each file, and a reply."""
        number = f"{self.session}-{next(self._turns)}"
        self.send("UserPromptSubmit", prompt=prompt, prompt_id=number)
        for place, file in enumerate(edited):
            run = {"tool_name": "Edit", "tool_input": {"file_path": f"/home/alice/shop/{file}"}}
            self.send("PostToolUse", **run, tool_response=f"Edited {file}.", tool_use_id=f"{number}-{place}")
        self.send("Stop", last_assistant_message=reply, prompt_id=number, stop_hook_active=False)

    def fail(self, command: str, error: str) -> None:
        """A command that fails."""
        run = {"tool_name": "Bash", "tool_input": {"command": command}}
        self.send("PostToolUseFailure", **run, error=error, tool_use_id=f"{self.session}-{next(self._turns)}")

    def end(self) -> None:
        self.send("SessionEnd", reason="prompt_input_exit")

    @property
    def id(self) -> str:
        """The session's conversation."""
        return str(self.client.get(f"/api/sessions/{self.session}")["id"])
