"""Conversations that share a beginning, over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import Actor
from tests.api.callers import Caller
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db


def talk_of(alice: Actor) -> str:
    talk = conversation(alice, title="Trip")
    say(alice, talk, "a", "b", "c", "d")
    return str(talk)


def fork(actor: Actor, talk: str, through: int | None) -> str:
    created: str = Caller(actor).post(f"/conversations/{talk}/fork", {"through_index": through})["id"]
    return created


def branches(actor: Actor, talk: str) -> list[tuple[int, list[str]]]:
    points: list[dict[str, Any]] = Caller(actor).get(f"/conversations/{talk}/branches")["points"]
    return [(point["index"], point["conversation_ids"]) for point in points]


def test_a_conversation_without_forks_has_no_branches(alice: Actor) -> None:
    assert branches(alice, talk_of(alice)) == []


def test_the_original_and_its_forks_name_each_other_where_they_diverge(alice: Actor) -> None:
    talk = talk_of(alice)
    first, second = fork(alice, talk, 1), fork(alice, talk, 1)
    assert [branches(alice, one) for one in (talk, first, second)] == [[(2, [talk, first, second])]] * 3


def test_a_fork_of_a_fork_diverges_from_each_where_their_paths_part(alice: Actor) -> None:
    talk = talk_of(alice)
    first = fork(alice, talk, 2)
    second = fork(alice, first, 0)
    third = fork(alice, first, 2)
    assert branches(alice, second) == [(1, [third, second])]
    assert branches(alice, talk) == [(1, [talk, second]), (3, [talk, first, third])]


def test_a_branch_is_named_once_by_its_most_recently_active_conversation(alice: Actor) -> None:
    talk = talk_of(alice)
    first = fork(alice, talk, 0)
    say(alice, UUID(first), "e", "f")
    deeper = fork(alice, first, 1)
    say(alice, UUID(first), "g")
    assert branches(alice, talk) == [(1, [talk, first])]
    assert branches(alice, deeper) == [(1, [talk, deeper]), (2, [first, deeper])]


def test_a_fork_that_starts_over_diverges_at_the_first_message(alice: Actor) -> None:
    talk = talk_of(alice)
    copy = fork(alice, talk, None)
    assert branches(alice, talk) == branches(alice, copy) == [(0, [talk, copy])]


def test_archived_conversations_are_no_branches_but_see_the_others(alice: Actor) -> None:
    talk = talk_of(alice)
    copy = fork(alice, talk, 1)
    Caller(alice).patch(f"/conversations/{copy}", {"archived": True}, If_Match='"1"')
    assert branches(alice, talk) == []
    assert branches(alice, copy) == [(2, [talk, copy])]


def test_only_readable_conversations_are_named(alice: Actor, bob: Actor, charlie: Actor) -> None:
    talk = talk_of(alice)
    hers = fork(alice, talk, 1)
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    his = fork(bob, talk, 1)
    assert branches(bob, his) == branches(bob, talk) == [(2, [talk, his])]
    assert branches(alice, talk) == [(2, [talk, hers])]
    Caller(bob).get(f"/conversations/{hers}/branches", status=404)
    Caller(charlie).get(f"/conversations/{talk}/branches", status=404)


def test_the_number_of_queries_does_not_depend_on_the_forks(alice: Actor) -> None:
    talk = talk_of(alice)
    counts = set()
    for _ in range(3):
        fork(alice, talk, 1)
        with CaptureQueriesContext(connection) as queries:
            branches(alice, talk)
        counts.add(len(queries))
    assert len(counts) == 1
