"""Result of a demo, computed from the fetched resources and independent of the server's own counts."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from apps.engine.policy import Policy
from config.stack.client import Json

CHARACTERS_PER_TOKEN = 4
ROLE_TOKENS = 4
MAX_MESSAGE_TOKENS = Policy().long_message_tokens
LIVE_LIMIT = Policy().light_compaction_threshold
MIN_FIELDS = 3
HEADINGS = {
    "goals": "Goals",
    "decisions": "Decisions",
    "requirements": "Requirements",
    "current_plan": "Current plan",
    "open_questions": "Open questions",
    "definitions": "Definitions",
    "references": "References",
}


@dataclass
class Outcome:
    """The messages sent, and the API's resources afterwards."""

    sent: list[str]
    messages: list[Json]
    runs: list[Json]
    summary: Json
    pack: Json

    def numbers(self, seconds: float) -> dict[str, Any]:
        """Return the result as JSON values."""
        metadata = self.pack["metadata"]
        return {
            "messages": len(self.messages),
            "compactions": len(self.effective_runs),
            "live_tokens": self.live_tokens,
            "uncovered_messages": self.uncovered,
            "pack_tokens": metadata["tokens"]["total"],
            "budget": metadata["budget"],
            "preservation_ratio": metadata["preservation_ratio"],
            "summary": {name: len(self.lines(name)) for name in HEADINGS},
            "seconds": seconds,
        }

    @property
    def effective_runs(self) -> list[Json]:
        """The compactions that succeeded and were not undone."""
        return [run for run in self.runs if run["state"] == "succeeded"]

    @property
    def live_tokens(self) -> int:
        """Recount the live messages."""
        return sum(tokens(message["content"]) for message in self.messages if message["state"] == "live")

    @property
    def uncovered(self) -> int:
        """Count messages that are neither live nor excluded nor compacted by exactly one run."""
        states = Counter(message["state"] for message in self.messages)
        known = states["live"] + states["compacted"] + states["excluded"]
        outside = sum(not self._in_a_run(message) for message in self.messages if message["state"] == "compacted")
        counted = sum(int(run["compacted_count"]) for run in self.effective_runs)
        return len(self.messages) - known + outside + abs(states["compacted"] - counted)

    def _in_a_run(self, message: Json) -> bool:
        ranges = [
            (run["compacted_from"], run["compacted_through"]) for run in self.effective_runs if run["compacted_count"]
        ]
        return any(first <= message["index"] <= last for first, last in ranges)

    def lines(self, name: str) -> list[Json]:
        """Return the lines of one field of the summary; definitions with their term."""
        stored = self.summary["rolling_summary"].get(name, [])
        if isinstance(stored, dict):
            return [{"term": term, **line} for term, line in stored.items()]
        return list(stored)

    def faults(self) -> list[str]:
        """Return the problems found, as sentences."""
        return list(self._faults())

    def _faults(self) -> Iterator[str]:
        numbers = self.numbers(0)
        if [message["content"] for message in self.messages] != self.sent:
            yield f"{len(self.sent)} messages were sent, and {len(self.messages)} are there or differ."
        if [message["index"] for message in self.messages] != list(range(len(self.messages))):
            yield "The indexes have gaps."
        if not numbers["compactions"]:
            yield "Nothing was compacted."
        if numbers["live_tokens"] >= LIVE_LIMIT:
            yield f"{numbers['live_tokens']} tokens are live."
        if numbers["uncovered_messages"]:
            yield f"{numbers['uncovered_messages']} messages are not covered exactly once."
        if not 0 < numbers["pack_tokens"] <= numbers["budget"]:
            yield f"The pack has {numbers['pack_tokens']} tokens for a budget of {numbers['budget']}."
        if sum(bool(count) for count in numbers["summary"].values()) < MIN_FIELDS:
            yield f"Fewer than {MIN_FIELDS} fields of the summary hold anything."
        yield from self._unsupported()

    def _unsupported(self) -> Iterator[str]:
        known = {message["id"] for message in self.messages}
        for name in HEADINGS:
            for line in self.lines(name):
                if not line["sources"] or not known.issuperset(line["sources"]):
                    yield f"A line of {name} does not lead to a message of the conversation: {line}"

    def readable(self, title: str) -> Iterator[str]:
        """Yield the summary as text; each line ends with the indexes of its source messages."""
        places = {message["id"]: message["index"] for message in self.messages}
        yield f"{title}: {len(self.messages)} messages, {len(self.effective_runs)} compactions"
        for name, heading in HEADINGS.items():
            if lines := self.lines(name):
                yield f"\n{heading}"
            for line in lines:
                behind = ", ".join(f"#{places.get(source, '?')}" for source in line["sources"])
                yield f"  - {worded(line)}  [{behind}]"
        yield ""


def tokens(content: str) -> int:
    """Estimate tokens like the server, implemented independently so that the two can disagree."""
    return min(MAX_MESSAGE_TOKENS, ROLE_TOKENS - (-len(content) // CHARACTERS_PER_TOKEN))


def worded(line: Json) -> str:
    """Return a line of any field as text."""
    if "value" in line:
        return f"{line['type']}: {line['value']}" + (f" ({line['note']})" if line["note"] else "")
    head = f"{line['term']}: " if "term" in line else ""
    reason = f" (because: {line['reason']})" if line.get("reason") else ""
    return f"{head}{line['text']}{reason}"
