"""The context pack over HTTP: order, budget, formats and metadata."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from tests.api.callers import Caller
from tests.compaction.runs import compact
from tests.conversations.long_conversations import conversation, long_talk, say

pytestmark = pytest.mark.django_db

KEYS = [
    "system_prompt",
    "user_memory",
    "pinned_memory",
    "rolling_summary",
    "recent_messages",
    "retrieved",
    "current_message",
    "metadata",
    "layers",
]
FIELDS = [
    "goals",
    "decisions",
    "requirements",
    "current_plan",
    "open_questions",
    "definitions",
    "references",
]
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
CALL = {"kind": "tool_call", "call_id": "c1", "name": "find_flights", "text": '{"to": "Rome"}'}
RESULT = {"kind": "tool_result", "call_id": "c1", "text": "two flights", "name": "find_flights"}


@pytest.fixture(scope="module")
def talk(shared_alice: Actor) -> UUID:
    """A conversation with everything a pack can contain: prompt, memories, pins, summary, tools, names, a question."""
    caller = Caller(shared_alice)
    talk = long_talk(shared_alice, messages=60, tokens=120)
    path = f"/conversations/{talk}"
    caller.patch(path, {"system_prompt": "  You help with travel. \n"}, If_Match='"1"')
    caller.post("/user-memory", {"type": "constraint", "key": "budget", "content": "Never above 300 €."})
    caller.post("/user-memory", {"type": "preference", "key": "tone", "content": "Short answers. " * 20})
    caller.post(f"{path}/pins", {"content": "  We fly\nbefore May. ", "category": "requirement"})
    compact(shared_alice, talk)
    exchange = [
        {"role": "assistant", "content": "Let me look.", "parts": [CALL, {"kind": "reasoning", "tokens": 9}]},
        {"role": "tool", "parts": [RESULT]},
        {"role": "assistant", "content": "Two flights."},
        {"role": "user", "content": "  Which one, exactly?\n", "name": "Ana María"},
    ]
    caller.post(f"{path}/messages", {"messages": exchange})
    return talk


def pack_of(actor: Actor, talk: UUID, query: str = "", status: int = 200) -> Any:
    return Caller(actor).get(f"/conversations/{talk}/context{query}", status=status)


def test_the_keys_are_in_the_documented_order(alice: Actor, talk: UUID) -> None:
    pack = pack_of(alice, talk)
    assert list(pack) == KEYS
    assert list(pack["rolling_summary"]) == FIELDS
    assert list(pack_of(alice, talk, "?format=plain")) == [*KEYS, "rendered"]


def test_every_part_is_there(alice: Actor, talk: UUID) -> None:
    pack = pack_of(alice, talk)
    assert pack["system_prompt"] == "  You help with travel. \n"
    assert [item["type"] for item in pack["user_memory"]] == ["constraint", "preference"]
    assert [pin["content"] for pin in pack["pinned_memory"]] == ["  We fly\nbefore May. "]
    assert pack["rolling_summary"]["decisions"][0]["sources"]
    assert pack["current_message"]["content"] == "  Which one, exactly?\n"
    assert [row["index"] for row in pack["recent_messages"]] == list(range(8, 63))
    assert pack["recent_messages"][-3]["parts"][0] == CALL


def test_the_metadata_reports_the_state_of_the_conversation(alice: Actor, talk: UUID) -> None:
    metadata = pack_of(alice, talk)["metadata"]
    row = Caller(alice).get(f"/conversations/{talk}")
    for name in ("message_count", "live_count", "live_tokens"):
        assert metadata[name] == row[name]
    assert metadata["conversation_id"] == str(talk)
    assert (metadata["budget"], metadata["budget_source"], metadata["engine"]) == (12_000, "workspace", "enabled")
    assert metadata["estimator"] == {"name": "characters by script", "factor": 1.0, "calls": 0, "fallback_from": ""}
    assert (metadata["strategy"], metadata["coverage"]) == (
        "full",
        {"shown": 23, "key": 0, "summarized": 0, "dropped": 0, "compacted": 32},
    )
    assert metadata["free_tokens"] == 12_000 - metadata["pack_tokens"]
    assert metadata["fill_percent"] == round(metadata["pack_tokens"] / 120, 1)
    assert (metadata["epoch"]["number"], metadata["epoch"]["reasons"], metadata["epoch"]["is_new"]) == (1, [], True)
    assert metadata["stability"] is None
    assert (metadata["summary_version"], metadata["compaction_count"], metadata["level"]) == (1, 1, None)
    few = {"code": "few_tokens", "params": {"count": row["live_tokens"], "needed": 8_000}}
    assert metadata["not_due_reason"] == few
    percent = metadata["preservation_ratio"]
    assert percent < 60
    assert metadata["warnings"] == [{"code": "low_preservation", "params": {"percent": percent, "minimum": 60}}]
    assert metadata["limits"] == {
        "thresholds": {"light": 8_000, "deep": 16_000, "aggressive": 24_000},
        "targets": {"light": 6_800, "deep": 5_600, "aggressive": 4_800},
        "summary_lines": dict(zip(FIELDS, (5, 10, 10, 5, 5, 20, 20), strict=True)),
        "preservation": {"target": 85, "minimum": 60},
    }
    assert metadata["omitted"] == {
        "user_memory": [],
        "summary_lines": [],
        "excerpts": [],
        "messages_before": None,
        "retrieved": [],
        "identity": [],
        "preferences": [],
        "topics": [],
        "entities": [],
        "private_memory": None,
    }


def test_the_tokens_of_the_parts_make_the_total(alice: Actor, talk: UUID) -> None:
    for budget in (300, 700, 1_500, 12_000):
        pack = pack_of(alice, talk, f"?token_budget={budget}")
        tokens = pack["metadata"]["tokens"]
        assert tokens["total"] == sum(count for part, count in tokens.items() if part != "total") <= budget
        assert pack["metadata"]["budget"] == budget
        assert tokens["recent_messages"] >= sum(row["tokens"] for row in pack["recent_messages"])


@pytest.mark.parametrize("budget", [120, 260, 1_500])
def test_what_finds_no_room_is_named(alice: Actor, talk: UUID, budget: int) -> None:
    pack = pack_of(alice, talk, f"?token_budget={budget}")
    omitted = pack["metadata"]["omitted"]
    shown = [row["index"] for row in (*pack["recent_messages"], pack["current_message"])]
    assert omitted["messages_before"] == shown[0]
    assert len(omitted["user_memory"]) == 2 - len(pack["user_memory"])
    whole = pack_of(alice, talk)["rolling_summary"]
    lines = sum(len(lines) for lines in whole.values())
    assert len(omitted["summary_lines"]) == lines - sum(len(lines) for lines in pack["rolling_summary"].values())


@pytest.mark.parametrize("budget", range(1, 7))
def test_a_budget_of_a_few_tokens_gets_a_pack_or_a_refusal(alice: Actor, budget: int) -> None:
    answer = Caller(alice).client.get(f"/api/conversations/{conversation(alice)}/context?token_budget={budget}")
    assert answer.status_code in (200, 422), answer.content


def test_a_tiny_budget_omits_all_but_the_newest_message_and_reports_it(alice: Actor, talk: UUID) -> None:
    pack = pack_of(alice, talk, "?token_budget=120")
    omitted = pack["metadata"]["omitted"]
    assert len(omitted["user_memory"]) == 2
    assert omitted["summary_lines"]
    assert ([row["index"] for row in pack["recent_messages"]], omitted["messages_before"]) == ([62], 62)


def test_layers_report_requested_granted_and_used_tokens(alice: Actor, talk: UUID) -> None:
    pack = pack_of(alice, talk, "?token_budget=1500")
    layers = {layer["layer"]: layer for layer in pack["layers"]}
    assert list(layers) == [
        "L0_identity",
        "L1_global_prefs",
        "L2_topic",
        "L3_entity",
        "L4_conversation",
        "L5_jit",
        "L6_message_history",
    ]
    for layer in layers.values():
        assert layer["minimum"] <= layer["ideal"] <= layer["maximum"] <= layer["content"]
        assert layer["granted"] == 0 or layer["minimum"] <= layer["granted"] <= layer["maximum"]
    tokens = pack["metadata"]["tokens"]
    assert layers["L1_global_prefs"]["used"] == tokens["user_memory"]
    assert layers["L4_conversation"]["used"] == tokens["rolling_summary"]
    history = layers["L6_message_history"]
    assert history["used"] == tokens["earlier"] + tokens["recent_messages"] <= 900
    assert (layers["L2_topic"]["content"], layers["L2_topic"]["granted"]) == (0, 0)
    assert "Never above 300 €." in layers["L1_global_prefs"]["text"]
    told = history["segments"]
    assert told[-1]["last_index"] + 1 >= pack["recent_messages"][0]["index"]
    assert f"[Messages {told[0]['first_index']}–{told[0]['last_index']}]" in history["text"]


def test_older_messages_that_were_not_read_count_as_omitted(alice: Actor) -> None:
    talk = long_talk(alice, messages=60, tokens=100)
    pack = pack_of(alice, talk, "?token_budget=1000")
    assert pack["metadata"]["omitted"]["messages_before"] == pack["recent_messages"][0]["index"] > 40


@pytest.mark.parametrize("budget", [40, 130, 400, 1_000, 1_500, 3_000])
@pytest.mark.parametrize("form", ["plain", "openai", "anthropic"])
def test_what_is_sent_never_exceeds_the_budget(form: str, budget: int, alice: Actor, talk: UUID) -> None:
    answer = Caller(alice).client.get(f"/api/conversations/{talk}/context?format={form}&token_budget={budget}")
    if answer.status_code == 422:
        assert answer.json()["smallest_budget"] > budget
        return
    assert counted(answer.json()["rendered"]) <= budget


def counted(rendered: Any) -> int:
    """Return the estimated tokens of everything that a model reads."""
    if isinstance(rendered, str):
        return -(-len(rendered) // 4)
    texts = [rendered.get("system", "")]
    texts += [text for message in rendered["messages"] for text in texts_of(message)]
    return -(-sum(map(len, texts)) // 4)


def texts_of(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for inner in value for text in texts_of(inner)]
    if isinstance(value, dict):
        told = {key: inner for key, inner in value.items() if key not in ("role", "type", "id", "tool_use_id")}
        told = {key: inner for key, inner in told.items() if key != "tool_call_id"}
        return [text for inner in told.values() for text in texts_of(inner)]
    return []


def test_the_plain_format_contains_everything_in_order(alice: Actor, talk: UUID) -> None:
    text = pack_of(alice, talk, "?format=plain")["rendered"]
    marks = [
        "  You help with travel. \n",
        "Never above 300 €.",
        "  We fly\nbefore May. ",
        "Summary of the conversation",
        "Let me look.",
        "  Which one, exactly?\n",
    ]
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)


@pytest.mark.parametrize("budget", [200, 500, 900, 1_000, 1_300, 2_500, 12_000])
def test_openai_accepts_the_messages(budget: int, alice: Actor, talk: UUID) -> None:
    rendered = pack_of(alice, talk, f"?format=openai&token_budget={budget}")["rendered"]
    assert list(rendered) == ["messages"]
    system, *messages = rendered["messages"]
    assert set(system) == {"role", "content"} and system["role"] == "system"
    waiting: list[str] = []
    for message in messages:
        assert message["role"] in ("user", "assistant", "tool") and isinstance(message["content"], str)
        assert NAME.fullmatch(message.get("name", "x"))
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
            continue
        assert not waiting, "every call is answered before anybody speaks"
        waiting = [call["id"] for call in message.get("tool_calls", [])]
        assert waiting or message["content"]
    assert not waiting
    assert messages[-1] == {"role": "user", "name": messages[-1]["name"], "content": "  Which one, exactly?\n"}


@pytest.mark.parametrize("budget", [200, 500, 900, 1_000, 1_300, 2_500, 12_000])
def test_anthropic_accepts_the_messages(budget: int, alice: Actor, talk: UUID) -> None:
    rendered = pack_of(alice, talk, f"?format=anthropic&token_budget={budget}")["rendered"]
    assert list(rendered) == ["system", "messages"] and rendered["system"]
    messages = rendered["messages"]
    assert [message["role"] for message in messages] == (["user", "assistant"] * len(messages))[: len(messages)]
    called: list[str] = []
    for message in messages:
        assert message["content"]
        answered = [block["tool_use_id"] for block in message["content"] if block["type"] == "tool_result"]
        assert answered == called
        assert [block["type"] for block in message["content"][: len(answered)]] == ["tool_result"] * len(answered)
        called = [block["id"] for block in message["content"] if block["type"] == "tool_use"]
        assert all(block["text"].strip() for block in message["content"] if block["type"] == "text")
        assert all(isinstance(block["input"], dict) for block in message["content"] if block["type"] == "tool_use")
    assert not called
    assert messages[-1]["content"][-1]["text"].endswith("  Which one, exactly?\n")


def test_an_empty_conversation_has_an_empty_pack(alice: Actor) -> None:
    talk = conversation(alice)
    pack = pack_of(alice, talk, "?token_budget=1")
    assert (pack["recent_messages"], pack["current_message"], pack["metadata"]["tokens"]["total"]) == ([], None, 0)
    assert pack["metadata"]["preservation_ratio"] == 100
    assert pack_of(alice, talk, "?format=plain")["rendered"] == ""
    assert pack_of(alice, talk, "?format=openai")["rendered"] == {"messages": []}
    assert pack_of(alice, talk, "?format=anthropic")["rendered"] == {"messages": []}


@pytest.mark.parametrize(
    "query",
    [
        *("token_budget=0", "token_budget=-1", "token_budget=x", "token_budget=1.5", "token_budget=2000001"),
        *("token_budget=", f"token_budget={'9' * 5_000}", "token_budget=%00", "format=xml", "format=", "budget=100"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(query: str, alice: Actor) -> None:
    problem = pack_of(alice, conversation(alice), f"?{query}", status=400)
    assert query.split("=", maxsplit=1)[0] in problem["errors"][0]["pointer"]


def test_a_budget_too_small_for_the_mandatory_parts_names_the_smallest_that_works(alice: Actor, talk: UUID) -> None:
    problem = pack_of(alice, talk, "?token_budget=10", status=422)
    assert (problem["code"], problem["budget"]) == ("budget_exceeded", 10)
    assert set(problem["parts"]) == {"system", "pinned_memory", "current_message"}
    assert problem["smallest_budget"] == sum(problem["parts"].values())
    smallest = problem["smallest_budget"]
    assert pack_of(alice, talk, f"?token_budget={smallest}")["metadata"]["tokens"]["total"] == smallest
    pack_of(alice, talk, f"?token_budget={smallest - 1}", status=422)


def test_the_policy_gives_the_budget_where_none_is_asked_for(alice: Actor, talk: UUID) -> None:
    Caller(alice).patch("/policy", {"overrides": {"default_token_budget": 400}}, If_Match='"0"')
    assert pack_of(alice, talk)["metadata"]["budget"] == 400


def test_without_the_engine_a_pack_is_the_prompt_and_the_newest(alice: Actor, talk: UUID, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, engine_enabled=False)
    pack = pack_of(alice, talk, "?token_budget=2000")
    assert (pack["user_memory"], pack["pinned_memory"]) == ([], [])
    assert not any(pack["rolling_summary"].values())
    assert pack["metadata"]["engine"] == "disabled"
    assert pack["system_prompt"] and pack["current_message"] and pack["recent_messages"]
    assert pack["metadata"]["omitted"]["messages_before"] == pack["recent_messages"][0]["index"]


def test_an_excluded_message_is_in_no_pack(alice: Actor) -> None:
    talk = conversation(alice)
    secret = say(alice, talk, "Forget that I said this.", "Yes.", "Hello")[0]
    Caller(alice).patch(f"/conversations/{talk}/messages/{secret.id}", {"excluded": True})
    assert "Forget" not in pack_of(alice, talk, "?format=plain")["rendered"]


def test_other_people_get_no_pack(alice: Actor, bob: Actor, charlie: Actor, talk: UUID) -> None:
    pack_of(bob, talk, status=404)
    pack_of(charlie, talk, status=404)
