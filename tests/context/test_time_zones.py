"""Days as they are for the person: in labels of packs, and for words that count from today."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from apps.accounts.actors import Actor
from apps.accounts.selectors.users import actor_in
from apps.accounts.services.users import user_set_time_zone
from apps.accounts.time_zones import in_zone, local_day
from apps.common.errors import Unprocessable
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from tests.api.callers import Caller
from tests.extraction.runs import remember, texts_of
from tests.memory.recall import index

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "I moved to Gent yesterday, and the key is under the stone."
MONDAY_IN_TOKYO = datetime(2026, 5, 31, 16, tzinfo=UTC)


def test_a_person_sets_their_time_zone_and_no_other_name(alice: Actor) -> None:
    caller = Caller(alice)
    assert caller.get("/me")["user"]["time_zone"] == ""
    assert caller.patch("/me", {"time_zone": "Asia/Tokyo"})["user"]["time_zone"] == "Asia/Tokyo"
    assert caller.patch("/me", {"time_zone": "Mars/Base"}, status=422)["code"] == "unknown_time_zone"
    with pytest.raises(Unprocessable):
        user_set_time_zone(user_id=alice.user_id, name="../etc/passwd")


def test_an_actor_knows_the_zone_in_which_days_are_counted(alice: Actor) -> None:
    user_set_time_zone(user_id=alice.user_id, name="Asia/Tokyo")
    with workspace(alice.workspace_id), in_zone(actor_in(alice.user_id, alice.workspace_id).time_zone):
        assert local_day(MONDAY_IN_TOKYO) == "2026-06-01"
    assert local_day(MONDAY_IN_TOKYO) == "2026-05-31"


@pytest.mark.parametrize(
    ("written_at", "zone", "day", "day_before"),
    [
        ("2026-06-01T01:00:00+09:00", "", "2026-06-01", "2026-05-31"),
        ("2026-05-31T16:00:00Z", "Asia/Tokyo", "2026-06-01", "2026-05-31"),
        ("2025-03-01T23:30:00-08:00", "", "2025-03-01", "2025-02-28"),
        ("2025-03-01T23:30:00-08:00", "Asia/Tokyo", "2025-03-01", "2025-02-28"),
        ("2025-03-02T07:30:00Z", "", "2025-03-02", "2025-03-01"),
    ],
)
def test_a_day_is_that_of_who_wrote(alice: Actor, written_at: str, zone: str, day: str, day_before: str) -> None:
    user_set_time_zone(user_id=alice.user_id, name=zone)
    caller = Caller(alice)
    talk = caller.post("/conversations", {"title": "The move"})["id"]
    message = {"role": "user", "content": KEY, "created_at": written_at}
    caller.post(f"/conversations/{talk}/messages", {"messages": [message]})
    index(alice, talk)
    asked = caller.post("/conversations", {"title": "Another day"})["id"]
    body = {"message": "Where is the key, and under which stone?", "format": "plain"}
    assert f"[user {day}]" in caller.post(f"/conversations/{asked}/context", body, 200)["rendered"]
    remember(alice, talk)
    assert [text for text in texts_of(alice) if day_before in text], texts_of(alice)


def test_a_fork_keeps_the_days_of_its_messages(alice: Actor) -> None:
    caller = Caller(alice)
    talk = caller.post("/conversations", {"title": "The move"})["id"]
    message = {"role": "user", "content": KEY, "created_at": "2026-06-01T01:00:00+09:00"}
    caller.post(f"/conversations/{talk}/messages", {"messages": [message]})
    forked = caller.post(f"/conversations/{talk}/fork", {"through_index": 0})["id"]
    with workspace(alice.workspace_id):
        offsets = Message.objects.filter(conversation_id__in=[talk, forked]).values_list("utc_offset", flat=True)
        assert list(offsets) == [540, 540]
