from django.urls import path

from apps.api.memory.pins import PinDetailView, PinsView
from apps.api.memory.user_memory import UserMemoryDetailView, UserMemoryView

urlpatterns = [
    path("conversations/<uuid:conversation_id>/pins", PinsView.as_view(), name="pins"),
    path("conversations/<uuid:conversation_id>/pins/<uuid:pin_id>", PinDetailView.as_view(), name="pin"),
    path("user-memory", UserMemoryView.as_view(), name="user-memory"),
    path("user-memory/<uuid:memory_id>", UserMemoryDetailView.as_view(), name="user-memory-item"),
]
