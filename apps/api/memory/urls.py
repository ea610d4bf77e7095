from django.urls import include, path

from apps.api.memory.actions import (
    MemoryApproveView,
    MemoryArchiveView,
    MemoryMergeView,
    MemoryMoveView,
    MemoryRestoreView,
    MemoryShareView,
)
from apps.api.memory.bulk import MemoriesBulkView
from apps.api.memory.embeddings import EmbeddingsView
from apps.api.memory.exports import MemoriesExportView, MemoriesImportView
from apps.api.memory.memories import MemoriesView, MemoryDetailView
from apps.api.memory.pins import PinDetailView, PinsView
from apps.api.memory.profile import ProfileView
from apps.api.memory.revisions import MemoryRevisionsView, MemoryRevisionView, MemoryUndoView
from apps.api.memory.tree import TreeView
from apps.api.memory.user_memory import UserMemoryDetailView, UserMemoryView

_of_one = [
    path("", MemoryDetailView.as_view(), name="memory"),
    path("/move", MemoryMoveView.as_view(), name="memory-move"),
    path("/merge", MemoryMergeView.as_view(), name="memory-merge"),
    path("/approve", MemoryApproveView.as_view(), name="memory-approve"),
    path("/archive", MemoryArchiveView.as_view(), name="memory-archive"),
    path("/restore", MemoryRestoreView.as_view(), name="memory-restore"),
    path("/share", MemoryShareView.as_view(), name="memory-share"),
    path("/revisions", MemoryRevisionsView.as_view(), name="memory-revisions"),
    path("/revisions/<uuid:revision_id>", MemoryRevisionView.as_view(), name="memory-revision"),
    path("/undo", MemoryUndoView.as_view(), name="memory-undo"),
]

urlpatterns = [
    path("conversations/<uuid:conversation_id>/pins", PinsView.as_view(), name="pins"),
    path("conversations/<uuid:conversation_id>/pins/<uuid:pin_id>", PinDetailView.as_view(), name="pin"),
    path("user-memory", UserMemoryView.as_view(), name="user-memory"),
    path("user-memory/<uuid:memory_id>", UserMemoryDetailView.as_view(), name="user-memory-item"),
    path("profile", ProfileView.as_view(), name="profile"),
    path("tree", TreeView.as_view(), name="tree"),
    path("memories", MemoriesView.as_view(), name="memories"),
    path("memories/bulk", MemoriesBulkView.as_view(), name="memories-bulk"),
    path("memories/export", MemoriesExportView.as_view(), name="memories-export"),
    path("memories/import", MemoriesImportView.as_view(), name="memories-import"),
    path("memories/<uuid:node_id>", include(_of_one)),
    path("embeddings", EmbeddingsView.as_view(), name="embeddings"),
]
