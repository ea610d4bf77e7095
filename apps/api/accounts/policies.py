"""Endpoint of the workspace's policy."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.records import PolicyRecord
from apps.accounts.selectors.policies import policy_get
from apps.accounts.services.policies import policy_update
from apps.api.accounts.rules import categories, limits
from apps.api.accounts.serializers import PolicyInput, PolicySerializer
from apps.api.framework.etags import expected_version, versioned
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import IF_MATCH


class PolicyView(WorkspaceView):
    permissions = by_method(get=Permission.READ_WORKSPACE)

    @extend_schema(responses=PolicySerializer)
    def get(self, request: ApiRequest) -> Response:
        """Get the policy

        Returns the effective constants, those that this workspace overrides, the installation's defaults, and
        the rules that all workspaces share: limits and the categories of the memory tree.
        """
        return _response(request, policy_get(request.actor))

    @extend_schema(request=PolicyInput, responses=PolicySerializer, parameters=IF_MATCH)
    def patch(self, request: ApiRequest) -> Response:
        """Update the policy

        Overrides the given constants for this workspace. `null` resets one to the installation's default.
        """
        values = read_body(PolicyInput, request.data)
        version = expected_version(request)
        return _response(request, policy_update(request.actor, overrides=values["overrides"], version=version))


def _response(request: ApiRequest, policy: PolicyRecord) -> Response:
    body = PolicySerializer({**asdict(policy), "limits": limits(), "categories": categories()})
    return versioned(request, body.data, policy.version)
