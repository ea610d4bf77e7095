"""Which memories a new one would only repeat: those that a model is given as they are."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.memory.models import MemNode
from apps.memory.services.tree.create import node_ensure
from tests.memory.trees import draft, write

pytestmark = pytest.mark.django_db
TEA = "mem://user/preferences/tea"
NOW = timezone.now()


def is_repeated(actor: Actor, **state: Any) -> bool:
    """Whether a memory in this state is what the same text under another name repeats."""
    made = write(actor, TEA, "I like tea.")
    with workspace(actor.workspace_id):
        MemNode.objects.filter(pk=made.id).update(**state)
        found, is_new = node_ensure(actor, draft=draft(f"{TEA}-again", "i like tea", numbered=True))
    assert (found.id == made.id) is not is_new
    return not is_new


@pytest.mark.parametrize(
    "state",
    [
        {"archived_at": NOW},
        {"arrival": "proposed"},
        {"trust": "imported"},
        {"trust": "tool"},
        {"valid_to": NOW - timedelta(days=1)},
        {"valid_to": NOW + timedelta(days=1), "superseded_by_id": uuid4()},
    ],
    ids=" ".join,
)
def test_what_is_out_of_use_or_trusted_little_is_not_repeated(state: dict[str, Any], alice: Actor) -> None:
    assert not is_repeated(alice, **state)


@pytest.mark.parametrize("trust", ["direct_user", "model_inference"])
@pytest.mark.parametrize("valid_to", [None, NOW + timedelta(days=1)], ids=["for good", "until tomorrow"])
def test_what_holds_is_repeated(valid_to: datetime | None, trust: str, alice: Actor) -> None:
    assert is_repeated(alice, trust=trust, valid_to=valid_to)


def test_of_several_the_one_at_the_address_is_repeated_or_else_the_first(alice: Actor) -> None:
    first, second = write(alice, TEA, "I like tea."), write(alice, f"{TEA}-too", "I like tea!")
    with workspace(alice.workspace_id):
        found = [
            node_ensure(alice, draft=draft(uri, "I like tea", numbered=True))[0].id
            for uri in (f"{TEA}-too", f"{TEA}-x")
        ]
    assert found == [second.id, first.id]


def test_a_folder_is_never_the_same_as_another(alice: Actor) -> None:
    with workspace(alice.workspace_id):
        made = [
            node_ensure(alice, draft=draft(f"mem://user/entities/{name}", "", is_directory=True, numbered=True))
            for name in ("acme", "globex")
        ]
    assert [is_new for _, is_new in made] == [True, True]
