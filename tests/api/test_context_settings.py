"""A person's context settings: their own, in any role, and separate in each workspace."""

from __future__ import annotations

from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import ContextSettings, Workspace
from apps.common.tenancy import workspace
from apps.engine.pack.negotiation import LARGEST_BUDGET
from tests.api.callers import Caller, at_once, viewer_of
from tests.people import key_client_of, person

pytestmark = pytest.mark.django_db

PATH = "/me/context"
AS_IT_IS = {
    "version": 0,
    "knowledge_depth": "standard",
    "history_first": False,
    "token_budget": None,
    "remembers": True,
}


def test_without_a_change_all_is_as_the_workspace_has_it(alice: Actor) -> None:
    assert Caller(alice).get(PATH) == AS_IT_IS
    with workspace(alice.workspace_id):
        assert not ContextSettings.objects.exists()


def test_what_is_absent_stays_and_null_takes_the_budget_back(alice: Actor) -> None:
    caller = Caller(alice)
    first = caller.patch(PATH, {"knowledge_depth": "deep", "token_budget": 4_000}, If_Match=caller.tag(PATH))
    assert first == {**AS_IT_IS, "version": 1, "knowledge_depth": "deep", "token_budget": 4_000}
    second = caller.patch(PATH, {"history_first": True}, If_Match=caller.tag(PATH))
    assert second == {**first, "version": 2, "history_first": True}
    third = caller.patch(PATH, {"token_budget": None}, If_Match=caller.tag(PATH))
    assert caller.get(PATH) == third == {**second, "version": 3, "token_budget": None}


def test_they_are_one_person_s_in_one_workspace(alice: Actor, bob: Actor, charlie: Actor) -> None:
    elsewhere = person("Alice", Workspace.objects.get(pk=charlie.workspace_id), charlie.role)
    Caller(alice).patch(PATH, {"history_first": True}, If_Match='"0"')
    for other in (bob, charlie, elsewhere):
        assert Caller(other).get(PATH) == AS_IT_IS


def test_a_viewer_changes_their_own(acme: Workspace) -> None:
    assert Caller(viewer_of(acme)).patch(PATH, {"history_first": True}, If_Match='"0"')["history_first"]


@pytest.mark.parametrize(("scopes", "status"), [(("read",), 403), (("read", "write"), 200)])
def test_a_key_needs_the_write_scope(scopes: tuple[str, ...], status: int, alice: Actor) -> None:
    program = key_client_of(alice, *scopes)
    assert program.get(f"/api{PATH}").json() == AS_IT_IS
    answer = program.patch(f"/api{PATH}", {"history_first": True}, headers={"If-Match": '"0"'})
    assert answer.status_code == status
    assert Caller(alice).get(PATH)["history_first"] is (status == 200)


def test_a_change_names_the_version_it_saw(alice: Actor) -> None:
    caller = Caller(alice)
    caller.patch(PATH, {"history_first": True}, status=428)
    assert caller.patch(PATH, {"history_first": True}, status=412, If_Match='"1"')["version"] == 0
    with workspace(alice.workspace_id):
        assert not ContextSettings.objects.exists()
    caller.patch(PATH, {"history_first": True}, If_Match='"0"')
    assert caller.patch(PATH, {"history_first": False}, status=412, If_Match='"0"')["version"] == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_concurrent_first_changes_one_is_stored(alice: Actor) -> None:
    def change() -> int:
        answer = Caller(alice).client.patch(f"/api{PATH}", {"history_first": True}, headers={"If-Match": '"0"'})
        return answer.status_code

    assert sorted(at_once(change)) == [200, 412, 412, 412]
    assert Caller(alice).get(PATH)["version"] == 1


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"knowledge_depth": "deepest"}, "/knowledge_depth"),
        ({"history_first": 1}, "/history_first"),
        ({"token_budget": 0}, "/token_budget"),
        ({"token_budget": LARGEST_BUDGET + 1}, "/token_budget"),
        ({"token_budget": "4000"}, "/token_budget"),
        ({"depth": "deep"}, "/depth"),
        ({}, ""),
    ],
)
def test_what_makes_no_sense_is_pointed_at(body: dict[str, Any], pointer: str, alice: Actor) -> None:
    problem = Caller(alice).patch(PATH, body, status=400, If_Match='"0"')
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert Caller(alice).get(PATH) == AS_IT_IS
