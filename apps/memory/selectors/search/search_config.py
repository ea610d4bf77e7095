"""The settings of a workspace that a search depends on, read with one small statement for each search."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.db import connection

from apps.accounts.selectors.policies import policy_effective
from apps.common.tenancy import current_workspace_id
from apps.engine.policy import Policy
from apps.memory.records.search import SpaceRecord

_READ = """
SELECT policy.overrides::text, space.id, space.model, space.dimension, space.state, space.chosen
FROM (SELECT %(workspace)s::uuid AS id) AS workspace
LEFT JOIN accounts_workspacepolicy AS policy ON policy.workspace_id = workspace.id
LEFT JOIN mem_spaces AS space ON space.workspace_id = workspace.id AND space.state = 'serving'
"""


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """The embedding space that queries are compared in, if there is one yet, and the effective policy."""

    space: SpaceRecord | None
    policy: Policy


def search_config() -> SearchConfig:
    """Read the configuration of the current unit's workspace."""
    with connection.cursor() as cursor:
        cursor.execute(_READ, {"workspace": current_workspace_id()})
        overrides, *space = cursor.fetchone()
    return SearchConfig(SpaceRecord(*space) if space[0] else None, policy_effective(json.loads(overrides or "{}")))
