from django.urls import path

from apps.api.extraction.extraction import ConversationMemoriesView, ExtractionCandidatesView, ExtractionView

urlpatterns = [
    path("conversations/<uuid:conversation_id>/extraction", ExtractionView.as_view(), name="extraction"),
    path(
        "conversations/<uuid:conversation_id>/extraction/candidates",
        ExtractionCandidatesView.as_view(),
        name="extraction-candidates",
    ),
    path(
        "conversations/<uuid:conversation_id>/memories",
        ConversationMemoriesView.as_view(),
        name="conversation-memories",
    ),
]
