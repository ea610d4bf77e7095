from django.urls import path

from apps.api.accounts.agents import AgentDetailView, AgentsView, AgentTestView
from apps.api.accounts.context_settings import ContextSettingsView
from apps.api.accounts.end_users import EndUserDetailView, EndUsersView
from apps.api.accounts.invitations import InvitationDetailView, InvitationsView
from apps.api.accounts.keys import ApiKeyDetailView, ApiKeysView
from apps.api.accounts.me import MeView
from apps.api.accounts.members import MemberDetailView, MembersView
from apps.api.accounts.pairings import (
    PairingApproveView,
    PairingDenyView,
    PairingDetailView,
    PairingsView,
    PairingTokenView,
)
from apps.api.accounts.policies import PolicyView
from apps.api.accounts.received_invitations import (
    InvitationAcceptView,
    InvitationDeclineView,
    InvitationPreviewView,
)
from apps.api.accounts.sessions import SignInView, SignOutView, SignUpView
from apps.api.accounts.tickets import TicketView
from apps.api.accounts.workspaces import WorkspaceDetailView, WorkspacesView

urlpatterns = [
    path("sign-up", SignUpView.as_view(), name="sign-up"),
    path("sign-in", SignInView.as_view(), name="sign-in"),
    path("sign-out", SignOutView.as_view(), name="sign-out"),
    path("me", MeView.as_view(), name="me"),
    path("me/context", ContextSettingsView.as_view(), name="context-settings"),
    path("workspaces", WorkspacesView.as_view(), name="workspaces"),
    path("workspaces/<uuid:workspace_id>", WorkspaceDetailView.as_view(), name="workspace"),
    path("members", MembersView.as_view(), name="members"),
    path("members/<uuid:user_id>", MemberDetailView.as_view(), name="member"),
    path("invitations", InvitationsView.as_view(), name="invitations"),
    path("invitations/preview", InvitationPreviewView.as_view(), name="invitation-preview"),
    path("invitations/accept", InvitationAcceptView.as_view(), name="invitation-accept"),
    path("invitations/decline", InvitationDeclineView.as_view(), name="invitation-decline"),
    path("invitations/<uuid:invitation_id>", InvitationDetailView.as_view(), name="invitation"),
    path("api-keys", ApiKeysView.as_view(), name="api-keys"),
    path("api-keys/<uuid:key_id>", ApiKeyDetailView.as_view(), name="api-key"),
    path("end-users", EndUsersView.as_view(), name="end-users"),
    path("end-users/<uuid:end_user_id>", EndUserDetailView.as_view(), name="end-user"),
    path("pairings", PairingsView.as_view(), name="pairings"),
    path("pairings/token", PairingTokenView.as_view(), name="pairing-token"),
    path("pairings/<str:user_code>", PairingDetailView.as_view(), name="pairing"),
    path("pairings/<str:user_code>/approve", PairingApproveView.as_view(), name="pairing-approve"),
    path("pairings/<str:user_code>/deny", PairingDenyView.as_view(), name="pairing-deny"),
    path("agents", AgentsView.as_view(), name="agents"),
    path("agents/<uuid:agent_id>", AgentDetailView.as_view(), name="agent"),
    path("agents/<uuid:agent_id>/test", AgentTestView.as_view(), name="agent-test"),
    path("ws-ticket", TicketView.as_view(), name="ws-ticket"),
    path("policy", PolicyView.as_view(), name="policy"),
]
