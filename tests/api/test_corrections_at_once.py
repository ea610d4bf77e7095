"""Corrections of a summary that several people make at the same time."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from tests.api.callers import Caller, at_once
from tests.api.test_summaries import MINE, decided_talk, summary_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_corrections_at_once_the_first_is_written(alice: Actor) -> None:
    summary = summary_of(decided_talk(alice))
    tag = Caller(alice).tag(summary)

    def write() -> int:
        answer = Caller(alice).client.post(f"/api{summary}/corrections", MINE, headers={"If-Match": tag})
        return int(answer.status_code)

    assert sorted(at_once(write)) == [200, 412, 412, 412]
    assert Caller(alice).get(summary)["version"] == 2
