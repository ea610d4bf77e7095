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
from tests.api.callers import Caller

pytestmark = pytest.mark.django_db

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
