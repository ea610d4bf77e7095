"""The extraction study with a local model server that answers with the labels: what is missing then is not a model's.

`stored_as_labelled` is the share of the labels that are stored with category, state, slot, and what they supersede.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from typing import Any

from django.conf import settings
from pydantic import SecretStr

from apps.common.tenancy import workspace
from apps.engine.memory.slots import Slot
from apps.extraction.models import ExtractionCandidate
from apps.llm.structured.text import clean
from apps.memory.models import MemConflict, MemNode
from tests.providers.answers import known_rows, memory, message_rows
from tests.providers.anthropic_server import running_server

Raw = Mapping[str, Any]
_COMPARED = 40


class ScriptedHarness:
    """The study's harness, with the server as the model."""

    def __init__(self, harness: Any, raw: Sequence[Raw]) -> None:
        self._harness, self._raw = harness, raw
        self._labels = 0
        self._problems: list[str] = []

    def read_conversations(self, conversations: Sequence[Any]) -> list[Any]:
        with _serving(self._raw):
            reads: list[Any] = self._harness.read_conversations(conversations)
        for read, raw in zip(reads, self._raw, strict=True):
            self._labels += len(raw["memories"])
            with workspace(read.actor.workspace_id):
                self._problems += [f"{raw['id']} {problem}" for problem in _problems(read.id, raw)]
        return reads

    def numbers(self) -> dict[str, Any]:
        print("\n".join(self._problems), file=sys.stderr)
        why = Counter(problem.split(": ", 1)[1].split(" | ")[0] for problem in self._problems)
        share = 1 - len(self._problems) / self._labels
        return {"stored_as_labelled": round(share, 4), "not_as_labelled": dict(why.most_common())}


@contextmanager
def _serving(raw: Sequence[Raw]) -> Iterator[None]:
    with running_server() as server:
        server.memories = lambda body: _answer(body, raw)
        settings.PROVIDER_KEYS = {"ANTHROPIC_API_KEY": SecretStr("sk-scripted")}
        settings.PROVIDER_URLS = {"ANTHROPIC_BASE_URL": server.url}
        yield


def _answer(body: dict[str, Any], raw: Sequence[Raw]) -> dict[str, Any]:
    """The labels of the messages that the request shows."""
    rows = message_rows(body)
    conversation = max(raw, key=lambda one: sum(_is_row_of(row, one) for row in rows))
    shown = {row["label"] for row in rows}
    known = {row["statement"]: row["label"] for row in known_rows(body)}
    by_id = {label["id"]: label for label in conversation["memories"]}
    labels = [label for label in conversation["memories"] if f"m{label['message']}" in shown]
    return {"memories": [_memory(label, known.get(_earlier(label, by_id), "new")) for label in labels]}


def _is_row_of(row: Raw, conversation: Raw) -> bool:
    index, messages = int(row["label"][1:]), conversation["messages"]
    return index < len(messages) and row["text"][:_COMPARED] == messages[index]["content"][:_COMPARED]


def _earlier(label: Raw, by_id: Mapping[str, Raw]) -> str:
    return str(by_id[label["supersedes"]]["statement"]) if label["supersedes"] else ""


def _memory(label: Raw, target: str) -> dict[str, Any]:
    return memory(
        f"m{label['message']}",
        label["quote"],
        label["statement"],
        category=label["category"],
        name=label["attribute"].replace("_", " "),
        subject=label["subject"],
        attribute=label["attribute"],
        value=label["value"],
        many=label["many"],
        inferred=label["source"] == "inferred",
        occurred_on=label["occurred_at"] or "",
        decision="create" if target == "new" else "supersede",
        target=target,
    )


def _problems(conversation_id: Any, raw: Raw) -> Iterator[str]:
    """A line for each label that is not stored as it is: its id, the reason, and its statement."""
    rows = ExtractionCandidate.objects.filter(conversation_id=conversation_id, rule="model").select_related("node")
    by_statement = {row.statement or row.message.content[row.start : row.end]: row for row in rows}
    nodes = {label["id"]: by_statement.get(clean(label["statement"])) for label in raw["memories"]}
    for label in raw["memories"]:
        if problem := _problem(label, nodes):
            yield f"{label['id']}: {problem} | {label['quote']} | {label['statement']} | {label['value']}"


def _problem(label: Raw, rows: Mapping[str, ExtractionCandidate | None]) -> str:
    row = rows[label["id"]]
    if row is None:
        return "not listed"
    if row.node is None:
        return row.reason or row.outcome
    node = row.node
    if node.arrival != label["expected"]:
        return f"{node.arrival} instead of {label['expected']}: its source is {row.source}"
    if row.category != label["category"]:
        return "another category"
    slot = Slot.of(label["subject"], label["attribute"], label["value"], many=label["many"])
    if (node.subject, node.attribute, node.value, node.many) != astuple(slot):
        return "another slot"
    return _problem_of_earlier(node, rows.get(label["supersedes"] or ""))


def _problem_of_earlier(node: MemNode, earlier: ExtractionCandidate | None) -> str:
    """A proposal waits beside the accepted memory that it may replace; other memories supersede theirs."""
    if earlier is None or earlier.node is None:
        return ""
    if node.arrival == "proposed":
        if earlier.node.arrival == "proposed":
            return ""
        waits = MemConflict.objects.filter(earlier_id=earlier.node_id, later_id=node.id).exists()
        return "" if waits else "does not wait beside what it may replace"
    old = MemNode.objects.get(pk=earlier.node.id)
    return "" if old.superseded_by_id == node.id else "does not supersede the earlier one"
