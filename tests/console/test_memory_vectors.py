"""Embeddings in the console: re-embedding, a switch of the model, and no vectors on any page."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.common.tenancy import every_workspace, workspace
from apps.jobs.models import DueJob, Operation
from apps.llm.embedding.registry import default_embedder_name
from apps.memory.models import Embedding, EmbeddingSpace, Passage, UserMemory
from apps.memory.services.user_memory import UserMemoryDraft, user_memory_create
from tests.console.conftest import Rows
from tests.console.test_changes import act
from tests.console.test_memory import told
from tests.console.test_pages import url


@pytest.fixture
def settled(rows: Rows) -> Rows:
    """Compute all vectors."""
    with every_workspace():
        Passage.objects.update(wanted_at=None)
    DueJob.objects.filter(kind="memory_vectors").delete()
    return rows


def waiting() -> list[Any]:
    with every_workspace():
        return list(Passage.objects.filter(wanted_at__isnull=False).values_list("workspace", flat=True))


def jobs() -> list[Any]:
    return list(DueJob.objects.filter(kind="memory_vectors").values_list("workspace", flat=True))


def test_a_selected_memory_is_reembedded_and_its_old_vector_serves_until_then(console: Client, settled: Rows) -> None:
    node = settled["MemNode"][0]
    assert told(act(console, "reembed", node)) == "1 will be embedded again."
    assert waiting() == jobs() == [node.workspace_id]  # type: ignore[attr-defined]  # a memory
    with every_workspace():
        assert Embedding.objects.count() == 2


def test_a_whole_workspace_is_reembedded(console: Client, settled: Rows) -> None:
    space = settled["EmbeddingSpace"][1]
    assert told(act(console, "rebuild", space)) == "1 workspace will rebuild all embeddings."
    assert waiting() == jobs() == [space.workspace_id]  # type: ignore[attr-defined]  # a space


def test_another_space_is_built_while_the_present_one_serves(console: Client, operator: User, settled: Rows) -> None:
    space = settled["EmbeddingSpace"][0]
    asked = act(console, "change_model", space)
    assert default_embedder_name() in asked.content.decode()
    done = change(console, space, default_embedder_name())
    assert told(done) == f"1 workspace will be embedded by {default_embedder_name()}."
    with every_workspace():
        states = EmbeddingSpace.objects.filter(workspace_id=space.workspace_id).values_list("state", flat=True)  # type: ignore[attr-defined]  # a space
        assert sorted(states) == ["building", "serving"]
        assert Operation.objects.filter(subject=default_embedder_name(), user=operator).count() == 1
    shown = console.get(url(EmbeddingSpace, "changelist")).content.decode()
    assert "0%" in shown


def test_why_a_model_was_given_up_is_on_the_page_of_its_vectors(console: Client, settled: Rows) -> None:
    space: Any = settled["EmbeddingSpace"][0]
    trouble = {"error_code": "unauthorized", "error": "The key is not accepted.", "failures": 1}
    with every_workspace():
        EmbeddingSpace.objects.filter(pk=space.pk).update(state="retired", retry_at=timezone.now(), **trouble)
    assert "unauthorized" in console.get(url(EmbeddingSpace, "changelist")).content.decode()
    page = console.get(url(EmbeddingSpace, "change", space.pk)).content.decode()
    assert "unauthorized" in page and "The key is not accepted." in page


@pytest.mark.parametrize("model", ["nobody-knows-it", "azure-vectors"])
def test_a_model_that_cannot_be_is_refused_and_nothing_is_written(model: str, console: Client, settled: Rows) -> None:
    response = change(console, settled["EmbeddingSpace"][0], model)
    assert "0 workspaces" in told(response) and "Acme: " in told(response)
    with every_workspace():
        assert EmbeddingSpace.objects.count() == 2
        assert not Operation.objects.filter(subject=model).exists()


def test_who_may_only_read_changes_no_model(client: Client, settled: Rows) -> None:
    person = User.objects.create_user("rita@example.org", "correct horse battery", is_staff=True)
    person.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(person)
    for action in ("change_model", "rebuild"):
        act(client, action, settled["EmbeddingSpace"][0])
    change(client, settled["EmbeddingSpace"][0], default_embedder_name())
    assert waiting() == jobs() == []
    with every_workspace():
        assert EmbeddingSpace.objects.count() == 2


def test_a_vector_is_on_no_page(console: Client, rows: Rows) -> None:
    row = rows["Embedding"][0]
    pages = [url(Embedding, "changelist"), url(Embedding, "change", row.pk)]
    shown = [console.get(page).content.decode() for page in pages]
    assert all("azure-vectors" in text for text in shown)
    assert not [text for text in shown if "0.6" in text or "0.8," in text]


def test_what_waits_is_found_by_a_filter(console: Client, settled: Rows) -> None:
    passage = settled["Passage"][0]
    act(console, "reembed", settled["MemNode"][0])
    shown = console.get(url(Passage, "changelist"), {"wanted_at__isempty": "0"}).content.decode()
    assert url(Passage, "change", passage.pk) in shown
    assert url(Passage, "change", settled["Passage"][1].pk) not in shown


def test_a_passage_of_user_memory_links_to_it(console: Client, alice: Actor) -> None:
    draft = UserMemoryDraft("preference", "language", "Answer in British English.")
    with workspace(alice.workspace_id):
        memory = user_memory_create(alice, draft=draft)
    with every_workspace():
        passage = Passage.objects.get(user_memory_id=memory.id)
    for page in (url(Passage, "changelist"), url(Passage, "change", passage.pk)):
        assert url(UserMemory, "change", memory.id) in console.get(page).content.decode()


def change(console: Client, space: Any, model: str) -> Any:
    data = {"action": "change_model", "_selected_action": [str(space.pk)], "post": "change", "model": model}
    return console.post(url(EmbeddingSpace, "changelist"), data, follow=True)
