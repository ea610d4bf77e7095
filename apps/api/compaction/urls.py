from django.urls import include, path

from apps.api.compaction.compaction_actions import CompactionStopView, CompactionUndoView
from apps.api.compaction.compactions import CompactionDetailView, CompactionsView
from apps.api.compaction.summaries import (
    SummaryCorrectionsView,
    SummaryCorrectionUndoView,
    SummaryVersionsView,
    SummaryView,
)

_of_one_conversation = [
    path("/summary", SummaryView.as_view(), name="summary"),
    path("/summary/versions", SummaryVersionsView.as_view(), name="summary-versions"),
    path("/summary/corrections", SummaryCorrectionsView.as_view(), name="summary-corrections"),
    path("/summary/corrections/undo", SummaryCorrectionUndoView.as_view(), name="summary-correction-undo"),
    path("/compactions", CompactionsView.as_view(), name="compactions"),
    path("/compactions/<uuid:run_id>", CompactionDetailView.as_view(), name="compaction"),
    path("/compactions/<uuid:run_id>/undo", CompactionUndoView.as_view(), name="compaction-undo"),
    path("/compactions/<uuid:run_id>/stop", CompactionStopView.as_view(), name="compaction-stop"),
]

urlpatterns = [
    path("conversations/<uuid:conversation_id>", include(_of_one_conversation)),
]
