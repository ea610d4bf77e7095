"""How a search reads its query."""

from __future__ import annotations

from datetime import UTC, date, datetime
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.models import Role
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.scope import Banks, question_for

ALICE, ACME = UUID(int=1), UUID(int=2)


def test_relative_dates_count_from_the_moment_that_is_searched() -> None:
    alice = Actor(user_id=ALICE, workspace_id=ACME, role=Role.OWNER)
    query = SearchQuery("What did I decide last month?", as_of=datetime(2025, 5, 20, 9, tzinfo=UTC))
    question = question_for(alice, query, Banks((ALICE, ACME), (ALICE, ACME), ()))
    assert question.named is not None
    assert (question.named.first, question.named.last) == (date(2025, 4, 1), date(2025, 4, 30))
