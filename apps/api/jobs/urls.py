from django.urls import path

from apps.api.jobs.health import HealthView
from apps.api.jobs.operations import OperationDetailView, OperationsView

urlpatterns = [
    path("operations", OperationsView.as_view(), name="operations"),
    path("operations/<uuid:operation_id>", OperationDetailView.as_view(), name="operation"),
    path("health", HealthView.as_view(), name="health"),
]
