from django.urls import path

from apps.api.turns.views import TurnCurrentView, TurnRetryView, TurnStopView, TurnsView

urlpatterns = [
    path("conversations/<uuid:conversation_id>/turns", TurnsView.as_view(), name="turns"),
    path("conversations/<uuid:conversation_id>/turns/current", TurnCurrentView.as_view(), name="turn-current"),
    path("conversations/<uuid:conversation_id>/turns/retry", TurnRetryView.as_view(), name="turn-retry"),
    path("conversations/<uuid:conversation_id>/turns/stop", TurnStopView.as_view(), name="turn-stop"),
]
