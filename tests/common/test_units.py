"""Units of work: nothing is visible outside, only the workspace's rows inside, and pooled connections keep nothing."""

from __future__ import annotations

import random
from uuid import UUID

import psycopg
import pytest
from django.db import OperationalError, ProgrammingError, connection, transaction
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import OperatorAccess, WorkspacePolicy
from apps.accounts.services.operator_access import operator
from apps.common.tenancy import NestedWorkspaces, NoWorkspace, use_custom_plans, workspace
from config.database import application_database, with_pool

SEEN = "SELECT workspace_id FROM accounts_workspacepolicy"


def keep_policy(actor: Actor) -> None:
    with workspace(actor.workspace_id):
        WorkspacePolicy.objects.create(overrides={"max_goals": 3})


def seen() -> set[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(SEEN)
        return {workspace_id for (workspace_id,) in cursor.fetchall()}


@pytest.fixture
def two_tenants(alice: Actor, charlie: Actor) -> tuple[UUID, UUID]:
    keep_policy(alice)
    keep_policy(charlie)
    return alice.workspace_id, charlie.workspace_id


def test_outside_a_unit_the_manager_is_closed(db: None) -> None:
    with pytest.raises(NoWorkspace):
        WorkspacePolicy.objects.count()


def test_outside_a_unit_plain_sql_sees_nothing(two_tenants: tuple[UUID, UUID]) -> None:
    assert seen() == set()


def test_a_unit_sees_its_own_rows_also_in_plain_sql(two_tenants: tuple[UUID, UUID]) -> None:
    for workspace_id in two_tenants:
        with workspace(workspace_id):
            assert seen() == {workspace_id}
            assert WorkspacePolicy.objects.get().workspace_id == workspace_id


def test_a_row_for_another_workspace_is_refused(alice: Actor, charlie: Actor) -> None:
    with pytest.raises(ProgrammingError, match="row-level security"), workspace(alice.workspace_id):
        WorkspacePolicy.objects.create(workspace_id=charlie.workspace_id, overrides={})


def test_a_row_can_not_be_moved_to_another_workspace(two_tenants: tuple[UUID, UUID]) -> None:
    mine, other = two_tenants
    with pytest.raises(ProgrammingError, match="row-level security"), workspace(mine):
        WorkspacePolicy.objects.update(workspace_id=other)


def test_a_unit_joins_one_of_the_same_workspace_and_refuses_another(alice: Actor, charlie: Actor) -> None:
    with workspace(alice.workspace_id), workspace(alice.workspace_id):
        assert connection.in_atomic_block
        with pytest.raises(NestedWorkspaces), workspace(charlie.workspace_id):
            pass


def test_an_operator_sees_every_workspace_and_is_on_record(two_tenants: tuple[UUID, UUID], alice: Actor) -> None:
    with operator(alice.user_id, "a question from Charlie"):
        assert seen() == set(two_tenants)
    assert OperatorAccess.objects.filter(user_id=alice.user_id).values_list("reason", flat=True).get() == (
        "a question from Charlie"
    )
    assert seen() == set()


def test_operator_access_requires_a_reason(db: None) -> None:
    with pytest.raises(ValueError, match="reason"), operator(None, "  "):
        pass


@pytest.mark.django_db(transaction=True)
def test_the_record_of_an_operator_outlives_a_failure(alice: Actor) -> None:
    with pytest.raises(RuntimeError), operator(alice.user_id, "a look around"):
        raise RuntimeError
    assert OperatorAccess.objects.filter(reason="a look around").exists()


def test_the_record_of_operators_can_not_be_changed(alice: Actor) -> None:
    with operator(alice.user_id, "first"):
        pass
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        OperatorAccess.objects.update(reason="nothing")
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        OperatorAccess.objects.all().delete()


@pytest.fixture
def pooled_connection() -> object:
    """Reuse pooled connections, as the web server does."""
    connection.close()
    plain = connection.settings_dict
    connection.settings_dict = with_pool(plain)
    connection.settings_dict["OPTIONS"]["pool"] |= {"min_size": 1, "max_size": 2}
    yield connection
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # only PostgreSQL has one
    connection.settings_dict = plain


@pytest.mark.django_db(transaction=True)
def test_nothing_stays_behind_on_pooled_connections(alice: Actor, charlie: Actor, pooled_connection: object) -> None:
    keep_policy(alice)
    keep_policy(charlie)
    shuffle = random.Random(7)
    for _ in range(200):
        one_step(shuffle, shuffle.choice([alice, charlie]).workspace_id)
        if shuffle.random() < 0.5:
            connection.close()


def one_step(shuffle: random.Random, workspace_id: UUID) -> None:
    """Read inside a unit, outside one, or after an error; no row of another workspace is ever visible."""
    assert seen() == set()
    try:
        with workspace(workspace_id):
            assert seen() == {workspace_id}
            if shuffle.random() < 0.3:
                raise RuntimeError
    except RuntimeError:
        assert seen() == set()


@pytest.mark.parametrize("app_url", ["", "postgresql://app@db/x"])
def test_a_statement_that_comes_again_is_prepared_unless_the_server_keeps_none(app_url: str) -> None:
    options = [application_database("postgresql://db/x", app_url, prepared=one)["OPTIONS"] for one in (True, False)]
    assert [one["prepare_threshold"] for one in options] == [3, None]


@pytest.mark.django_db(transaction=True)
def test_jobs_use_custom_plans_and_requests_cache_theirs(alice: Actor, settings: Settings) -> None:
    modes = []
    for kept in (False, True):
        settings.REUSE_QUERY_PLANS = kept
        with workspace(alice.workspace_id):
            modes.append(planning())
    with workspace(alice.workspace_id):
        use_custom_plans()
        modes.append(planning())
    with workspace(alice.workspace_id, plans="force_generic_plan"):
        modes.append(planning())
    with transaction.atomic():
        with workspace(alice.workspace_id, plans="force_generic_plan"):
            pass
        assert planning() == "auto"
    assert modes == ["force_custom_plan", "auto", "force_custom_plan", "force_generic_plan"]
    assert planning() == "auto"


@pytest.mark.django_db(transaction=True)
def test_a_unit_on_a_broken_connection_fails_and_the_next_one_reconnects(alice: Actor) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (process,) = cursor.fetchone()
    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [process])
    with pytest.raises(OperationalError) as refused, workspace(alice.workspace_id):
        raise AssertionError("it has begun")
    assert isinstance(refused.value.__cause__, psycopg.OperationalError)
    connection.close_if_unusable_or_obsolete()
    with workspace(alice.workspace_id):
        assert seen() == set()


def planning() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('plan_cache_mode')")
        (mode,) = cursor.fetchone()
    return str(mode)
