from __future__ import annotations

from django.urls import URLPattern, path

from apps.api.hooks.imports import ImportItemsView, ImportReportView

urlpatterns: list[URLPattern] = [
    path("imports/<uuid:import_id>", ImportReportView.as_view(), name="import-report"),
    path("imports/<slug:source>", ImportItemsView.as_view(), name="import-items"),
]
