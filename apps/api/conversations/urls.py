from django.urls import include, path

from apps.api.conversations.branches import BranchesView
from apps.api.conversations.conversations import (
    ConversationDetailView,
    ConversationForkView,
    ConversationsView,
)
from apps.api.conversations.imports import ImportsView
from apps.api.conversations.live import LiveSeriesView, LiveView
from apps.api.conversations.messages import ExclusionsView, MessageDetailView, MessagesView
from apps.api.conversations.search import SearchView
from apps.api.conversations.shares import ShareDetailView, SharesView

_of_one = [
    path("", ConversationDetailView.as_view(), name="conversation"),
    path("/fork", ConversationForkView.as_view(), name="conversation-fork"),
    path("/branches", BranchesView.as_view(), name="branches"),
    path("/shares", SharesView.as_view(), name="shares"),
    path("/shares/<uuid:user_id>", ShareDetailView.as_view(), name="share"),
    path("/messages", MessagesView.as_view(), name="messages"),
    path("/messages/<uuid:message_id>", MessageDetailView.as_view(), name="message"),
    path("/exclusions", ExclusionsView.as_view(), name="exclusions"),
    path("/live/series", LiveSeriesView.as_view(), name="live-series"),
    path("/live", LiveView.as_view(), name="live"),
]

urlpatterns = [
    path("conversations", ConversationsView.as_view(), name="conversations"),
    path("conversations/<uuid:conversation_id>", include(_of_one)),
    path("search", SearchView.as_view(), name="search"),
    path("imports", ImportsView.as_view(), name="imports"),
]
