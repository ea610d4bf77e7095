from django.urls import path

from apps.api.loops.views import ConversationTrimView, TrimView

urlpatterns = [
    path("trim", TrimView.as_view(), name="trim"),
    path("conversations/<uuid:conversation_id>/trim", ConversationTrimView.as_view(), name="conversation-trim"),
]
