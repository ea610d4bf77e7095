"""Lists in queries: any number of values in one statement."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.db.models import Count, F
from django.db.models.functions import Upper

from apps.accounts.actors import Actor
from apps.accounts.models import Membership, User
from apps.common.ids import uuid7

pytestmark = pytest.mark.django_db

MORE_THAN_PARAMETERS = 70_000


def strangers(count: int) -> list[UUID]:
    return [uuid7() for _ in range(count)]


@pytest.mark.slow("its list has 70,000 items")
def test_a_list_may_be_longer_than_a_statement_has_parameters(alice: Actor) -> None:
    ids = [*strangers(MORE_THAN_PARAMETERS), alice.user_id]
    assert list(User.objects.filter(pk__in=ids).values_list("pk", flat=True)) == [alice.user_id]
    assert Membership.objects.filter(user__in=ids).count() == 1
    assert Membership.objects.filter(user_id__in=ids).exclude(pk__in=ids).count() == 1


def test_lists_of_every_length_are_one_statement(alice: Actor) -> None:
    texts = {str(User.objects.filter(pk__in=strangers(count)).query.sql_with_params()[0]) for count in (1, 2, 50)}
    assert len(texts) == 1


def test_texts_and_numbers_are_found_as_before(alice: Actor, bob: Actor) -> None:
    emails = list(User.objects.filter(pk__in=[alice.user_id, bob.user_id]).values_list("email", flat=True))
    assert User.objects.filter(email__in=emails).count() == 2
    assert User.objects.filter(email__in=[None, emails[0]]).count() == 1
    counted = User.objects.annotate(spaces=Count("memberships")).filter(spaces__in=[1, 7])
    assert counted.filter(pk__in=[alice.user_id]).count() == 1


def test_an_empty_list_finds_nothing_and_excludes_nothing(alice: Actor) -> None:
    assert not User.objects.filter(pk__in=[]).exists()
    assert User.objects.exclude(pk__in=[]).filter(pk=alice.user_id).exists()


def test_subqueries_and_expressions_still_work_as_lists(alice: Actor) -> None:
    own = Membership.objects.filter(user_id=alice.user_id)
    assert User.objects.filter(pk__in=own.values("user_id")).get().pk == alice.user_id
    assert User.objects.filter(email__in=[F("email"), Upper("email")], pk=alice.user_id).exists()
