"""The role × permission table, written out so that every change to it is visible in review."""

from __future__ import annotations

from uuid import uuid4

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import KeyScope, Role
from apps.accounts.permissions import (
    REFUSALS,
    REQUIRED_SCOPE,
    ROLE_PERMISSIONS,
    Permission,
    role_allows,
    scopes_of_role,
)

MATRIX = """
                     owner  admin  curator  auditor  member  viewer  end_user
read                   x      x       x        x        x       x        x
read_workspace         x      x       x        x        x       x        -
write                  x      x       x        -        x       -        x
curate_team_memory     x      x       x        -        -       -        -
read_usage             x      x       x        x        -       -        -
manage_self            x      x       x        x        x       x        x
manage_own_keys        x      x       x        x        x       x        -
manage_all_keys        x      x       -        -        -       -        -
read_all_operations    x      x       -        -        -       -        -
manage_workspace       x      x       -        -        -       -        -
manage_models          x      x       -        -        -       -        -
manage_members         x      x       -        -        -       -        -
manage_owners          x      -       -        -        -       -        -
manage_end_users       x      x       -        -        -       -        -
"""


def cells(table: str) -> list[list[str]]:
    return [line.split() for line in table.strip("\n").splitlines()]


def test_the_table_of_roles_and_permissions_is_this_one() -> None:
    rows = [
        [permission.value, *("x" if role_allows(role, permission) else "-" for role in Role)]
        for permission in Permission
    ]
    assert [list(Role.values), *rows] == cells(MATRIX)


def test_every_role_and_every_permission_has_its_entry() -> None:
    assert set(ROLE_PERMISSIONS) == set(Role)
    assert set(REQUIRED_SCOPE) == set(REFUSALS) == set(Permission)


def test_a_key_can_have_the_scopes_of_its_owner_s_role() -> None:
    everything, writing, reading = {"read", "write", "admin", "act_for_users"}, {"read", "write"}, {"read"}
    assert {role.value: {scope.value for scope in scopes_of_role(role)} for role in Role} == {
        "owner": everything,
        "admin": everything,
        "curator": writing,
        "auditor": reading,
        "member": writing,
        "viewer": reading,
        "end_user": writing,
    }


@pytest.mark.parametrize("permission", Permission)
@pytest.mark.parametrize("scope", KeyScope)
def test_a_key_is_limited_to_its_scopes(permission: Permission, scope: KeyScope) -> None:
    actor = Actor(uuid4(), uuid4(), Role.OWNER, scopes=frozenset({scope}), key_id=uuid4())
    assert actor.may(permission) == (REQUIRED_SCOPE[permission] is scope)
