from django.urls import path

from apps.api.extraction.extraction import ExtractionCandidatesView, ExtractionView

urlpatterns = [
    path("conversations/<uuid:conversation_id>/extraction", ExtractionView.as_view(), name="extraction"),
    path(
        "conversations/<uuid:conversation_id>/extraction/candidates",
        ExtractionCandidatesView.as_view(),
        name="extraction-candidates",
    ),
]
