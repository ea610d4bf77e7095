"""Negotiation of a budget between the layers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.pack.layers import Depth, Layer, Situation, terms_of
from apps.engine.pack.negotiation import BudgetExceeded, Event, Negotiation, negotiate

NEGOTIATING = [layer for layer in Layer if layer is not Layer.MESSAGE]
CONTENTS = st.fixed_dictionaries({layer: st.integers(0, 20_000) for layer in NEGOTIATING})
FIXED = st.fixed_dictionaries({part: st.integers(0, 3_000) for part in ("system", "pins", "message")})
SITUATIONS = st.builds(
    Situation,
    budget=st.integers(9_000, 60_000),
    message_count=st.integers(0, 5_000),
    conversation_tokens=st.integers(0, 400_000),
    topic_count=st.integers(0, 5),
    entity_count=st.integers(0, 5),
    depth=st.sampled_from(Depth),
    history_first=st.booleans(),
)
PLENTY = dict.fromkeys(NEGOTIATING, 20_000)


def shared(budget: int, *, fixed: int = 0, **contents: int) -> Negotiation:
    """A long conversation with one topic and one entity."""
    situation = Situation(12_000, 200, 40_000, topic_count=1, entity_count=1)
    wanted = PLENTY | {Layer[name]: tokens for name, tokens in contents.items()}
    return negotiate(budget, fixed={"system": fixed}, contents=wanted, terms=terms_of(situation))


def events(negotiation: Negotiation, event: Event) -> dict[str, int]:
    return {step.part: step.tokens for step in negotiation.trace if step.event is event}


def test_fixed_parts_are_named_if_they_do_not_fit() -> None:
    fixed = {"system": 300, "pins": 200, "message": 600}
    with pytest.raises(BudgetExceeded) as refused:
        negotiate(1_000, fixed=fixed, contents=PLENTY, terms=terms_of(Situation(1_000)))
    assert (refused.value.smallest, refused.value.parts) == (1_100, fixed)
    negotiation = negotiate(1_100, fixed=fixed, contents=PLENTY, terms=terms_of(Situation(1_000)))
    assert negotiation.used == 1_100


def test_a_layer_that_does_not_fit_is_omitted_and_the_next_is_tried() -> None:
    negotiation = shared(1_250)
    # 240 and 360 at their ideals and 200 for the arc leave 450, then 250: too little for the history, then for topics.
    assert events(negotiation, Event.OMITTED) == {"L6_message_history": 500, "L2_topic": 300}
    assert list(events(negotiation, Event.ENTERED))[-2:] == ["L5_jit", "L3_entity"]
    assert negotiation.used == 1_250


def test_layers_grow_together_and_the_highest_priority_arrives_first() -> None:
    negotiation = shared(4_000)
    grew, yielded = events(negotiation, Event.GREW), events(negotiation, Event.YIELDED)
    assert "L4_conversation" in grew and sum(grew.values()) <= 4_000
    # All layers approach the same share of their missing tokens, weighted by priority.
    shares = {
        grant.layer: grew[grant.layer] / (grant.ideal - grant.minimum) / grant.priority
        for grant in negotiation.grants
        if grant.layer in yielded
    }
    assert max(shares.values()) - min(shares.values()) < 0.0005


def test_yielding_layers_are_logged_most_elastic_first() -> None:
    yielded = list(events(shared(3_000), Event.YIELDED))
    assert yielded == ["L3_entity", "L2_topic", "L5_jit", "L6_message_history", "L4_conversation"]


def test_remaining_tokens_go_to_the_highest_priority() -> None:
    negotiation = shared(12_000, HISTORY=4_000)
    assert list(events(negotiation, Event.TOPPED_UP))[:2] == ["L0_identity", "L1_global_prefs"]
    assert negotiation.used == 12_000


def test_tokens_beyond_a_layer_s_content_are_reassigned() -> None:
    empty = {name: 0 for name in ("IDENTITY", "PREFERENCES", "TOPICS", "ENTITIES", "JUST_IN_TIME")}
    negotiation = shared(6_000, **empty)
    assert negotiation.granted(Layer.HISTORY) + negotiation.granted(Layer.CONVERSATION) == 6_000
    assert {step.part for step in negotiation.trace} == {"system", "L4_conversation", "L6_message_history"}


@given(SITUATIONS, FIXED, CONTENTS, st.integers(0, 2_000))
def test_the_rules_hold_for_any_input(
    situation: Situation, fixed: dict[str, int], contents: dict[Layer, int], more: int
) -> None:
    arguments: dict[str, Any] = {"fixed": fixed, "contents": contents, "terms": terms_of(situation)}
    negotiation = negotiate(situation.budget, **arguments)
    assert negotiation.used <= situation.budget
    for grant in negotiation.grants:
        assert grant.granted == 0 or grant.minimum <= grant.granted <= grant.maximum
    assert negotiate(situation.budget, **arguments) == negotiation
    assert negotiate(situation.budget + more, **arguments).used >= negotiation.used


@given(SITUATIONS, FIXED, CONTENTS)
def test_the_trace_adds_up(situation: Situation, fixed: dict[str, int], contents: dict[Layer, int]) -> None:
    negotiation = negotiate(situation.budget, fixed=fixed, contents=contents, terms=terms_of(situation))
    granting_events = {Event.FIXED, Event.ENTERED, Event.GREW, Event.TOPPED_UP}
    left = situation.budget
    for step in negotiation.trace:
        left -= step.tokens if step.event in granting_events else 0
        assert step.left == left >= 0
    for grant in negotiation.grants:
        received = sum(
            step.tokens for step in negotiation.trace if step.part == grant.layer and step.event in granting_events
        )
        assert received == grant.granted
