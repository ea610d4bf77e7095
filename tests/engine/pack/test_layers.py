"""Terms of the layers by situation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.pack.layers import Depth, Layer, Situation, Terms, terms_of

SITUATIONS = st.builds(
    Situation,
    budget=st.integers(1, 200_000),
    message_count=st.integers(0, 100_000),
    conversation_tokens=st.integers(0, 1_000_000),
    message_tokens=st.integers(0, 50_000),
    topic_count=st.integers(0, 20),
    entity_count=st.integers(0, 20),
    topic_tokens=st.integers(0, 10_000),
    depth=st.sampled_from(Depth),
    history_first=st.booleans(),
)
LONG = Situation(
    12_000, message_count=200, conversation_tokens=40_000, message_tokens=120, topic_count=2, entity_count=3
)


def test_terms_of_a_long_conversation_with_topics_match_the_design() -> None:
    assert terms_of(LONG) == {
        Layer.IDENTITY: Terms(150, 240, 500, 100, 0.0),
        Layer.PREFERENCES: Terms(100, 360, 800, 95, 0.1),
        # 12 % × 1.3 for the second topic × 0.6 under full pressure.
        Layer.TOPICS: Terms(300, 1_123, 3_000, 85, 0.6),
        # 6 % × 1.8 for three entities, below 400 each.
        Layer.ENTITIES: Terms(150, 1_200, 1_440, 65, 0.7),
        # 150 × log2(201).
        Layer.CONVERSATION: Terms(200, 1_147, 2_400, 88, 0.3),
        Layer.JUST_IN_TIME: Terms(200, 1_200, 2_160, 75, 0.5),
        Layer.HISTORY: Terms(500, 3_600, 7_200, 80, 0.4),
        Layer.MESSAGE: Terms(120, 120, 120, 100, 0.0),
    }


@pytest.mark.parametrize(
    ("tokens", "ideal"), [(0, 0), (2_999, 2_999), (3_001, 3_001), (10_000, 4_200), (10_001, 3_600), (50_001, 3_000)]
)
def test_a_longer_conversation_gets_a_smaller_share(tokens: int, ideal: int) -> None:
    assert terms_of(replace(LONG, conversation_tokens=tokens))[Layer.HISTORY].ideal == ideal


def test_history_first_raises_the_share_and_priority_of_history() -> None:
    history = terms_of(replace(LONG, history_first=True))[Layer.HISTORY]
    assert (history.ideal, history.priority) == (5_616, 90)


@pytest.mark.parametrize(("depth", "topics", "retrieved"), [("minimal", 561, 600), ("deep", 1_684, 1_800)])
def test_depth_scales_topics_and_retrieval(depth: str, topics: int, retrieved: int) -> None:
    terms = terms_of(replace(LONG, depth=Depth(depth)))
    assert (terms[Layer.TOPICS].ideal, terms[Layer.JUST_IN_TIME].ideal) == (topics, retrieved)


def test_large_topic_texts_reduce_just_in_time_retrieval() -> None:
    retrieval = terms_of(replace(LONG, topic_tokens=1_800))[Layer.JUST_IN_TIME]
    assert retrieval.ideal == 360


def test_a_first_message_needs_no_history() -> None:
    terms = terms_of(Situation(12_000, message_tokens=40))
    for layer in (Layer.TOPICS, Layer.ENTITIES, Layer.CONVERSATION, Layer.HISTORY):
        assert terms[layer].minimum == 0
    assert terms[Layer.HISTORY].ideal == terms[Layer.ENTITIES].ideal == 0


@given(SITUATIONS)
def test_terms_make_sense_in_every_situation(situation: Situation) -> None:
    terms = terms_of(situation)
    assert list(terms) == list(Layer)
    for layer_terms in terms.values():
        assert min(layer_terms.minimum, layer_terms.ideal, layer_terms.maximum) >= 0
        assert 0 <= layer_terms.elasticity <= 1 and 0 < layer_terms.priority <= 100
