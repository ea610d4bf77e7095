from django.urls import include, path

from apps.api.conversations.compaction_actions import CompactionStopView, CompactionUndoView
from apps.api.conversations.compactions import CompactionDetailView, CompactionsView
from apps.api.conversations.context import ContextView
from apps.api.conversations.conversations import ConversationDetailView, ConversationForkView, ConversationsView
from apps.api.conversations.imports import ImportsView
from apps.api.conversations.live import LiveSeriesView, LiveView
from apps.api.conversations.messages import ExclusionsView, MessageDetailView, MessagesView
from apps.api.conversations.negotiation import ContextNegotiateView
from apps.api.conversations.search import SearchView
from apps.api.conversations.shares import ShareDetailView, SharesView
from apps.api.conversations.summaries import (
    SummaryCorrectionsView,
    SummaryCorrectionUndoView,
    SummaryVersionsView,
    SummaryView,
)

_of_one = [
    path("", ConversationDetailView.as_view(), name="conversation"),
    path("/fork", ConversationForkView.as_view(), name="conversation-fork"),
    path("/shares", SharesView.as_view(), name="shares"),
    path("/shares/<uuid:user_id>", ShareDetailView.as_view(), name="share"),
    path("/messages", MessagesView.as_view(), name="messages"),
    path("/messages/<uuid:message_id>", MessageDetailView.as_view(), name="message"),
    path("/exclusions", ExclusionsView.as_view(), name="exclusions"),
    path("/summary", SummaryView.as_view(), name="summary"),
    path("/summary/versions", SummaryVersionsView.as_view(), name="summary-versions"),
    path("/summary/corrections", SummaryCorrectionsView.as_view(), name="summary-corrections"),
    path("/summary/corrections/undo", SummaryCorrectionUndoView.as_view(), name="summary-correction-undo"),
    path("/compactions", CompactionsView.as_view(), name="compactions"),
    path("/compactions/<uuid:run_id>", CompactionDetailView.as_view(), name="compaction"),
    path("/compactions/<uuid:run_id>/undo", CompactionUndoView.as_view(), name="compaction-undo"),
    path("/compactions/<uuid:run_id>/stop", CompactionStopView.as_view(), name="compaction-stop"),
    path("/live/series", LiveSeriesView.as_view(), name="live-series"),
    path("/live", LiveView.as_view(), name="live"),
    path("/context", ContextView.as_view(), name="context"),
    path("/context/negotiate", ContextNegotiateView.as_view(), name="context-negotiate"),
]

urlpatterns = [
    path("conversations", ConversationsView.as_view(), name="conversations"),
    path("conversations/<uuid:conversation_id>", include(_of_one)),
    path("search", SearchView.as_view(), name="search"),
    path("imports", ImportsView.as_view(), name="imports"),
]
