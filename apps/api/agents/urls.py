from django.urls import path

from apps.api.agents.events import HookBatchView, HookEventView
from apps.api.agents.observations import ObservationsView

urlpatterns = [
    path("hooks/<str:client>", HookEventView.as_view(), name="hook-event"),
    path("hooks/<str:client>/batch", HookBatchView.as_view(), name="hook-batch"),
    path("sessions/<path:session>/observations", ObservationsView.as_view(), name="observations"),
]
