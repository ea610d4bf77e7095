"""The history of a conversation's live tokens, over HTTP."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun
from tests.api.callers import Caller
from tests.compaction.runs import compact
from tests.conversations.long_conversations import conversation, history, huge_talk, long_talk, say

pytestmark = pytest.mark.django_db


def test_the_series_contains_every_message_and_compaction(alice: Actor) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    run = compact(alice, talk)
    say(alice, talk, "And on.", "Yes.")
    told = Caller(alice).get(f"/conversations/{talk}/live/series")
    (folded,) = told["compactions"]
    assert folded == {
        **{"run_id": str(run.id), "index": 29, "source": "counted"},
        **{"tokens_before": 1500, "tokens_after": 1000},
    }
    points = told["points"]
    assert [point["index"] for point in points] == list(range(32))
    assert [point["live_tokens"] for point in points[:30]] == [50 * number for number in range(1, 31)]
    assert [point["live_tokens"] for point in points[30:]] == [1006, 1011]
    assert {point["source"] for point in points} == {"counted"}
    assert points[-1]["live_tokens"] == Caller(alice).get(f"/conversations/{talk}")["live_tokens"]


def test_excluded_messages_make_the_earlier_series_an_estimate(alice: Actor) -> None:
    talk = long_talk(alice, messages=10, tokens=50)
    ids = [str(row.id) for row in history(alice, talk)[:2]]
    Caller(alice).post(f"/conversations/{talk}/exclusions", {"message_ids": ids}, status=200)
    points = Caller(alice).get(f"/conversations/{talk}/live/series")["points"]
    assert [point["source"] for point in points] == ["estimated"] * 9 + ["counted"]
    assert points[-1]["live_tokens"] == 400


def test_a_run_without_indexes_is_placed_by_its_time(alice: Actor) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    with workspace(alice.workspace_id):
        CompactionRun.objects.filter(conversation_id=talk).update(at_index=None)
    (folded,) = Caller(alice).get(f"/conversations/{talk}/live/series")["compactions"]
    assert (folded["index"], folded["source"]) == (29, "estimated")


def test_an_undone_compaction_is_not_on_it(alice: Actor) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    run = compact(alice, talk)
    Caller(alice).post(f"/conversations/{talk}/compactions/{run.id}/undo", status=200)
    told = Caller(alice).get(f"/conversations/{talk}/live/series")
    assert (told["compactions"], told["points"][-1]["live_tokens"]) == ([], 1500)


def test_a_long_conversation_has_a_bounded_number_of_points(alice: Actor) -> None:
    talk = huge_talk(alice, 5_000)
    points = Caller(alice).get(f"/conversations/{talk}/live/series")["points"]
    assert len(points) == 120
    assert (points[0]["index"], points[-1]["index"]) == (0, 4_999)


def test_an_empty_conversation_has_none(alice: Actor) -> None:
    assert Caller(alice).get(f"/conversations/{conversation(alice)}/live/series") == {"points": [], "compactions": []}


def test_other_people_cannot_see_it(alice: Actor, bob: Actor, charlie: Actor) -> None:
    talk = long_talk(alice, messages=4)
    for other in (bob, charlie):
        Caller(other).get(f"/conversations/{talk}/live/series", status=404)
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    assert len(Caller(bob).get(f"/conversations/{talk}/live/series")["points"]) == 4
