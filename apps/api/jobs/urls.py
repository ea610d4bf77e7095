from django.urls import path

from apps.api.jobs.health import HealthView
from apps.api.jobs.operations import OperationDetailView, OperationEventsView, OperationsView

urlpatterns = [
    path("operations", OperationsView.as_view(), name="operations"),
    path("operations/<uuid:operation_id>", OperationDetailView.as_view(), name="operation"),
    path("operations/<uuid:operation_id>/events", OperationEventsView.as_view(), name="operation-events"),
    path("health", HealthView.as_view(), name="health"),
]
