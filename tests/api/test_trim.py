"""Trimming of an agent's loop, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun
from tests.api.callers import Caller
from tests.api.rows import everything_stored
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db

CALL = {"role": "assistant", "parts": [{"kind": "tool_call", "call_id": "c1", "name": "find", "text": "{}"}]}
CURRENT = [{"role": "assistant", "content": "I have found it."}]


def result(text: str, summary: str = "") -> dict[str, Any]:
    part = {"kind": "tool_result", "call_id": "c1", "name": "find", "text": text, "summary": summary}
    return {"role": "tool", "parts": [part if summary else {**part, "summary": ""}]}


def test_a_loop_that_fits_comes_back_as_it_went(alice: Actor) -> None:
    caller = Caller(alice)
    loop = [CALL, result("three rows", "3")]
    before = everything_stored()
    told = caller.post("/trim", {"context_limit": 1_000, "in_loop": loop, "current": CURRENT}, status=200)
    assert everything_stored() == before
    assert told["layout"] == {"history": "full", "in_loop": "full", "current": "full"}
    assert [message["role"] for message in told["in_loop"]] == ["assistant", "tool", "assistant"]
    assert told["in_loop"][1]["parts"] == loop[1]["parts"]
    assert (told["summary"], told["should_dump_summary"], told["estimator"]) == ("", False, "characters by script")


def test_results_shrink_to_what_their_tool_offers_and_history_to_a_summary(alice: Actor) -> None:
    history = [{"role": "user", "content": "We decided to use MongoDB because it is fast. " * 40}]
    loop = [CALL, result("row " * 2_000, "2,000 rows")]
    body = {"context_limit": 550, "history": history, "in_loop": loop, "current": CURRENT, "summary_tokens": 100}
    told = Caller(alice).post("/trim", body, status=200)
    assert told["layout"] == {"history": "full", "in_loop": "tool_summary", "current": "full"}
    assert told["in_loop"][1]["parts"][0]["text"] == "2,000 rows"
    told = Caller(alice).post("/trim", {**body, "context_limit": 200}, status=200)
    assert told["layout"]["history"] == "summary" and "MongoDB" in told["summary"]
    assert told["tokens"] <= 200 and told["should_dump_summary"] is True


def test_what_fits_in_no_layout_is_refused(alice: Actor) -> None:
    body = {"context_limit": 20, "current": [{"role": "assistant", "content": "word " * 400}], "summary_tokens": 50}
    told = Caller(alice).post("/trim", body, status=422)
    assert (told["code"], told["smallest_limit"]) == ("layout_not_found", 50)


def test_a_stored_conversation_is_the_history_and_is_compacted_if_it_does_not_fit(alice: Actor) -> None:
    talk, caller = conversation(alice), Caller(alice)
    say(alice, talk, *["We agreed on many things today, and on tea. " * 20] * 16)
    path, body = f"/conversations/{talk}", {"context_limit": 20_000, "current": CURRENT}
    told = caller.post(f"{path}/trim", body, status=200)
    assert told["layout"]["history"] == "full"
    assert caller.get(f"{path}/compactions")["data"] == []
    for _ in range(2):
        told = caller.post(f"{path}/trim", {**body, "context_limit": 2_000}, status=200)
        assert told["layout"]["history"] == "summary" and "tea" in told["summary"]
    for state in ("queued", "running", "failed"):
        with workspace(alice.workspace_id):
            CompactionRun.objects.update(state=state, retry_at=timezone.now())
        caller.post(f"{path}/trim", {**body, "context_limit": 2_000}, status=200)
        runs = caller.get(f"{path}/compactions")["data"]
        assert [(run["trigger"], run["state"]) for run in runs] == [("manual", state)]


def test_a_short_conversation_is_not_compacted_however_small_the_limit(alice: Actor) -> None:
    talk, caller = conversation(alice), Caller(alice)
    say(alice, talk, *["We agreed on tea. " * 20] * 6)
    path = f"/conversations/{talk}"
    caller.post(f"{path}/trim", {"context_limit": 100, "current": CURRENT, "summary_tokens": 50}, status=200)
    assert caller.get(f"{path}/compactions")["data"] == []
