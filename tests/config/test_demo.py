"""The demo: its counts, the results it rejects, and one run through a real server."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from apps.accounts.actors import Actor
from apps.accounts.selectors.policies import policy_get
from apps.accounts.services.keys import ApiKeyDraft, api_key_create
from apps.common.tenancy import workspace
from config.stack.client import Client
from config.stack.demo import first_conversation, run
from config.stack.demo_report import Outcome
from config.stack.errors import StackError
from tests.people import own_scopes
from tests.processes import start_dispatcher, start_worker

SAID = (
    "My goal is to open a small bakery in the old town, and I want to do it before the summer.",
    "We decided to rent the shop in Mill Street because the oven is already there. What about the licence?",
    "I must have the licence before May. The next step is to call the town hall, then I order the flour.",
    "A levain means a dough of flour and water that ferments by itself. See https://example.org/levain for more.",
)


def talk(path: Path, count: int) -> Path:
    """Write a LoCoMo file; the second sample must be ignored."""
    turns = [
        {"speaker": ("Ana", "Ben")[n % 2], "dia_id": f"D1:{n}", "text": f"{n}: " + f"{SAID[n % 4]} " * 12}
        for n in range(count)
    ]
    conversation = {"speaker_a": "Ana", "speaker_b": "Ben", "session_1_date_time": "1:56 pm on 8 May, 2023"}
    sample = {"conversation": {**conversation, "session_1": turns}, "sample_id": "bakery"}
    path.write_text(json.dumps([sample, {**sample, "sample_id": "other"}]))
    return path


def outcome() -> Outcome:
    """Ten messages, of which a run compacted the first six."""
    messages = [
        {"id": f"m{n}", "index": n, "content": "word " * 40, "state": "compacted" if n < 6 else "live"}
        for n in range(10)
    ]
    folded = {"state": "succeeded", "compacted_count": 6, "compacted_from": 0, "compacted_through": 5}
    line = {"text": "Ship it", "sources": ["m1"]}
    summary = {"goals": [line], "current_plan": [line], "definitions": {"slot": line}}
    metadata = {"tokens": {"total": 900}, "budget": 1_000, "preservation_ratio": 61.5}
    return Outcome(
        sent=["word " * 40] * 10,
        messages=messages,
        runs=[{"state": "failed", "compacted_count": 0, "compacted_from": None, "compacted_through": None}, folded],
        summary={"version": 1, "rolling_summary": summary},
        pack={"metadata": metadata},
    )


def test_the_numbers_are_computed_from_the_fetched_resources() -> None:
    told = outcome().numbers(1.5)
    assert told["live_tokens"] == 4 * 54
    assert (told["messages"], told["compactions"], told["uncovered_messages"]) == (10, 1, 0)
    assert told["summary"]["goals"] == told["summary"]["definitions"] == 1
    assert not outcome().faults()


def test_a_long_message_counts_at_most_two_thousand_tokens() -> None:
    good = outcome()
    good.messages[9]["content"] = "x" * 100_000
    assert good.live_tokens == 3 * 54 + 2_000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda it: it.messages.pop(), "were sent"),
        (lambda it: it.messages[3].update(content="other"), "differ"),
        (lambda it: it.messages[3].update(index=77), "gaps"),
        (lambda it: it.messages[7].update(state="compacted"), "not covered exactly once"),
        (lambda it: it.messages[2].update(state="lost"), "not covered exactly once"),
        (lambda it: it.runs.append(copy.deepcopy(it.runs[1])), "not covered exactly once"),
        (lambda it: it.runs.clear(), "Nothing was compacted"),
        (lambda it: [message.update(content="x" * 9_000) for message in it.messages], "tokens are live"),
        (lambda it: it.pack["metadata"]["tokens"].update(total=1_001), "for a budget"),
        (lambda it: it.summary["rolling_summary"].pop("goals"), "Fewer than"),
        (lambda it: it.summary["rolling_summary"]["goals"][0].update(sources=["m99"]), "does not lead"),
        (lambda it: it.summary["rolling_summary"]["goals"][0].update(sources=[]), "does not lead"),
    ],
)
def test_every_inconsistency_is_reported(change: Any, words: str) -> None:
    bad = outcome()
    change(bad)
    assert any(words in fault for fault in bad.faults()), bad.faults()


def test_the_summary_is_printed_with_its_source_indexes() -> None:
    shown = list(outcome().readable("A talk"))
    assert shown[0] == "A talk: 10 messages, 1 compactions"
    assert "  - Ship it  [#1]" in shown
    assert "  - slot: Ship it  [#1]" in shown


def test_only_the_first_conversation_of_a_file_is_sent(tmp_path: Path) -> None:
    title, messages = first_conversation(talk(tmp_path / "talk.json", 6))
    assert (title, len(messages)) == ("Ana and Ben (bakery)", 6)
    assert messages[1] | {"content": ""} == {
        "role": "assistant",
        "content": "",
        "name": "Ben",
        "created_at": "2023-05-08T13:56:00+00:00",
        "external_id": "bakery:D1:1",
    }


def test_a_file_without_a_conversation_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text("[]")
    with pytest.raises(StackError, match="no conversation"):
        first_conversation(tmp_path / "empty.json")


@pytest.mark.django_db(transaction=True)
def test_a_conversation_is_sent_message_by_message_and_compacted(
    alice: Actor, live_server: LiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with workspace(alice.workspace_id):
        key = api_key_create(alice, draft=ApiKeyDraft("Demo", own_scopes(alice.role))).secret
    worker, dispatcher = start_worker(), start_dispatcher()
    try:
        told = run(Client(live_server.url, key), talk(tmp_path / "talk.json", 40))
    finally:
        dispatcher.stop()
        worker.stop()
    assert (told["messages"], told["uncovered_messages"]) == (40, 0)
    assert told["compactions"] >= 1 and told["live_tokens"] < 8_000
    assert 0 < told["pack_tokens"] <= told["budget"]
    assert "Decisions" in capsys.readouterr().out
    with workspace(alice.workspace_id):
        assert policy_get(alice).overrides.get("compaction_debounce_s") is None
