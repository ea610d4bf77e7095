from django.urls import include, path

from apps.api.context.agent_loop import ConversationTrimView, TrimView
from apps.api.context.audience import AudienceView
from apps.api.context.negotiation import ContextNegotiateView
from apps.api.context.packs import ContextView
from apps.api.context.session_context import NewSessionContextView, SessionContextView
from apps.api.context.sessions import SessionDetailView, SessionsView
from apps.api.context.used_items import UsedItemsView

_of_one_conversation = [
    path("/audience", AudienceView.as_view(), name="audience"),
    path("/context", ContextView.as_view(), name="context"),
    path("/context/negotiate", ContextNegotiateView.as_view(), name="context-negotiate"),
    path("/messages/<uuid:message_id>/used", UsedItemsView.as_view(), name="message-used"),
    path("/trim", ConversationTrimView.as_view(), name="conversation-trim"),
]

urlpatterns = [
    path("conversations/<uuid:conversation_id>", include(_of_one_conversation)),
    path("context/new", NewSessionContextView.as_view(), name="new-session-context"),
    path("context/<path:session>", SessionContextView.as_view(), name="session-context"),
    path("sessions", SessionsView.as_view(), name="sessions"),
    path("sessions/<path:session>", SessionDetailView.as_view(), name="session"),
    path("trim", TrimView.as_view(), name="trim"),
]
