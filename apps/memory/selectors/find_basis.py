"""What every search of a workspace goes by: the space that answers it, and the policy that holds.

Both change rarely, so a process remembers them. The search's own statement compares them with what holds and finds
nothing where they are of yesterday: whoever finds nothing reads them anew.
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

_MOST_REMEMBERED = 10_000
_remembered: dict[UUID, Basis] = {}
_READ = """
SELECT (SELECT json_build_array(id, model, dimension, state, chosen) FROM mem_spaces
        WHERE workspace_id = %(workspace)s AND state = 'serving'),
    (SELECT overrides::text FROM accounts_workspacepolicy WHERE workspace_id = %(workspace)s)
"""
HOLDS = """
    (SELECT id FROM mem_spaces WHERE workspace_id = %(workspace)s AND state = 'serving')
        IS NOT DISTINCT FROM %(space)s::uuid
    AND (SELECT overrides FROM accounts_workspacepolicy WHERE workspace_id = %(workspace)s)
        IS NOT DISTINCT FROM %(overrides)s::jsonb
"""
"""Whether a basis holds; its values are those of `Basis.values`."""


@dataclass(frozen=True, slots=True)
class Basis:
    """`overrides` are what the workspace changed of the policy, as the database writes them."""

    space: SpaceRecord | None
    overrides: str | None

    @property
    def policy(self) -> Policy:
        return policy_effective(json.loads(self.overrides or "{}"))

    @property
    def values(self) -> dict[str, Any]:
        return {"space": self.space.id if self.space else None, "overrides": self.overrides}


def basis_remembered(workspace_id: UUID) -> Basis | None:
    return _remembered.get(workspace_id)


def basis_read() -> Basis:
    """As it holds now in the unit's workspace."""
    workspace_id: UUID = current_workspace_id()
    with connection.cursor() as cursor:
        cursor.execute(_READ, {"workspace": workspace_id})
        space, overrides = cursor.fetchone()
    basis = Basis(_space(*space) if space else None, overrides)
    if len(_remembered) >= _MOST_REMEMBERED:
        _remembered.clear()
    _remembered[workspace_id] = basis
    return basis


def _space(space_id: str, model: str, dimension: int, state: str, chosen: bool) -> SpaceRecord:
    return SpaceRecord(UUID(space_id), model, dimension, state, chosen)
