"""The events of a paired client are counted, one by one and by batch."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.actors import Actor
from tests.accounts.test_pairing import paired
from tests.agents.agents import claude
from tests.people import JsonClient, client_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def laptop(alice: Actor) -> JsonClient:
    secret = paired(alice)["api_key"]
    return JsonClient(headers={"Authorization": f"Bearer {secret}", "X-Continuity-Client-Version": "1.4.0"})


def seen(alice: Actor) -> tuple[str, int, str]:
    (row,) = client_of(alice).get("/api/agents").json()["data"]
    return row["last_event"], row["event_count"], row["version"]


def spooled(payload: dict[str, Any]) -> dict[str, Any]:
    return {"id": str(uuid4()), "payload": payload}


def test_each_event_is_the_last_one_and_counted(alice: Actor, laptop: JsonClient) -> None:
    assert seen(alice) == ("", 0, "1.2.0")
    assert laptop.post("/api/hooks/claude-code", claude("SessionStart", source="startup")).status_code == 200
    assert seen(alice) == ("SessionStart", 1, "1.4.0")


def test_a_batch_counts_all_of_its_events_even_those_that_are_refused(alice: Actor, laptop: JsonClient) -> None:
    prompt = claude("UserPromptSubmit", prompt="Fix the cart.", prompt_id="p1")
    events = [spooled(prompt), spooled({"hook_event_name": "Stop"}), spooled(claude("SessionEnd", reason="other"))]
    assert laptop.post("/api/hooks/claude-code/batch", {"events": events}).status_code == 200
    assert seen(alice) == ("SessionEnd", 3, "1.4.0")


def test_a_revoked_client_is_refused_and_no_longer_counted(alice: Actor, laptop: JsonClient) -> None:
    browser = client_of(alice)
    (row,) = browser.get("/api/agents").json()["data"]
    browser.delete(f"/api/agents/{row['id']}")
    assert laptop.post("/api/hooks/claude-code", claude("Stop")).status_code == 401
    assert seen(alice) == ("", 0, "1.2.0")
