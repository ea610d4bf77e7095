"""Claims: each due job goes to exactly one of concurrent claimers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.jobs.models import DueJob
from apps.jobs.services import Claim, Priority, claim_due, claim_named, claim_release
from tests.jobs.requests import ask, claim_one, expire_leases

ROUNDS = 20


@pytest.mark.django_db
def test_a_job_is_claimed_when_it_is_due_and_not_before(acme: Workspace) -> None:
    ask(acme.id, key="now")
    ask(acme.id, key="soon", in_s=10)
    claims = claim_due(10)
    assert [claim.job_id for claim in claims] == [DueJob.objects.get(key="now").id]


@pytest.mark.django_db
def test_a_job_can_be_claimed_by_name_unless_it_is_leased(acme: Workspace) -> None:
    ask(acme.id, key="soon", in_s=10)
    ask(acme.id, key="other")
    soon = DueJob.objects.get(key="soon")
    claims = [claim_named(workspace_id=acme.id, kind=soon.kind, key=soon.key) for _ in range(2)]
    assert claims[0] is not None
    assert claims[0].job_id == soon.id
    assert claims[1] is None
    claim_release(claims[0])
    assert claim_named(workspace_id=acme.id, kind=soon.kind, key=soon.key)


@pytest.mark.django_db
def test_the_longest_due_comes_first(acme: Workspace) -> None:
    for seconds in (1, 3, 2):
        ask(acme.id, key=str(seconds), in_s=-seconds)
    order = [keys(claim_due(1, slots=9))[0] for _ in range(3)]
    assert order == ["3", "2", "1"]


@pytest.mark.django_db
def test_what_a_person_asked_for_starts_before_older_work(acme: Workspace) -> None:
    ask(acme.id, key="sweep", in_s=-60, priority=Priority.UPKEEP)
    ask(acme.id, key="turn", in_s=-30)
    ask(acme.id, key="asked", priority=Priority.PERSON)
    order = [keys(claim_due(1, slots=9))[0] for _ in range(3)]
    assert order == ["asked", "turn", "sweep"]


@pytest.mark.django_db
def test_an_import_starts_before_turns_and_upkeep_but_many_of_them_starve_nobody(
    acme: Workspace, charlie: Actor
) -> None:
    for number in range(38):
        ask(acme.id, key=f"import {number}", in_s=-100, priority=Priority.REQUESTED)
    ask(acme.id, key="sweep", in_s=-200, priority=Priority.UPKEEP)
    ask(charlie.workspace_id, key="charlie's turn", in_s=-300)
    assert keys(claim_due(1, slots=9)) == ["import 0"]
    assert keys(claim_due(1, slots=9)) == ["charlie's turn"]
    assert all(key.startswith("import") for key in keys(claim_due(5, slots=9)))
    ask(acme.id, key="asked", priority=Priority.PERSON)
    assert keys(claim_due(1, slots=9)) == ["asked"]


@pytest.mark.django_db
def test_imports_leave_the_last_worker_to_those_who_wait(acme: Workspace, charlie: Actor) -> None:
    for workspace_id in (acme.id, charlie.workspace_id):
        for number in range(3):
            ask(workspace_id, key=f"import {number}", priority=Priority.REQUESTED)
    assert len(claim_due(9, slots=3)) == 2
    ask(acme.id, key="asked", priority=Priority.PERSON)
    assert keys(claim_due(9, slots=3)) == ["asked"]


@pytest.mark.django_db
def test_upkeep_that_waited_long_takes_its_turn(acme: Workspace) -> None:
    ask(acme.id, key="turn", in_s=-30)
    ask(acme.id, key="sweep", in_s=-3_600, priority=Priority.UPKEEP)
    assert keys(claim_due(1)) == ["sweep"]


@pytest.mark.django_db
def test_a_second_request_raises_the_priority_and_never_lowers_it(acme: Workspace) -> None:
    for priority in (Priority.AFTER_TURN, Priority.PERSON, Priority.UPKEEP):
        ask(acme.id, priority=priority)
    assert DueJob.objects.get().priority == Priority.PERSON


@pytest.mark.django_db
def test_the_last_worker_is_reserved_for_what_a_person_asked_for(acme: Workspace, charlie: Actor) -> None:
    for number in range(3):
        ask(acme.id, key=f"acme {number}")
        ask(charlie.workspace_id, key=f"charlie {number}")
    assert len(claim_due(9, slots=3)) == 2
    assert claim_due(9, slots=3) == []
    ask(acme.id, key="asked", priority=Priority.PERSON)
    assert keys(claim_due(9, slots=3)) == ["asked"]


@pytest.mark.django_db
def test_one_workspace_never_holds_all_workers(acme: Workspace, charlie: Actor) -> None:
    for number in range(5):
        ask(acme.id, key=f"acme {number}", priority=Priority.PERSON)
    assert len(claim_due(9, slots=3)) == 2
    ask(charlie.workspace_id, key="charlie", priority=Priority.PERSON)
    assert keys(claim_due(9, slots=3)) == ["charlie"]


@pytest.mark.django_db
def test_a_backlog_of_one_workspace_hides_no_job_of_another(acme: Workspace, charlie: Actor) -> None:
    for number in range(120):
        ask(acme.id, key=f"acme {number}", in_s=-100)
    assert len(claim_due(1, slots=9)) == 1
    ask(charlie.workspace_id, key="charlie")
    assert keys(claim_due(1, slots=9)) == ["charlie"]


@pytest.mark.django_db
def test_a_claim_that_no_worker_took_frees_its_slot(acme: Workspace) -> None:
    ask(acme.id)
    assert len(claim_due(9, slots=1)) == 1
    assert claim_due(9, slots=1) == []
    expire_leases()
    assert len(claim_due(9, slots=1)) == 1


@pytest.mark.django_db
def test_a_claim_is_exclusive_until_its_lease_expires(acme: Workspace) -> None:
    ask(acme.id)
    first = claim_one()
    assert claim_due(1) == []
    expire_leases()
    second = claim_one()
    assert second.job_id == first.job_id
    assert second.token != first.token


@pytest.mark.django_db
def test_a_claim_that_is_given_back_is_claimed_again(acme: Workspace) -> None:
    ask(acme.id)
    claim_release(claim_one())
    assert claim_one()


@pytest.mark.django_db(transaction=True)
def test_two_claimers_never_get_the_same_job(acme: Workspace) -> None:
    for round_number in range(ROUNDS):
        for key in range(6):
            ask(acme.id, key=f"{round_number} {key}")
        one, other = at_the_same_time(lambda: claim_due(4, slots=9), lambda: claim_due(4, slots=9))
        claimed = [claim.job_id for claim in (*one, *other)]
        assert len(claimed) == len(set(claimed))
        claimed += [claim.job_id for claim in claim_due(6, slots=9)]
        assert len(set(claimed)) == len(claimed) == 6
        DueJob.objects.all().delete()


def keys(claims: list[Claim]) -> list[str]:
    return [DueJob.objects.get(pk=claim.job_id).key for claim in claims]


def at_the_same_time(*claimers: Callable[[], list[Claim]]) -> list[list[Claim]]:
    start = Barrier(len(claimers))

    def run(claimer: Callable[[], list[Claim]]) -> list[Claim]:
        try:
            connection.ensure_connection()
            start.wait()
            return claimer()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(claimers)) as pool:
        return list(pool.map(run, claimers))
