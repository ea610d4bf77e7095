"""Negotiation of a budget over HTTP: grants, yielding layers, and no side effects."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.common.tenancy import workspace
from apps.compaction.services.segments import segments_close
from apps.context.selectors import pack_requests
from apps.context.selectors.negotiation import Trial, context_negotiate
from apps.engine.pack.estimators import HEURISTIC
from apps.engine.pack.layers import Layer
from tests.api.callers import Caller, viewer_of
from tests.api.rows import everything_stored
from tests.compaction.runs import compact
from tests.compaction.segments import run_segment_job
from tests.context.reads import recorded_queries, rows_read
from tests.conversations.long_conversations import conversation, huge_talk, long_talk, say
from tests.people import key_client_of

pytestmark = pytest.mark.django_db

ASKING = [layer.value for layer in Layer if layer is not Layer.MESSAGE]
# Content for every layer, so that only the budget makes a difference.
FIXED_TERMS = {
    name: {
        "minimum": 100,
        "ideal": 400 + 300 * place,
        "maximum": 5_000,
        "priority": 90 - place,
        "elasticity": place / 10,
    }
    for place, name in enumerate(ASKING)
}
MUCH = dict.fromkeys(ASKING, 3_000)


@pytest.fixture(scope="module")
def talk(shared_alice: Actor) -> UUID:
    """A conversation with a prompt, memories, a pin, a summary, segments, and a question at the end."""
    caller = Caller(shared_alice)
    talk = long_talk(shared_alice, messages=90, tokens=120)
    path = f"/conversations/{talk}"
    caller.patch(path, {"system_prompt": "You help with travel."}, If_Match='"1"')
    caller.post("/user-memory", {"type": "preference", "key": "tone", "content": "Short answers. " * 20})
    caller.post(f"{path}/pins", {"content": "We fly before May.", "category": "requirement"})
    run_segment_job(shared_alice, talk)
    compact(shared_alice, talk)
    say(shared_alice, talk, *["And so on. " * 40] * 60, "Which one?")
    return talk


def tried(actor: Actor, talk: UUID, status: int = 200, **body: Any) -> Any:
    return Caller(actor).post(f"/conversations/{talk}/context/negotiate", body, status=status)


def granted(answer: Any) -> dict[str, int]:
    return {layer["layer"]: layer["granted"] for layer in answer["layers"]}


def total(answer: Any) -> int:
    fixed: dict[str, int] = answer["fixed"]
    return sum(fixed.values()) + sum(granted(answer).values())


# Responses.


@pytest.mark.parametrize("budget", [700, 2_000, 4_000, 12_000])
def test_it_is_what_a_pack_of_the_same_budget_is_built_by(alice: Actor, talk: UUID, budget: int) -> None:
    pack = Caller(alice).get(f"/conversations/{talk}/context?token_budget={budget}")
    answer = tried(alice, talk, token_budget=budget)
    theirs = {"used", "text", "segments", "memories"}
    terms = [{name: value for name, value in layer.items() if name not in theirs} for layer in pack["layers"]]
    assert answer["layers"] == terms
    assert answer["strategy"] == pack["metadata"]["strategy"]
    for part, tokens in answer["fixed"].items():
        assert pack["metadata"]["tokens"][part] == tokens


def test_it_reports_the_estimator_and_the_counts(alice: Actor, talk: UUID) -> None:
    answer = tried(alice, talk)
    assert (answer["engine"], answer["budget"], answer["budget_source"]) == ("enabled", 12_000, "workspace")
    assert answer["estimator"] == {"name": "characters by script", "factor": 1.0, "calls": 0, "fallback_from": ""}
    metadata = Caller(alice).get(f"/conversations/{talk}/context")["metadata"]
    situation = answer["situation"]
    assert situation["message_count"] == metadata["message_count"] - 1 == 150
    assert situation["message_tokens"] == answer["fixed"]["current_message"] == metadata["tokens"]["current_message"]
    assert situation["conversation_tokens"] >= metadata["live_tokens"] - situation["message_tokens"]
    assert (situation["knowledge_depth"], situation["history_first"]) == ("standard", False)
    assert 0 < situation["pressure"] <= 1
    assert answer["used"] == total(answer)
    assert answer["left"] == 12_000 - answer["used"] >= 0


def test_the_trace_lists_every_step_in_order(alice: Actor, talk: UUID) -> None:
    answer = tried(alice, talk, token_budget=3_000, contents=MUCH)
    trace = answer["trace"]
    assert [step["part"] for step in trace if step["phase"] == 1] == ["system", "pinned_memory", "current_message"]
    assert [step["phase"] for step in trace] == sorted(step["phase"] for step in trace)
    left = 3_000
    got = dict.fromkeys((*answer["fixed"], *ASKING), 0)
    for step in trace:
        if step["event"] in ("reserved", "entered", "grew", "topped_up"):
            left -= step["tokens"]
            got[step["part"]] += step["tokens"]
        assert step["left"] == left
    assert got == answer["fixed"] | granted(answer)
    assert left == answer["left"]


def test_the_trace_lists_who_yielded_by_elasticity(alice: Actor, talk: UUID) -> None:
    answer = tried(alice, talk, token_budget=4_000, contents=MUCH, layers=FIXED_TERMS)
    yielded = [step for step in answer["trace"] if step["event"] == "yielded"]
    layers = {layer["layer"]: layer for layer in answer["layers"]}
    assert len(yielded) > 2
    for step in yielded:
        layer = layers[step["part"]]
        assert step["tokens"] == layer["ideal"] - layer["granted"] > 0
    elasticities = [layers[step["part"]]["elasticity"] for step in yielded]
    assert elasticities == sorted(elasticities, reverse=True)


def test_a_hypothetical_message_counts_like_a_stored_one(alice: Actor, talk: UUID) -> None:
    say(alice, talk, "This one.", role="assistant")
    text = "And when does it leave? " * 30
    before = tried(alice, talk, token_budget=4_000, message=text)
    assert tried(alice, talk, token_budget=4_000)["fixed"]["current_message"] == 0
    say(alice, talk, text, role="user")
    assert tried(alice, talk, token_budget=4_000) == before
    assert before["situation"]["message_tokens"] == -(-len(text) // 4) + 4


def test_depth_and_history_first_are_the_reader_s_unless_others_are_tried(alice: Actor, talk: UUID) -> None:
    plain = tried(alice, talk, token_budget=3_000)
    other = tried(alice, talk, token_budget=3_000, knowledge_depth="deep", history_first=True)
    assert granted(other)["L6_message_history"] >= granted(plain)["L6_message_history"]
    assert (other["situation"]["knowledge_depth"], other["situation"]["history_first"]) == ("deep", True)
    wishes = {"knowledge_depth": "deep", "history_first": True, "token_budget": 3_000}
    Caller(alice).patch("/me/context", wishes, If_Match='"0"')
    assert tried(alice, talk) == {**other, "budget_source": "user"}


def test_other_terms_give_other_shares(alice: Actor, talk: UUID) -> None:
    plain = tried(alice, talk, token_budget=3_000)
    terms = {"L6_message_history": {"maximum": 600, "ideal": 550}, "L4_conversation": {"priority": 1}}
    other = tried(alice, talk, token_budget=3_000, layers=terms)
    layers = {layer["layer"]: layer for layer in other["layers"]}
    assert layers["L6_message_history"]["granted"] == 600 < granted(plain)["L6_message_history"]
    assert layers["L6_message_history"]["priority"] == 80
    assert layers["L4_conversation"]["priority"] == 1


def test_a_layer_without_content_can_be_tried_with_hypothetical_content(alice: Actor, talk: UUID) -> None:
    assert granted(tried(alice, talk))["L2_topic"] == granted(tried(alice, talk))["L3_entity"] == 0
    answer = tried(alice, talk, contents={"L2_topic": 2_000, "L3_entity": 900, "L5_jit": 800})
    assert all(granted(answer)[name] > 0 for name in ("L2_topic", "L3_entity", "L5_jit"))
    assert (answer["situation"]["topic_count"], answer["situation"]["entity_count"]) == (1, 3)
    assert {layer["layer"]: layer["content"] for layer in answer["layers"]}["L2_topic"] == 2_000


def test_a_layer_without_any_priority_gets_what_the_others_leave(alice: Actor, talk: UUID) -> None:
    none = {name: {"priority": 0} for name in ASKING}
    one = {**FIXED_TERMS, "L2_topic": {"priority": 0, "minimum": 0, "ideal": 2_000}}
    for terms in (none, one):
        for budget in (2_000, 3_000, 60_000):
            answer = tried(alice, talk, token_budget=budget, layers=terms, contents=MUCH)
            assert answer["used"] == total(answer) <= budget
    assert granted(tried(alice, talk, token_budget=3_000, layers=one, contents=MUCH))["L2_topic"] == 0
    assert granted(tried(alice, talk, token_budget=60_000, layers=one, contents=MUCH))["L2_topic"] == 3_000


@pytest.mark.slow("it builds a pack at every budget")
@pytest.mark.parametrize("more", [{}, {"contents": MUCH}, {"contents": MUCH, "layers": FIXED_TERMS}])
def test_a_larger_budget_never_gives_less(alice: Actor, talk: UUID, more: dict[str, Any]) -> None:
    totals = [total(tried(alice, talk, token_budget=budget, **more)) for budget in range(400, 16_000, 620)]
    assert all(one <= other for one, other in pairwise(totals))


def test_with_the_engine_off_the_response_says_so(alice: Actor, talk: UUID, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, engine_enabled=False)
    assert tried(alice, talk)["engine"] == "disabled"


def test_an_empty_conversation_wants_nothing(alice: Actor) -> None:
    answer = tried(alice, conversation(alice), token_budget=1)
    assert (answer["used"], answer["left"], answer["strategy"]) == (0, 1, "full")


# No side effects.


def test_nothing_is_stored_and_the_same_question_has_the_same_answer(alice: Actor, talk: UUID) -> None:
    caller, path = Caller(alice), f"/conversations/{talk}/context/negotiate"
    body = {"token_budget": 3_000, "message": "And then?", "contents": MUCH}
    before = everything_stored()
    answers = [caller.post(path, body, status=200) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert everything_stored() == before


@pytest.mark.parametrize("messages", [1_000, 100_000])
def test_it_reads_no_more_than_a_pack(alice: Actor, messages: int) -> None:
    talk = huge_talk(alice, messages)
    with workspace(alice.workspace_id):
        while segments_close(conversation_id=talk, most=5_000):
            pass
    with workspace(alice.workspace_id), recorded_queries() as queries:
        context_negotiate(alice, talk, Trial(token_budget=12_000))
    with workspace(alice.workspace_id):
        assert rows_read(queries) <= 12_000 // 104 + 64 + 24 + 3 * 50


# Refusals.


def test_a_budget_too_small_is_refused_as_the_pack_refuses_it(alice: Actor, talk: UUID) -> None:
    problem = tried(alice, talk, token_budget=10, status=422)
    pack = Caller(alice).get(f"/conversations/{talk}/context?token_budget=10", status=422)
    own = ("instance", "request_id")
    assert {k: v for k, v in problem.items() if k not in own} == {k: v for k, v in pack.items() if k not in own}
    assert problem["code"] == "budget_exceeded"
    assert tried(alice, talk, token_budget=problem["smallest_budget"])["left"] == 0


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"token_budget": 0}, "/token_budget"),
        ({"token_budget": 2_000_001}, "/token_budget"),
        ({"token_budget": "many"}, "/token_budget"),
        ({"budget": 100}, "/budget"),
        ({"message": 3}, "/message"),
        ({"knowledge_depth": "bottomless"}, "/knowledge_depth"),
        ({"history_first": "yes"}, "/history_first"),
        ({"layers": []}, "/layers"),
        ({"layers": {"L9_dreams": {}}}, "/layers/L9_dreams"),
        ({"layers": {"L7_user_message": {"maximum": 1}}}, "/layers/L7_user_message"),
        ({"layers": {"L2_topic": {"minimum": 500, "maximum": 400}}}, "/layers/L2_topic/minimum"),
        ({"layers": {"L2_topic": {"minimum": 500, "ideal": 400}}}, "/layers/L2_topic/minimum"),
        ({"layers": {"L2_topic": {"ideal": 500, "maximum": 400}}}, "/layers/L2_topic/ideal"),
        ({"layers": {"L2_topic": {"minimum": -1}}}, "/layers/L2_topic/minimum"),
        ({"layers": {"L2_topic": {"maximum": 1.5}}}, "/layers/L2_topic/maximum"),
        ({"layers": {"L2_topic": {"priority": 101}}}, "/layers/L2_topic/priority"),
        ({"layers": {"L2_topic": {"priority": -1}}}, "/layers/L2_topic/priority"),
        ({"layers": {"L2_topic": {"elasticity": 1.1}}}, "/layers/L2_topic/elasticity"),
        ({"layers": {"L2_topic": {"elasticity": -0.1}}}, "/layers/L2_topic/elasticity"),
        ({"layers": {"L2_topic": {"elasticity": "0.5"}}}, "/layers/L2_topic/elasticity"),
        ({"layers": {"L2_topic": {"elasticity": True}}}, "/layers/L2_topic/elasticity"),
        ({"layers": {"L2_topic": {"weight": 1}}}, "/layers/L2_topic/weight"),
        ({"contents": {"L2_topic": -1}}, "/contents/L2_topic"),
        ({"contents": {"L7_user_message": 5}}, "/contents/L7_user_message"),
    ],
)
def test_terms_that_make_no_sense_are_refused_by_name(alice: Actor, body: dict[str, Any], pointer: str) -> None:
    problem = tried(alice, conversation(alice), status=400, **body)
    assert (problem["code"], [error["pointer"] for error in problem["errors"]]) == ("invalid", [pointer])


def test_who_may_read_the_conversation_may_try(
    alice: Actor, bob: Actor, charlie: Actor, acme: Workspace, talk: UUID
) -> None:
    vera = viewer_of(acme)
    for stranger in (bob, charlie, vera):
        tried(stranger, talk, status=404)
    for email in ("bob@example.org", "vera@example.org"):
        Caller(alice).post(f"/conversations/{talk}/shares", {"email": email, "access": "read"})
    for reader in (bob, vera):
        assert tried(reader, talk)["budget"] == 12_000
    path = f"/api/conversations/{talk}/context/negotiate"
    assert key_client_of(alice, "read").post(path, {}).status_code == 200
    assert key_client_of(charlie, "read").post(path, {}).status_code == 404


def test_a_provider_that_counts_more_leaves_fewer_stored_tokens(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pack_requests, "estimator_for", lambda policy, model: replace(HEURISTIC, percent=125, calls=9))
    answer = tried(alice, talk, token_budget=10_000)
    assert (answer["budget"], answer["stored_budget"]) == (10_000, 8_000)
    assert answer["used"] + answer["left"] == 8_000
