"""What every search of a workspace goes by: the space that answers it, the policy that holds, which banks are filed.

It changes rarely, so a process remembers it. The search's own statement compares it with what holds and finds nothing
where it is of yesterday: whoever finds nothing reads it anew.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from apps.accounts.selectors.policies import policy_effective
from apps.common.tenancy import current_workspace_id
from apps.engine.policy import Policy
from apps.memory.records.found import SpaceRecord
from apps.memory.selectors.spaces import serving_space

_MOST_REMEMBERED = 10_000
_remembered: dict[UUID, Basis] = {}
_READ = """
SELECT (SELECT overrides::text FROM accounts_workspacepolicy WHERE workspace_id = %(workspace)s),
    ARRAY(SELECT DISTINCT bank FROM mem_cells WHERE workspace_id = %(workspace)s)
"""
HOLDS = """
    (SELECT id FROM mem_spaces WHERE workspace_id = %(workspace)s AND state = 'serving')
        IS NOT DISTINCT FROM %(space)s
    AND (SELECT overrides FROM accounts_workspacepolicy WHERE workspace_id = %(workspace)s)
        IS NOT DISTINCT FROM %(overrides)s::jsonb
"""
"""Whether a basis holds; its values are those of `Basis.values`."""
NOT_FILED = """
    AND NOT EXISTS (SELECT FROM mem_cells WHERE workspace_id = %(workspace)s AND bank = ANY(%(banks)s))
"""
"""And that these banks have no cells yet, where the basis knows of none. That there are none any more does no harm."""


@dataclass(frozen=True, slots=True)
class Basis:
    """`overrides` are what the workspace changed of the policy, as the database writes them; `filed` the banks that
    have cells."""

    space: SpaceRecord | None
    overrides: str | None
    filed: frozenset[UUID]

    @property
    def policy(self) -> Policy:
        return policy_effective(json.loads(self.overrides or "{}"))

    @property
    def values(self) -> dict[str, Any]:
        return {"space": self.space.id if self.space else None, "overrides": self.overrides}


def basis_remembered(workspace_id: UUID) -> Basis | None:
    """As it was when it was read last."""
    return _remembered.get(workspace_id)


def basis_read() -> Basis:
    """As it holds now in the unit's workspace."""
    workspace_id: UUID = current_workspace_id()
    with connection.cursor() as cursor:
        cursor.execute(_READ, {"workspace": workspace_id})
        overrides, filed = cursor.fetchone()
    basis = Basis(serving_space(), overrides, frozenset(filed))
    if len(_remembered) >= _MOST_REMEMBERED:
        _remembered.clear()
    _remembered[workspace_id] = basis
    return basis
