from django.urls import include, path

from apps.api.inbox.decisions import (
    InboxApproveView,
    InboxDecisionsView,
    InboxDeclineView,
    InboxEditView,
    InboxMergeView,
    InboxReplaceView,
    InboxUndoView,
    InboxUseBothView,
)
from apps.api.inbox.items import InboxCountView, InboxDecidedView, InboxItemView, InboxView
from apps.api.inbox.sources import InboxDeclineSourceView, InboxQuarantineView

_of_one = [
    path("", InboxItemView.as_view(), name="inbox-item"),
    path("/approve", InboxApproveView.as_view(), name="inbox-approve"),
    path("/edit", InboxEditView.as_view(), name="inbox-edit"),
    path("/merge", InboxMergeView.as_view(), name="inbox-merge"),
    path("/replace", InboxReplaceView.as_view(), name="inbox-replace"),
    path("/keep-both", InboxUseBothView.as_view(), name="inbox-keep-both"),
    path("/decline", InboxDeclineView.as_view(), name="inbox-decline"),
]

urlpatterns = [
    path("inbox", InboxView.as_view(), name="inbox"),
    path("inbox/count", InboxCountView.as_view(), name="inbox-count"),
    path("inbox/decided", InboxDecidedView.as_view(), name="inbox-decided"),
    path("inbox/decisions", InboxDecisionsView.as_view(), name="inbox-decisions"),
    path("inbox/undo", InboxUndoView.as_view(), name="inbox-undo"),
    path("inbox/decline-source", InboxDeclineSourceView.as_view(), name="inbox-decline-source"),
    path("inbox/quarantine", InboxQuarantineView.as_view(), name="inbox-quarantine"),
    path("inbox/<uuid:item_id>", include(_of_one)),
]
